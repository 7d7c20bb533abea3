#pragma once
// What one parsed unit tells: plain data that travels from the worker processes to the parent and lies in the cache.

#include "formula/classify.h"
#include "scan/archive.h"
#include "scan/lower_index.h"

#include <string>
#include <vector>

namespace gelint::scan {

/// A formula that was evaluated, wherever it was found.
struct Evaluated {
  formula::Fingerprint print;
  formula::Precision precision = formula::Precision::unknown;
  std::vector<formula::Hazard> hazards;
  std::string expr;   ///< formula::to_text; empty: not lowered
  std::string reason; ///< why not
  std::vector<formula::Formula> either; ///< what it may be, when that depends on a value that is not known here
  bool ok() const { return !expr.empty(); }
};

/// One formula, or one expression where it is none of the known ones.
inline bool same_formula(const Evaluated& a, const Evaluated& b) {
  return a.print.formula == b.print.formula && (a.print.formula != formula::Formula::other || a.expr == b.expr);
}

struct DefinitionFact {
  std::string file; ///< relative to the root
  int line = 0, column = 0;
  std::string name, qualified, usr;
  Evaluated value;
  std::vector<std::pair<std::string, Evaluated>> alternatives; ///< condition, arm
  std::vector<std::string> callees, unresolved;
  bool intermediate = false; ///< of something that it computed or fetched itself, not of what it is given
  bool excluded = false; ///< found in the second pass, in an arm that #if leaves out
};

/// Its arms are not a choice that a caller or a flag makes: the body computes all of them.
inline bool computes_several(const DefinitionFact& d) {
  if (d.alternatives.size() < 2)
    return false;
  const std::string& c = d.alternatives[0].first;
  return c == k_by_element || c == k_by_array || c == k_by_pass || c == k_by_unit || c == k_by_overload;
}

/// A formula in the middle of a body.
struct InnerFact {
  std::string file;
  int line = 0, column = 0;
  std::string symbol, enclosing;
  Evaluated value;
};

/// Another formula that a function computes when the preprocessor takes another arm inside its body.
struct ArmFact {
  std::string file;
  int line = 0; ///< of the arm
  std::string name, qualified;
  Evaluated value;
};

enum class TargetKind : uint8_t { none, function, enumerator, variable, type, macro, parameter };

/// What a name at a place refers to.
struct RefFact {
  std::string file;
  uint32_t offset = 0;
  TargetKind kind = TargetKind::none;
  std::string qualified;   ///< of the target
  std::string target_file; ///< relative; empty outside the tree
  int target_line = 0;
  bool dynamic = false;    ///< a virtual method of an object whose class is not known here
  bool boolean = false;    ///< a variable of type bool
};

/// A virtual method and what it overrides.
struct OverrideFact {
  std::string method, base; ///< qualified
};

/// A call whose arguments decide.
struct CallFact {
  std::string file;
  uint32_t offset = 0; ///< of the name
  Evaluated value;
};

/// A member of an enumeration of activations that is handed to a function: the value was chosen elsewhere.
struct HandedFact {
  std::string file;
  uint32_t offset = 0;     ///< of the member's name
  std::string member;      ///< qualified
  std::string enumeration; ///< its last name
  std::string callee;      ///< unqualified
  std::string chooser;     ///< a local variable: the virtual function that it was set by, qualified
};

struct UnitFacts {
  std::string path;
  bool parsed = false;
  std::string failure; ///< GL002: crash, hang, refused
  std::vector<DefinitionFact> definitions;
  std::vector<InnerFact> inner;
  std::vector<ArmFact> arms;
  std::vector<OverrideFact> overrides;
  std::vector<RefFact> refs;
  std::vector<CallFact> calls;
  std::vector<HandedFact> handed;
  std::vector<FunctionSummary> summaries;
  std::vector<TableSummary> tables;
  std::vector<std::pair<uint32_t, uint32_t>> skipped;  ///< of the unit's own file
  std::vector<std::string> missing_headers;
  uint32_t errors = 0;
  std::vector<uint32_t> lost; ///< needles behind a bracket that is never closed, which no cursor names; sorted
};

template <class A> void io(A& a, formula::Hazard& h) { io_all(a, h.kind, h.detail, h.threshold); }
template <class A> void io(A& a, formula::Fingerprint& f) {
  io_all(a, f.formula, f.deviation, f.nearest, f.distance, f.at, f.near_miss, f.gating);
}
template <class A> void io(A& a, Evaluated& e) { io_all(a, e.print, e.precision, e.hazards, e.expr, e.reason, e.either); }
template <class A> void io(A& a, DefinitionFact& d) {
  io_all(a, d.file, d.line, d.column, d.name, d.qualified, d.usr, d.value, d.alternatives, d.callees, d.unresolved, d.intermediate, d.excluded);
}
template <class A> void io(A& a, InnerFact& f) { io_all(a, f.file, f.line, f.column, f.symbol, f.enclosing, f.value); }
template <class A> void io(A& a, ArmFact& f) { io_all(a, f.file, f.line, f.name, f.qualified, f.value); }
template <class A> void io(A& a, RefFact& r) { io_all(a, r.file, r.offset, r.kind, r.qualified, r.target_file, r.target_line, r.dynamic, r.boolean); }
template <class A> void io(A& a, OverrideFact& o) { io_all(a, o.method, o.base); }
template <class A> void io(A& a, CallFact& c) { io_all(a, c.file, c.offset, c.value); }
template <class A> void io(A& a, HandedFact& h) { io_all(a, h.file, h.offset, h.member, h.enumeration, h.callee, h.chooser); }
template <class A> void io(A& a, FunctionSummary& s) {
  io_all(a, s.usr, s.qualified_name, s.parameters, s.input_param, s.gate_param, s.output_param, s.expr, s.file, s.line);
}
template <class A> void io(A& a, TableSummary& s) { io_all(a, s.usr, s.name, s.expr, s.file, s.line); }
template <class A> void io(A& a, UnitFacts& u) {
  io_all(a, u.path, u.parsed, u.failure, u.definitions, u.inner, u.arms, u.overrides, u.refs, u.calls, u.handed, u.summaries, u.tables, u.skipped, u.missing_headers, u.errors, u.lost);
}

} // namespace gelint::scan
