#include "scan/stub_sysroot.h"

#include "support/embed.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <xxhash.h>

namespace gelint::scan {

const StubSysroot& StubSysroot::instance() {
  static const StubSysroot one;
  return one;
}

StubSysroot::StubSysroot() {
  std::string dir(k_stub_dir);
  args_ = {"-nostdinc", "-isystem", dir};
  for (const EmbeddedFile& f : embedded_files("scan/stubs/")) {
    std::string name(f.path.substr(f.path.rfind('/') + 1));
    if (name.ends_with(".h"))
      fixed_.emplace_back(dir + "/gelint/" + name, std::string(f.data));
  }
  std::istringstream lines{std::string(embedded_file("scan/stubs/headers.txt").value_or(""))};
  for (std::string line; std::getline(lines, line);) {
    size_t colon = line.find(':');
    if (line.empty() || line[0] == '#' || colon == std::string::npos)
      continue;
    bool standard = line.starts_with("core.h") || line.starts_with("std.h");
    std::string text = fmt::format("#pragma once\n#include <gelint/{}>\n", line.substr(0, colon));
    std::istringstream names(line.substr(colon + 1));
    for (std::string name; names >> name;) {
      if (bool star = name.ends_with('*'); star) {
        patterns_.push_back({name.substr(0, name.size() - 1), text, true, standard});
      } else {
        patterns_.push_back({name, text, false, standard});
        fixed_.emplace_back(dir + "/" + name, text);
      }
    }
  }
}

const std::string* StubSysroot::target_of(std::string_view header) const {
  for (const Pattern& p : patterns_)
    if (p.star ? header.starts_with(p.prefix) : header == p.prefix)
      return &p.text;
  return nullptr;
}

bool StubSysroot::covers(std::string_view header) const { return target_of(header) != nullptr; }

bool StubSysroot::standard(std::string_view header) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const Pattern& p) { return p.standard && !p.star && p.prefix == header; });
}

std::vector<std::pair<std::string_view, std::string_view>>
StubSysroot::files(const std::set<std::string>& headers, std::vector<std::string>& storage) const {
  std::vector<std::pair<std::string_view, std::string_view>> out;
  storage.clear();
  storage.reserve(headers.size());
  for (const auto& [path, text] : fixed_)
    out.emplace_back(path, text);
  for (const std::string& h : headers) {
    std::string path = fmt::format("{}/{}", k_stub_dir, h);
    bool present = std::any_of(fixed_.begin(), fixed_.end(), [&](const auto& f) { return f.first == path; });
    if (present || h.find("..") != std::string::npos)
      continue;
    const std::string* text = target_of(h);
    storage.push_back(std::move(path));
    out.emplace_back(storage.back(), text ? std::string_view(*text) : std::string_view("\n"));
  }
  return out;
}

std::string StubSysroot::fingerprint() const {
  XXH3_state_t* s = XXH3_createState();
  XXH3_64bits_reset(s);
  for (const auto& [path, text] : fixed_)
    XXH3_64bits_update(s, text.data(), text.size());
  std::string out = fmt::format("{:016x}", XXH3_64bits_digest(s));
  XXH3_freeState(s);
  return out;
}

} // namespace gelint::scan
