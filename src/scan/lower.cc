// The outside of lowering: caches per unit, the output of a run, summaries for other units.

#include "scan/lower.h"

#include "scan/lower_interp.h"
#include "scan/lower_outcome.h"
#include "scan/lower_stores.h"
#include "scan/lower_worth.h"

#include <algorithm>
#include <deque>

namespace gelint::scan {

using namespace lower;

struct Lowering::Impl : Surroundings {
  CXTranslationUnit tu;
  const FunctionIndex* functions;
  LowerOptions options;
  WorthTable worth_table;
  CursorMap<const LoweredFunction*> done;
  std::deque<LoweredFunction> results;
  bool names_read = false;
  std::map<std::string, std::vector<CXCursor>> by_name;
  CursorMap<std::optional<formula::Expr>> table_cache;
  std::vector<CXCursor> table_stack;
  std::map<std::string, TableSummary> found_tables;
  bool writers_read = false;
  bool assignments_read = false;
  CursorMap<bool> assigned_to; ///< variables, fields, and classes whose objects are made from values
  CursorMap<std::vector<CXCursor>> writers; ///< array → functions of the unit that store into it

  const FunctionIndex* index() const override { return functions; }

  void read_names() {
    if (names_read)
      return;
    names_read = true;
    clang_visitChildren(
        clang_getTranslationUnitCursor(tu),
        [](CXCursor c, CXCursor, CXClientData data) {
          if (in_system_header(c))
            return CXChildVisit_Continue;
          CXCursorKind k = kind_of(c);
          if (is_function(k)) {
            if (!is_null(body_of(c)))
              static_cast<Impl*>(data)->by_name[spelling(c)].push_back(c);
            return CXChildVisit_Continue;
          }
          return clang_isDeclaration(k) && k != CXCursor_VarDecl ? CXChildVisit_Recurse : CXChildVisit_Continue;
        },
        this);
  }

  const std::vector<CXCursor>& named(const std::string& name) override {
    read_names();
    static const std::vector<CXCursor> none;
    auto it = by_name.find(name);
    return it == by_name.end() ? none : it->second;
  }

  const formula::Expr* table(CXCursor array) override;
  void read_writers();
  bool assigned(CXCursor decl) override;

  const LoweredFunction& keep(CXCursor key, LoweredFunction f) {
    results.push_back(std::move(f));
    done[key] = &results.back();
    return results.back();
  }

  /// What the methods of a class compute that depend on how its object is made.
  LoweredFunction methods_of_object(Lowering& lowering, CXCursor owner, CXCursor at, const std::function<Value(Interp&)>& make);
};

void Lowering::Impl::read_writers() {
  if (writers_read)
    return;
  writers_read = true;
  read_names();
  for (const auto& [name, defs] : by_name)
    for (CXCursor def : defs)
      each_stored_array(def, [&](CXCursor array) {
        std::vector<CXCursor>& list = writers[array];
        if (list.empty() || !clang_equalCursors(list.back(), def))
          list.push_back(def);
      });
}

bool Lowering::Impl::assigned(CXCursor decl) {
  if (!assignments_read) {
    assignments_read = true;
    read_names();
    for (const auto& [name, defs] : by_name)
      for (CXCursor def : defs)
        note_assignments(def, assigned_to);
  }
  return assigned_to.count(clang_getCanonicalCursor(decl)) != 0;
}

const formula::Expr* Lowering::Impl::table(CXCursor array) {
  CXCursor key = clang_getCanonicalCursor(array);
  auto it = table_cache.find(key);
  if (it != table_cache.end())
    return it->second ? &*it->second : nullptr;
  for (CXCursor c : table_stack)
    if (clang_equalCursors(c, key))
      return nullptr;
  table_stack.push_back(key);
  std::optional<formula::Expr> out;
  read_writers();
  const std::vector<CXCursor> candidates = writers[key];
  for (CXCursor def : candidates) {
    Interp run(*this, options);
    try {
      run.run(def);
    } catch (const BudgetSpent&) {
      // What was stored before the budget was spent still counts.
    }
    out = table_fill(run, key);
    if (out) {
      CodePlace at = place_of(def);
      found_tables[usr_of(key)] = {usr_of(key), spelling(key), formula::to_text(*out), at.file, at.line};
      break;
    }
  }
  // A static array of a header is filled by each unit for itself.
  if (!out && functions && clang_getCursorLinkage(key) != CXLinkage_Internal)
    if (const TableSummary* s = functions->find_table(usr_of(key), spelling(key))) {
      std::string error;
      out = formula::parse_expr(s->expr, &error);
    }
  table_stack.pop_back();
  return (table_cache[key] = std::move(out)) ? &*table_cache[key] : nullptr;
}

Lowering::Lowering(CXTranslationUnit tu, const FunctionIndex* index, LowerOptions options)
    : impl_(std::make_unique<Impl>()) {
  forget_cursors();
  impl_->tu = tu;
  impl_->functions = index;
  impl_->options = options;
}

Lowering::~Lowering() { forget_cursors(); }

const LoweredFunction& Lowering::lower_function(CXCursor given) {
  auto known = impl_->done.find(given);
  if (known != impl_->done.end())
    return *known->second;
  CXCursor def = given;
  CXCursorKind k = kind_of(given);
  if (k == CXCursor_StructDecl || k == CXCursor_ClassDecl || k == CXCursor_ClassTemplate ||
      k == CXCursor_ClassTemplatePartialSpecialization) {
    def = clang_getNullCursor();
    for (CXCursor m : children(given))
      if (is_function(kind_of(m)) && spelling(m) == "operator()" && !is_null(definition_of(m)))
        def = definition_of(m);
  } else if (k != CXCursor_LambdaExpr) {
    def = definition_of(given);
  }
  LoweredFunction f;
  describe(given, f);
  if (is_null(def)) {
    const FunctionSummary* s = impl_->functions ? impl_->functions->find(f.usr) : nullptr;
    if (s)
      from_summary(*s, impl_->options, f);
    else
      f.reason = "its body is not in this unit";
    return impl_->keep(given, std::move(f));
  }
  auto again = impl_->done.find(def);
  if (again != impl_->done.end()) {
    impl_->done[given] = again->second;
    return *again->second;
  }
  describe(def, f);
  Interp run(*impl_, impl_->options);
  try {
    Value v = k == CXCursor_LambdaExpr ? run.run_lambda(def) : run.run(def);
    finish(run, v, impl_->options, f);
  } catch (const BudgetSpent& e) {
    f.reason = e.what();
    inner_formulas(run, f);
  }
  const LoweredFunction& out = impl_->keep(def, std::move(f));
  impl_->done[given] = &out;
  return out;
}

LoweredFunction Lowering::lower_call(CXCursor call) {
  LoweredFunction f;
  describe(call, f);
  Interp run(*impl_, impl_->options);
  try {
    Value v = run.run_call(call);
    finish(run, v, impl_->options, f);
    if (f.expr.empty() && f.alternatives.empty() && v.kind == Value::Kind::object) {
      // A functor that is made here and called elsewhere.
      LoweredFunction functor = f;
      Value inner = run.run_functor(v);
      finish(run, inner, impl_->options, functor);
      if (functor.is_activation_like())
        f = std::move(functor);
    }
  } catch (const BudgetSpent& e) {
    f.reason = e.what();
  }
  f.inner.clear();
  return f;
}

LoweredFunction Lowering::Impl::methods_of_object(Lowering& lowering, CXCursor owner, CXCursor at, const std::function<Value(Interp&)>& make) {
  LoweredFunction f;
  describe(at, f);
  if (kind_of(owner) != CXCursor_ClassDecl && kind_of(owner) != CXCursor_StructDecl)
    return f;
  for (CXCursor m : children(owner)) {
    CXCursor def = kind_of(m) == CXCursor_CXXMethod ? definition_of(m) : clang_getNullCursor();
    if (is_null(def) || !lowering.worth_lowering(def, false) || lowering.lower_function(def).alternatives.size() < 2)
      continue;
    Interp run(*this, options);
    LoweredFunction one;
    describe(at, one);
    try {
      Value object = make(run);
      if (object.kind != Value::Kind::object)
        return f;
      finish(run, run.run_method(object, def), options, one);
    } catch (const BudgetSpent&) {
      return f;
    }
    if (one.expr.empty() || (!f.expr.empty() && f.fingerprint.formula != one.fingerprint.formula))
      return LoweredFunction{};
    f = std::move(one);
  }
  f.inner.clear();
  return f;
}

LoweredFunction Lowering::lower_object(CXCursor made) {
  CXCursor owner = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(made)));
  return impl_->methods_of_object(*this, owner, made, [&](Interp& run) { return run.run_declared_object(made); });
}

LoweredFunction Lowering::lower_object(CXCursor owner, const std::vector<CXCursor>& arguments, CXCursor at) {
  return impl_->methods_of_object(*this, owner, at, [&](Interp& run) { return run.run_constructor(owner, arguments, at); });
}

LoweredFunction Lowering::lower_expression(CXCursor expression) {
  LoweredFunction f;
  describe(expression, f);
  Interp run(*impl_, impl_->options);
  try {
    Value v = run.run_expression(expression);
    finish(run, v, impl_->options, f);
  } catch (const BudgetSpent& e) {
    f.reason = e.what();
  }
  return f;
}

bool Lowering::worth_lowering(CXCursor def, bool relu_like) { return impl_->worth_table.worth(def, relu_like); }

std::vector<const LoweredFunction*> Lowering::lower_all(const std::function<bool(CXFile)>& wanted, bool relu_like,
                                                        const std::function<bool(const CodePlace&)>& at) {
  struct Walk {
    Lowering* self;
    const std::function<bool(CXFile)>* wanted;
    bool relu_like;
    std::vector<CXCursor> found;
  } walk{this, &wanted, relu_like, {}};
  clang_visitChildren(
      clang_getTranslationUnitCursor(impl_->tu),
      [](CXCursor c, CXCursor, CXClientData data) {
        auto* w = static_cast<Walk*>(data);
        CXCursorKind k = kind_of(c);
        if (clang_isDeclaration(k) && k != CXCursor_VarDecl) {
          CXFile file = nullptr;
          clang_getExpansionLocation(clang_getCursorLocation(c), &file, nullptr, nullptr, nullptr);
          if (!file)
            return k == CXCursor_Namespace || k == CXCursor_LinkageSpec ? CXChildVisit_Recurse : CXChildVisit_Continue;
          bool container = k == CXCursor_Namespace || k == CXCursor_LinkageSpec;
          if (!container && !(*w->wanted)(file))
            return CXChildVisit_Continue;
        }
        bool lambda = k == CXCursor_LambdaExpr;
        if (lambda || (is_function(k) && k != CXCursor_Constructor && !is_null(body_of(c))))
          if (w->self->worth_lowering(c, w->relu_like))
            w->found.push_back(c);
        return CXChildVisit_Recurse;
      },
      &walk);
  std::vector<const LoweredFunction*> out;
  for (CXCursor c : walk.found) {
    if (at) {
      LoweredFunction named;
      describe(c, named);
      if (!at(named.place))
        continue;
    }
    out.push_back(&lower_function(c));
  }
  std::stable_sort(out.begin(), out.end(), [](const LoweredFunction* a, const LoweredFunction* b) {
    return std::tie(a->place.file, a->place.line, a->place.column) <
           std::tie(b->place.file, b->place.line, b->place.column);
  });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<FunctionSummary> Lowering::summaries(const std::function<bool(CXFile)>& wanted) {
  std::map<std::string, FunctionSummary> out;
  for (const auto& [cursor, f] : impl_->done) {
    if (f->usr.empty() || f->expr.empty() || f->input_param < 0 || f->intermediate_input ||
        f->fingerprint.formula == formula::Formula::identity)
      continue;
    CXFile file = nullptr;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, nullptr, nullptr, nullptr);
    if (!file || !wanted(file))
      continue;
    CXCursor def = definition_of(cursor);
    int parameters = static_cast<int>(parameters_of(is_null(def) ? cursor : def).size());
    out[f->usr] = {f->usr,      f->qualified_name, parameters,   f->input_param, f->gate_param, f->output_param,
                   formula::to_text(f->expr), f->place.file, f->place.line,
                   std::string(formula::to_string(f->fingerprint.formula))};
  }
  std::vector<FunctionSummary> list;
  for (auto& [usr, s] : out)
    list.push_back(std::move(s));
  return list;
}

std::vector<TableSummary> Lowering::tables(const std::function<bool(CXFile)>& wanted) {
  // Global arrays of halves that some function of the wanted files fills.
  impl_->read_names();
  CursorMap<bool> arrays;
  std::vector<CXCursor> order;
  for (const auto& [name, defs] : impl_->by_name)
    for (CXCursor def : defs) {
      CXFile file = nullptr;
      clang_getExpansionLocation(clang_getCursorLocation(def), &file, nullptr, nullptr, nullptr);
      if (!file || !wanted(file) || !worth_lowering(def, false))
        continue;
      each_stored_array(def, [&](CXCursor array) {
        if (kind_of(array) == CXCursor_VarDecl && !is_function(kind_of(clang_getCursorSemanticParent(array))) &&
            arrays.emplace(array, true).second)
          order.push_back(array);
      });
    }
  for (CXCursor a : order)
    impl_->table(a);
  std::vector<TableSummary> out;
  for (const auto& [usr, t] : impl_->found_tables)
    out.push_back(t);
  return out;
}

} // namespace gelint::scan
