#include "scan/assemble.h"

#include "scan/emit.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace gelint::scan {

namespace {

class Assembly {
public:
  Assembly(ScanResult& result, bool all_activations) : result_(result), all_(all_activations) {}

  void run(Knowledge& k, const std::vector<UnitFacts>& units, const SourceTree& tree) {
    std::map<std::string, std::vector<uint32_t>> in_strings; // path → offsets of sites inside its literals
    for (size_t fi = k.files().size(); fi-- > 0;) { // embedded source stands behind the files
      EmittedFile e = emit_file(k, static_cast<int>(fi), all_);
      const FileModel& f = k.files()[fi];
      if (f.embedded) {
        for (const auto& [offset, fate] : e.fates)
          if (fate == NeedleFate::site)
            in_strings[f.path].push_back(offset);
        for (Site& s : e.sites)
          result_.sites.push_back(std::move(s));
        continue;
      }
      for (auto& [offset, fate] : e.fates)
        if (fate == NeedleFate::string && inside_token(f.lex, offset, in_strings[f.path]))
          fate = NeedleFate::site;
      for (Site& s : e.sites)
        result_.sites.push_back(std::move(s));
      for (InlineWaiver& w : inline_waivers(f))
        result_.waivers.push_back(std::move(w));
      account(f, e);
    }
    result_.tables = name_tables(k);
    result_.calls = call_edges(k);
    order_sites();
    for (const UnitFacts& u : units) {
      result_.units_parsed += u.parsed;
      if (!u.failure.empty())
        result_.failures.push_back({u.path, u.failure});
    }
    for (const auto& [path, reason] : tree.unreadable())
      result_.failures.push_back({path, reason});
    std::sort(result_.failures.begin(), result_.failures.end(), [](const TuFailure& a, const TuFailure& b) { return a.path < b.path; });
    Ledger& l = result_.ledger;
    l.needles = l.sites + l.comments + l.strings + l.declarations + l.inactive + l.unrelated + l.unparsed;
    if (l.needles != counted_)
      result_.notes.push_back(fmt::format("internal: the ledger holds {} needles of {}", l.needles, counted_));
  }

private:
  static bool inside_token(const LexedFile& f, uint32_t token, const std::vector<uint32_t>& offsets) {
    const size_t t = f.token_at(token);
    return t < f.tokens.size() && std::any_of(offsets.begin(), offsets.end(), [&](uint32_t o) {
             return f.tokens[t].offset <= o && o < f.tokens[t].offset + f.tokens[t].length;
           });
  }

  void account(const FileModel& f, const EmittedFile& e) {
    Ledger& l = result_.ledger;
    std::map<uint32_t, NeedleFate> one; // the strongest claim on a place wins: a needle is in one class
    for (const auto& [offset, fate] : e.fates) {
      auto [it, fresh] = one.emplace(offset, fate);
      if (!fresh && fate < it->second)
        it->second = fate;
    }
    counted_ += one.size();
    for (const auto& [offset, fate] : one)
      switch (fate) {
      case NeedleFate::site: ++l.sites; break;
      case NeedleFate::comment: ++l.comments; break;
      case NeedleFate::string: ++l.strings; break;
      case NeedleFate::declaration: ++l.declarations; break;
      case NeedleFate::inactive: ++l.inactive; break;
      case NeedleFate::unrelated: ++l.unrelated; break;
      case NeedleFate::unparsed: {
        ++l.unparsed;
        if (size_t t = f.lex.token_at(offset); t < f.lex.tokens.size())
          l.unparsed_at.push_back({f.path, static_cast<int>(f.lex.tokens[t].line), static_cast<int>(f.lex.tokens[t].column)});
        break;
      }
      }
  }

  void order_sites() {
    auto key = [](const Site& s) { return std::tie(s.place.path, s.place.line, s.place.column, s.kind, s.symbol); };
    std::sort(result_.sites.begin(), result_.sites.end(), [&](const Site& a, const Site& b) { return key(a) < key(b); });
    result_.sites.erase(std::unique(result_.sites.begin(), result_.sites.end(), [&](const Site& a, const Site& b) { return key(a) == key(b); }),
                        result_.sites.end());
    std::map<std::string, int> ordinals;
    for (Site& s : result_.sites) {
      std::string text = s.place.path + '\n' + s.enclosing + '\n' + std::string(to_string(s.kind)) + '\n' + s.symbol;
      s.id = site_id(s, ordinals[text]++);
      for (InlineWaiver& w : result_.waivers)
        if (w.place.path == s.place.path && w.applies_to_line == s.place.line)
          s.waived_rules.insert(s.waived_rules.end(), w.rules.begin(), w.rules.end());
    }
  }

  ScanResult& result_;
  bool all_;
  uint64_t counted_ = 0;
};

} // namespace

void assemble(ScanResult& result, Knowledge& k, const std::vector<UnitFacts>& units, const SourceTree& tree, bool all_activations) {
  Assembly(result, all_activations).run(k, units, tree);
}

} // namespace gelint::scan
