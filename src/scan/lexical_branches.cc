// Statements that branch: if, switch, loops. Every arm runs from the same state; where the arms differ, the condition
// selects, and a condition that is not understood is a symbol of its own.

#include "scan/lexical_interp.h"

#include <algorithm>
#include <cctype>

namespace gelint::scan {

namespace {

bool returns_value(const Term& t) { return t && t->symbol != "(nothing)"; }

} // namespace

TokenInterp::Paths TokenInterp::select(const Term& condition, const Paths& yes, const Paths& no) const {
  Paths out = no;
  for (const auto& [name, value] : yes.vars) {
    auto other = no.vars.find(name);
    if (other == no.vars.end())
      out.vars[name] = value;
    else if (other->second != value && !yes.returned)
      out.vars[name] = no.returned ? value : make(Op::select, {condition, value, other->second});
  }
  if (returns_value(yes.returned) && returns_value(no.returned))
    out.returned = make(Op::select, {condition, yes.returned, no.returned});
  return out;
}

size_t TokenInterp::an_if(size_t open, size_t body, size_t end) {
  at_ = open + 1;
  end_ = body - 1;
  Term condition = ternary();
  if (!condition || at_ != body - 1)
    condition = symbol(text(open, body));
  const Paths before{vars, returned};
  bool left = false;
  auto arm = [&](size_t from, size_t& next) {
    vars = before.vars;
    returned = before.returned;
    next = statement_or_end(from, end);
    left = left_;
    left_ = false;
    return Paths{vars, returned};
  };
  size_t next = end;
  const size_t first = stores.size();
  const Paths yes = arm(body, next);
  const size_t middle = stores.size();
  const bool leaves = left || (yes.returned && !returns_value(yes.returned));
  Paths no = before;
  if (next < end && str(next) == "else")
    no = arm(next + 1, next);
  settle_stores(text(open, body), first, middle);
  if (leaves && !before.returned)
    skipped_.push_back(text(open, body));
  Paths both = select(condition, yes, no);
  vars = std::move(both.vars);
  if (returns_value(yes.returned) != returns_value(no.returned) && (returns_value(yes.returned) || returns_value(no.returned))) {
    // if (condition) return a; rest…
    rest_of(next, end, [&](const Term& rest) {
      const Term& one = returns_value(yes.returned) ? yes.returned : no.returned;
      if (!returns_value(rest))
        return one;
      return returns_value(yes.returned) ? make(Op::select, {condition, one, rest}) : make(Op::select, {condition, rest, one});
    });
    return end;
  }
  returned = yes.returned && no.returned ? both.returned : before.returned;
  return next;
}

/// Runs what follows on the paths that have not returned; `join` makes one value of what they return and the others.
void TokenInterp::rest_of(size_t next, size_t end, const std::function<Term(const Term&)>& join) {
  TokenInterp rest(env_, depth_, budget_);
  rest.vars = vars;
  rest.skipped_ = skipped_;
  rest.run(*f_, next, end);
  stores.insert(stores.end(), rest.stores.begin(), rest.stores.end());
  variables.insert(variables.end(), rest.variables.begin(), rest.variables.end());
  returned = join(rest.returned);
}

/// The names in a text, and those in what its variables hold.
void TokenInterp::words_behind(std::string_view text, std::set<std::string>& out) const {
  auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && part(text[end]))
      ++end;
    const std::string word(text.substr(i, end - i));
    if (end > i && !std::isdigit(static_cast<unsigned char>(text[i])) && out.insert(word).second)
      if (auto v = vars.find(word); v != vars.end()) {
        std::vector<std::string> symbols;
        collect_symbols(v->second, symbols);
        for (const std::string& s : symbols)
          words_behind(s, out);
      }
    i = std::max(end, i + 1);
  }
}

/// "if (i % 2) y[i] = …": the condition picks some of the elements. "if (i < n)" only keeps to what there is.
bool TokenInterp::by_position(const std::string& condition, const std::string& target) const {
  const size_t open = target.find('['), star = target.rfind('*', 0);
  if (open == std::string::npos && star == std::string::npos)
    return false;
  std::set<std::string> asked, index;
  words_behind(condition, asked);
  words_behind(open == std::string::npos ? std::string_view(target) : std::string_view(target).substr(open), index);
  if (std::none_of(asked.begin(), asked.end(), [&](const std::string& w) { return index.count(w) != 0; }))
    return false;
  auto picks = [](std::string_view text) {
    if (text.find('%') != std::string_view::npos || text.find("==") != std::string_view::npos || text.find("!=") != std::string_view::npos)
      return true;
    for (size_t i = 1; i + 1 < text.size(); ++i)
      if (text[i] == '&' && text[i - 1] != '&' && text[i + 1] != '&' && std::isdigit(static_cast<unsigned char>(text[i + 1])))
        return true;
    const size_t than = text.find_first_of("<>"); // with a number that is written out
    return than != std::string_view::npos && than + 1 < text.size() && text[than + 1] >= '1' && text[than + 1] <= '9';
  };
  if (picks(condition))
    return true;
  std::set<std::string> words;
  words_behind(condition, words);
  return std::any_of(words.begin(), words.end(), [&](const std::string& w) {
    auto v = vars.find(w);
    if (v == vars.end())
      return false;
    std::vector<std::string> symbols;
    collect_symbols(v->second, symbols);
    return std::any_of(symbols.begin(), symbols.end(), [&](const std::string& s) { return s.find('%') != std::string::npos; });
  });
}

/// What was stored in the arms of an if whose condition picks elements: from `first` on while it holds, from `middle` on
/// otherwise. Where one arm stores nothing the element stays as it is.
void TokenInterp::settle_stores(const std::string& condition, size_t first, size_t middle) {
  const size_t end = stores.size();
  for (size_t i = first; i < end; ++i) {
    Store& s = stores[i];
    if (!by_position(condition, s.target))
      continue;
    Term other = symbol(s.target);
    bool found = false;
    for (size_t k = i < middle ? middle : first; k < (i < middle ? end : middle) && !found; ++k)
      if (stores[k].target == s.target) {
        other = stores[k].value;
        found = true;
      }
    if (found && i >= middle)
      continue; // said at the other one
    s.value = make(Op::select, {make(Op::gt, {symbol("position " + condition), number(0.5)}), s.value, other});
  }
}

size_t TokenInterp::a_switch(size_t open, size_t body, size_t end) {
  if (body >= end || str(body) != "{")
    return statement_or_end(body, end);
  const size_t close = std::min(end, after_matching(*f_, body));
  const std::string subject = text(open, body);
  struct Label {
    std::string name;
    size_t from;
  };
  std::vector<Label> labels;
  int depth = 0;
  for (size_t i = body + 1; i + 1 < close; ++i) {
    std::string_view s = str(i);
    if (s == "{" || s == "(" || s == "[")
      ++depth;
    else if (s == "}" || s == ")" || s == "]")
      --depth;
    else if (depth == 0 && (s == "case" || s == "default")) {
      size_t colon = i;
      while (colon + 1 < close && str(colon) != ":")
        ++colon;
      labels.push_back({s == "default" ? std::string() : text(i + 1, colon), colon + 1});
      i = colon;
    }
  }
  const Paths before{vars, returned};
  Paths otherwise = before;
  std::vector<std::pair<Term, Paths>> arms;
  for (const Label& l : labels) {
    vars = before.vars;
    returned = before.returned;
    run(*f_, l.from, close - 1);
    left_ = false;
    if (l.name.empty())
      otherwise = {vars, returned};
    else
      arms.emplace_back(symbol(subject + " is " + l.name), Paths{vars, returned});
  }
  bool some = returns_value(otherwise.returned), all = some;
  for (const auto& [condition, paths] : arms) {
    some = some || returns_value(paths.returned);
    all = all && returns_value(paths.returned);
  }
  auto joined = [&](Paths p) {
    for (const auto& [condition, paths] : arms)
      p = select(condition, paths, p);
    return p;
  };
  if (some && !all) {
    vars = joined(otherwise).vars;
    rest_of(close, end, [&](const Term& rest) {
      Term out = returns_value(otherwise.returned) ? otherwise.returned : rest;
      for (const auto& [condition, paths] : arms) {
        const Term& mine = returns_value(paths.returned) ? paths.returned : rest;
        out = !returns_value(out) ? mine : !returns_value(mine) ? out : make(Op::select, {condition, mine, out});
      }
      return out;
    });
    return end;
  }
  Paths whole = joined(otherwise);
  vars = std::move(whole.vars);
  returned = all ? whole.returned : before.returned;
  return close;
}

/// What the body sets has in later rounds another value than before the loop.
void TokenInterp::forget_changed(size_t body, size_t end) {
  const size_t stop = body < end && str(body) == "{" ? std::min(end, after_matching(*f_, body)) : end;
  for (size_t i = body; i + 1 < stop; ++i) {
    if (!ident(i) || (i > 0 && (ident(i - 1) || str(i - 1) == "." || str(i - 1) == "->")))
      continue; // a declaration, or a member
    const std::string_view op = str(i + 1);
    if (op != "=" && op != "+=" && op != "-=" && op != "*=" && op != "/=")
      continue;
    if (auto v = vars.find(std::string(str(i))); v != vars.end())
      v->second = symbol(v->first + " of a round before");
    if (str(body) != "{")
      break;
  }
}

/// The body is run once: right where every element is computed alike, wrong for what one round hands to the next.
size_t TokenInterp::a_loop(size_t body, size_t end) {
  forget_changed(body, end);
  const auto before = vars;
  const size_t conditions = skipped_.size();
  size_t next = statement_or_end(body, end);
  left_ = false;
  skipped_.resize(conditions);
  for (const auto& [name, old] : before)
    if (auto now = vars.find(name); now != vars.end() && now->second != old && name.find('[') == std::string::npos && contains(now->second, old)) {
      variables.erase(std::remove(variables.begin(), variables.end(), now->second), variables.end());
      now->second = symbol(name + " of a later round");
    }
  return next;
}

} // namespace gelint::scan
