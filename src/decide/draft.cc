#include "decide/draft.h"

#include "decide/call_graph.h"
#include "decide/inventory.h"
#include "decide/select_sites.h"
#include "support/glob.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace gelint::decide {
namespace {

// How much each kind of evidence says by itself; independent pieces add up as 1 - Π(1 - w). Set by
// checking the proposals for two engines by hand (docs/engines).
constexpr double k_function = 0.80, k_class = 0.70, k_file = 0.60, k_folder = 0.40, k_case = 0.75,
                 k_string = 0.30, k_caller = 0.45;
constexpr double k_inexact = 0.65;      ///< other words stand beside the name
constexpr double k_open_slot = 0.80;    ///< several slots fit equally well
constexpr double k_unknown_type = 0.70; ///< the tables do not know the model type
constexpr int k_caller_depth = 4;
constexpr int k_lines_before = 6, k_lines_after = 3;

struct Lead {
  NameHit hit;
  double doubt = 1; ///< Π(1 - w)
  std::vector<std::pair<double, std::string>> evidence;
};
using Leads = std::map<std::string, Lead>;

std::string_view file_stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

std::string_view folder(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos)
    return {};
  path = path.substr(0, slash);
  return path.substr(path.rfind('/') + 1);
}

bool is_gelu(const scan::Site& s) {
  bool chooses = std::any_of(s.reachable.begin(), s.reachable.end(), formula::is_gelu_family);
  return formula::is_gelu_family(s.formula) || formula::is_gelu_family(s.claimed) || chooses ||
         s.near_miss;
}

class Drafter {
public:
  Drafter(const DraftInput& in) : in_(in) {
    for (const scan::CallEdge& e : in.scan->calls)
      callers_[name_components(outer_function(e.callee)).back()].insert(outer_function(e.caller));
    for (const ArchCase& c : in.cases)
      cases_[c.function].push_back(&c);
    for (const ArchName& n : in.arch_names)
      strings_[n.enumerator] = &n;
  }

  Draft run() {
    Draft out;
    std::map<std::tuple<std::string, std::string>, Proposal> proposals;
    // Without an inventory, what is unbound is what wants a binding.
    const Inventory nothing;
    Selection selection = select_sites(nothing, *in_.scan);
    for (size_t i = 0; i < in_.scan->sites.size(); ++i) {
      const scan::Site& s = in_.scan->sites[i];
      if (selection.use[i] != SiteUse::unbound || !is_gelu(s))
        continue;
      Leads leads = leads_of(s);
      if (leads.empty())
        leads = leads_of_callers(s);
      if (leads.empty()) {
        out.unplaced.push_back(i);
        continue;
      }
      // Several names: those that nothing else beats. A caller's name never competes with the
      // site's own.
      double best = 1;
      for (const auto& [spelling, lead] : leads)
        best = std::min(best, lead.doubt);
      for (const auto& [spelling, lead] : leads)
        if (lead.doubt <= best + 0.15)
          propose(i, s, lead, proposals);
    }
    std::map<std::string, int> ids;
    for (auto& [key, p] : proposals) {
      std::string id = "D-" + p.spelling + "-" + p.slot;
      for (char& c : id)
        c = std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? c : '-';
      int again = ++ids[id];
      p.id = again == 1 ? id : fmt::format("{}-{}", id, again);
      out.proposals.push_back(std::move(p));
    }
    std::stable_sort(out.proposals.begin(), out.proposals.end(),
                     [](const Proposal& a, const Proposal& b) {
                       return std::tie(b.confidence, a.id) < std::tie(a.confidence, b.id);
                     });
    return out;
  }

private:
  void add(Leads& leads, std::string_view identifier, double weight,
           const std::string& evidence) const {
    std::optional<NameHit> hit = in_.names->find(identifier);
    if (!hit)
      return;
    double w = hit->exact ? weight : weight * k_inexact;
    Lead& lead = leads[hit->spelling];
    lead.hit = *hit;
    lead.doubt *= 1 - w;
    lead.evidence.emplace_back(w, evidence);
  }

  void add_cases(Leads& leads, std::string_view function) const {
    auto it = cases_.find(function);
    if (it == cases_.end())
      return;
    std::set<std::string> told;
    for (const ArchCase* c : it->second) {
      if (!told.insert(c->enumerator).second)
        continue;
      add(leads, c->enumerator, k_case,
          fmt::format("{} runs {} ({}:{})", c->enumerator, function, c->path, c->line));
      auto s = strings_.find(c->enumerator);
      if (s != strings_.end())
        add(leads, s->second->name, k_string,
            fmt::format("\"{}\" names {} ({}:{})", s->second->name, c->enumerator, s->second->path,
                        s->second->line));
    }
  }

  Leads leads_of(const scan::Site& s) const {
    Leads leads;
    std::vector<std::string_view> parts = name_components(outer_function(s.enclosing));
    for (size_t i = 0; i < parts.size() && !s.enclosing.empty(); ++i) {
      bool function = i + 1 == parts.size();
      add(leads, parts[i], function ? k_function : k_class,
          fmt::format("{} {}", function ? "function" : "class or namespace", parts[i]));
      add_cases(leads, parts[i]);
    }
    add(leads, file_stem(s.place.path), k_file, "file " + s.place.path);
    add(leads, folder(s.place.path), k_folder, fmt::format("folder {}", folder(s.place.path)));
    return leads;
  }

  /// A shared helper serves the models whose builders lead to it.
  Leads leads_of_callers(const scan::Site& s) const {
    Leads leads;
    std::set<std::string_view> seen;
    std::deque<std::pair<std::string_view, int>> open{{outer_function(s.enclosing), 0}};
    while (!open.empty()) {
      auto [f, depth] = open.front();
      open.pop_front();
      if (depth == k_caller_depth || f.empty())
        continue;
      auto it = callers_.find(name_components(f).back());
      if (it == callers_.end())
        continue;
      for (std::string_view caller : it->second) {
        if (!seen.insert(caller).second)
          continue;
        size_t before = leads.size();
        for (std::string_view part : name_components(caller))
          add(leads, part, k_caller, fmt::format("called from {}", caller));
        if (leads.size() == before)
          open.emplace_back(caller, depth + 1);
      }
    }
    return leads;
  }

  struct SlotChoice {
    std::string type, slot;
    bool open = false, known = false;
  };

  /// The lines around a site name the weights that it stands between: `mm_1_w`, `ffn_up`,
  /// `conv1d_1_w`.
  std::set<std::string> nearby(const scan::Site& s) const {
    std::set<std::string> words;
    if (!in_.source)
      return words;
    std::string_view text = in_.source(s.place.path);
    int line = 1;
    for (size_t at = 0; at < text.size() && line <= s.place.line + k_lines_after; ++line) {
      size_t end = std::min(text.find('\n', at), text.size());
      if (line >= s.place.line - k_lines_before)
        for (const std::string& w : identifier_words(text.substr(at, end - at)))
          words.insert(w);
      at = end + 1;
    }
    return meanings(std::move(words));
  }

  static std::set<std::string> hints(const scan::Site& s) {
    std::set<std::string> words;
    for (std::string_view text :
         {std::string_view(s.place.path), outer_function(s.enclosing), std::string_view(s.symbol)})
      for (const std::string& w : identifier_words(text))
        words.insert(w);
    return meanings(std::move(words));
  }

  static std::set<std::string> meanings(std::set<std::string> words) {
    auto means = [&](std::initializer_list<const char*> from, const char* to) {
      if (std::any_of(from.begin(), from.end(), [&](const char* w) { return words.contains(w); }))
        words.insert(to);
    };
    means({"ffn", "ff", "feed", "fc"}, "mlp");
    means({"vit", "clip", "siglip", "image", "visual", "tower", "mmproj"}, "vision");
    means({"whisper", "speech", "mel"}, "audio");
    means({"proj", "mm", "connector", "adapter"}, "projector");
    means({"enc"}, "encoder");
    means({"dec"}, "decoder");
    means({"downsample", "subsample", "stem"}, "conv");
    if (std::any_of(words.begin(), words.end(),
                    [](const std::string& w) { return w.starts_with("conv"); }))
      words.insert("conv");
    return words;
  }

  SlotChoice choose_slot(const scan::Site& s, const NameHit& hit) const {
    std::set<std::string> words = hints(s), near = nearby(s);
    SlotChoice best;
    int best_score = -1;
    for (const std::string& type : hit.model_types) {
      const hf::ModelReport* m = in_.defaults(type);
      if (!m)
        continue;
      for (const hf::Slot& slot : m->slots) {
        int score = 0;
        for (const std::string& w : identifier_words(slot.slot))
          score += words.contains(w) ? 3 : w == "mlp" ? 2 : w == "text" ? 1 : 0;
        std::string local = identifier_words(slot.slot).back();
        if (near.contains(local))
          score += local == "mlp" ? 2 : 8;
        // A component that nothing hints at is less likely than the model's own MLP.
        if (slot.component != "text" && !words.contains(slot.component))
          score -= 1;
        if (!s.config_key.empty() && slot.config_path.ends_with(s.config_key))
          score += 2;
        if (score > best_score) {
          best = {type, slot.slot, false, true};
          best_score = score;
        } else if (score == best_score && slot.slot != best.slot) {
          best.open = true;
        }
      }
    }
    if (!best.known) {
      best.type = hit.model_types.front();
      best.slot = std::string(words.contains("vision")  ? "vision"
                              : words.contains("audio") ? "audio"
                                                        : "text") +
                  ".mlp";
    }
    return best;
  }

  void propose(size_t index, const scan::Site& s, const Lead& lead,
               std::map<std::tuple<std::string, std::string>, Proposal>& all) const {
    SlotChoice choice = choose_slot(s, lead.hit);
    double confidence =
        (1 - lead.doubt) * (choice.open ? k_open_slot : 1) * (choice.known ? 1 : k_unknown_type);
    Proposal& p = all[{lead.hit.spelling, choice.slot}];
    p.spelling = lead.hit.spelling;
    p.model_types = lead.hit.model_types;
    p.slot = choice.slot;
    p.sites.push_back(index);
    using K = scan::SiteKind;
    Proposal::Selector sel{s.place.path, std::string(outer_function(s.enclosing)), s.symbol,
                           s.kind == K::selector || s.kind == K::epilogue};
    auto same = [&](const Proposal::Selector& o) {
      return std::tie(o.path, o.enclosing, o.symbol) ==
             std::tie(sel.path, sel.enclosing, sel.symbol);
    };
    if (std::none_of(p.selectors.begin(), p.selectors.end(), same))
      p.selectors.push_back(std::move(sel));
    // The row is as sure as its least sure site.
    p.confidence = p.sites.size() == 1 ? confidence : std::min(p.confidence, confidence);
    std::vector<std::pair<double, std::string>> evidence = lead.evidence;
    std::stable_sort(evidence.begin(), evidence.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (!s.config_key.empty())
      evidence.emplace_back(0, "reads " + s.config_key);
    if (choice.open)
      evidence.emplace_back(0, "other slots fit as well");
    if (!choice.known)
      evidence.emplace_back(0, "no table knows " + choice.type);
    for (const auto& [w, text] : evidence)
      if (std::find(p.evidence.begin(), p.evidence.end(), text) == p.evidence.end())
        p.evidence.push_back(text);
  }

  const DraftInput& in_;
  std::map<std::string_view, std::set<std::string_view>>
      callers_; ///< by the callee's last component
  std::map<std::string, std::vector<const ArchCase*>, std::less<>> cases_;
  std::map<std::string, const ArchName*> strings_;
};

/// A double-quoted YAML scalar.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

/// Glob characters of a name that is meant literally.
std::string literal(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '*' || c == '[' ? '?' : c;
  return out;
}

std::string comment(std::string_view text) {
  std::string out;
  for (char c : text)
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return out;
}

} // namespace

Draft draft_bindings(const DraftInput& input) { return Drafter(input).run(); }

std::string draft_yaml(const Draft& draft, const scan::ScanResult& scan, const std::string& engine,
                       double least) {
  std::string out = "# Proposed by `gelint inventory draft`: check each row, then remove its "
                    "comment.\nschema: gelint-inventory/1\n";
  out += "engine: " + quoted(engine) + "\nrows:\n";
  size_t taken = 0;
  for (const Proposal& p : draft.proposals) {
    bool take = p.confidence >= least;
    taken += take;
    std::string lead = take ? "  " : "  # ";
    out += fmt::format("  # confidence {:.2f}{}\n", p.confidence, take ? "" : ", below the limit");
    for (const std::string& e : p.evidence)
      out += "  #   " + comment(e) + '\n';
    out += fmt::format("{}- id: {}\n{}  title: {}\n{}  model_types: [", lead, p.id, lead,
                       quoted(p.spelling + " " + p.slot), lead);
    for (size_t i = 0; i < p.model_types.size(); ++i)
      out += (i ? ", " : "") + quoted(p.model_types[i]);
    out += fmt::format("]\n{}  slots: {}\n{}  sites:\n", lead, quoted(p.slot), lead);
    for (const Proposal::Selector& s : p.selectors) {
      out += fmt::format("{}    - {{path: {}, ", lead, quoted(literal(s.path)));
      if (!s.enclosing.empty())
        out += fmt::format("enclosing: {}, ", quoted(literal(s.enclosing)));
      out += fmt::format("{}: {}}}\n", s.enumerator ? "enumerator" : "symbol",
                         quoted(literal(s.symbol)));
    }
  }
  if (!draft.unplaced.empty()) {
    out += fmt::format("# {} uses that nothing places:\n", draft.unplaced.size());
    for (size_t i : draft.unplaced) {
      const scan::Site& s = scan.sites[i];
      out += comment(fmt::format("#   {}:{} {}{}", s.place.path, s.place.line, s.symbol,
                                 s.enclosing.empty() ? "" : " in " + s.enclosing)) +
             '\n';
    }
  }
  if (taken == 0)
    out.replace(out.find("\nrows:\n"), 7, "\nrows: []\n");
  return out;
}

} // namespace gelint::decide
