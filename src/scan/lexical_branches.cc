// Statements that branch: if, switch, loops. Every arm runs from the same state; where the arms differ, the condition
// selects, and a condition that is not understood is a symbol of its own.

#include "scan/lexical_interp.h"

#include <algorithm>

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
  auto arm = [&](size_t from, size_t& next) {
    vars = before.vars;
    returned = before.returned;
    next = statement_or_end(from, end);
    left_ = false;
    return Paths{vars, returned};
  };
  size_t next = end;
  const Paths yes = arm(body, next);
  Paths no = before;
  if (next < end && str(next) == "else")
    no = arm(next + 1, next);
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
  rest.run(*f_, next, end);
  stores.insert(stores.end(), rest.stores.begin(), rest.stores.end());
  variables.insert(variables.end(), rest.variables.begin(), rest.variables.end());
  returned = join(rest.returned);
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

/// The body is run once: right where every element is computed alike, wrong for what one round hands to the next.
size_t TokenInterp::a_loop(size_t body, size_t end) {
  const auto before = vars;
  size_t next = statement_or_end(body, end);
  left_ = false;
  for (const auto& [name, old] : before)
    if (auto now = vars.find(name); now != vars.end() && now->second != old && name.find('[') == std::string::npos && contains(now->second, old)) {
      variables.erase(std::remove(variables.begin(), variables.end(), now->second), variables.end());
      now->second = symbol(name + " of a later round");
    }
  return next;
}

} // namespace gelint::scan
