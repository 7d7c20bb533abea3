#include "report/locate.h"

#include "report/format.h"
#include "support/files.h"

#include <filesystem>

namespace gelint::report {

std::string tidy_path(const std::string& path) {
  size_t at = 0;
  while (path.compare(at, 2, "./") == 0)
    at += 2;
  return at < path.size() ? path.substr(at) : std::string(".");
}

Locator::Locator(const Report& report) {
  const scan::ScanResult& scan = report.scan;
  auto add = [&](const scan::Place& p) {
    if (!p.path.empty())
      sources_.insert(p.path);
  };
  auto add_site = [&](const scan::Site& s) {
    add(s.place);
    if (s.definition)
      add(*s.definition);
  };
  for (const scan::Site& s : scan.sites)
    add_site(s);
  for (const decide::Row& row : report.rows)
    if (row.has_site)
      add_site(row.site);
  for (const scan::NameTable& t : scan.tables) {
    add(t.place);
    for (const scan::TableEntry& e : t.entries)
      add(e.place);
    if (t.fallback_place)
      add(*t.fallback_place);
  }
  for (const scan::Place& p : scan.ledger.unparsed_at)
    add(p);
  for (const scan::InlineWaiver& w : scan.waivers)
    add(w.place);
  for (const scan::TuFailure& f : scan.failures)
    sources_.insert(f.path);
  std::string root = tidy_path(source_folder(scan.root));
  while (root.size() > 1 && root.ends_with('/'))
    root.pop_back();
  if (!scan.root.empty() && root != "." && !root.starts_with('/') && root != ".." && !root.starts_with("../"))
    prefix_ = root + "/";
}

std::string source_folder(const std::string& root) {
  std::error_code ec;
  if (!std::filesystem::is_regular_file(root, ec))
    return root;
  const std::string folder = std::filesystem::path(root).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string Locator::operator()(const std::string& path) const {
  return path.empty() ? path : is_source(path) ? prefix_ + path : tidy_path(path);
}

std::string_view SourceLines::line(const std::string& path, int line) {
  if (line < 1 || path.empty())
    return {};
  auto [it, added] = files_.try_emplace(path);
  if (added) {
    std::string full = locate_.is_source(path) && !root_.empty() ? root_ + "/" + path : path;
    if (Result<std::string> text = read_file(full, size_t{64} << 20))
      it->second = std::move(*text);
  }
  return line_of(it->second, line);
}

} // namespace gelint::report
