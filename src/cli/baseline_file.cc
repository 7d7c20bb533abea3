#include "cli/baseline_file.h"

#include "checkpoint/document.h"
#include "support/files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace gelint::cli {
namespace {
constexpr std::string_view k_schema = "gelint-baseline/1";
}

Result<Baseline> read_baseline(const std::string &file) {
  Result<std::string> text = read_file(file);
  if (!text) {
    Error e = text.error();
    e.mend = "write it with `gelint baseline write`";
    return e;
  }
  // The checkpoint reader is used because it knows the position of every value.
  auto doc = checkpoint::Document::parse(std::move(*text), file);
  if (!doc) {
    Error e = doc.error();
    e.mend = "write it again with `gelint baseline write`";
    return e;
  }
  checkpoint::Value root = (*doc)->root();
  auto fault = [&](const checkpoint::Value &v, std::string message) {
    checkpoint::Position p = v ? v.position() : checkpoint::Position{1, 1};
    return Error{std::move(message), file, p.line, p.column,
                 "write it again with `gelint baseline write`"};
  };
  if (root.find("schema").string() != k_schema)
    return fault(root.find("schema"), "this is no gelint baseline");
  checkpoint::Value list = root.find("findings");
  if (!list.is(checkpoint::Kind::array))
    return fault(list, "'findings' must be a list");
  Baseline out;
  for (checkpoint::Value v = list.first(); v; v = v.next()) {
    BaselineEntry e;
    e.fingerprint = v.find("fingerprint").string();
    e.rule = v.find("rule").string();
    e.path = v.find("path").string();
    e.row = v.find("row").string();
    e.anchor = v.find("anchor").string();
    if (e.fingerprint.empty())
      return fault(v, "an entry has no fingerprint");
    out.entries.push_back(std::move(e));
  }
  return out;
}

std::string baseline_text(const Baseline &baseline) {
  nlohmann::ordered_json doc;
  doc["schema"] = k_schema;
  doc["findings"] = nlohmann::ordered_json::array();
  for (const BaselineEntry &e : baseline.entries) {
    nlohmann::ordered_json entry = {
        {"fingerprint", e.fingerprint}, {"rule", e.rule}, {"path", e.path}};
    if (!e.row.empty())
      entry["row"] = e.row;
    if (!e.anchor.empty())
      entry["anchor"] = e.anchor;
    doc["findings"].push_back(std::move(entry));
  }
  return doc.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

Baseline make_baseline(const std::vector<decide::Finding> &findings) {
  Baseline out;
  for (const decide::Finding &f : findings)
    if (!f.waived)
      out.entries.push_back({f.fingerprint, f.rule, f.path, f.row, f.anchor});
  std::sort(out.entries.begin(), out.entries.end(),
            [](const BaselineEntry &a, const BaselineEntry &b) {
              return std::tie(a.path, a.rule, a.fingerprint) <
                     std::tie(b.path, b.rule, b.fingerprint);
            });
  return out;
}

std::vector<BaselineEntry> mark_baseline(std::vector<decide::Finding> &findings,
                                         const Baseline &baseline) {
  std::set<std::string_view> listed, found;
  for (const BaselineEntry &e : baseline.entries)
    listed.insert(e.fingerprint);
  for (decide::Finding &f : findings) {
    found.insert(f.fingerprint);
    f.in_baseline = !f.waived && listed.contains(f.fingerprint);
  }
  std::vector<BaselineEntry> stale;
  for (const BaselineEntry &e : baseline.entries)
    if (!found.contains(e.fingerprint))
      stale.push_back(e);
  return stale;
}

} // namespace gelint::cli
