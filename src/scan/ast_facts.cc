#include "scan/ast_facts.h"

#include "scan/lower.h"
#include "scan/lower_callee.h"
#include "scan/lower_cursor.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace gelint::scan {

namespace {

// An activation is a short computation: what needs more is a program, and only costs time.
constexpr int k_max_steps = 10000, k_max_depth = 12;

Evaluated evaluated_from(const formula::Expr& e, const formula::Fingerprint& print) {
  Evaluated v;
  v.print = print;
  if (!e.empty())
    v.expr = formula::to_text(e);
  return v;
}

class Collector {
public:
  Collector(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out)
      : tu_(tu), tree_(tree), r_(r), out_(out), lowering_(tu.get(), r.index, LowerOptions{r.command && r.command->fast_math, k_max_steps, k_max_depth}) {}

  void names() {
    clang_visitChildren(
        tu_.root(),
        [](CXCursor c, CXCursor, CXClientData data) { return static_cast<Collector*>(data)->visit(c); }, this);
    std::sort(out_.refs.begin(), out_.refs.end(), [](const RefFact& a, const RefFact& b) {
      return std::tie(a.file, a.offset, a.kind, a.qualified, a.target_file, a.target_line) <
             std::tie(b.file, b.offset, b.kind, b.qualified, b.target_file, b.target_line);
    });
    out_.refs.erase(std::unique(out_.refs.begin(), out_.refs.end(), [](const RefFact& a, const RefFact& b) {
      return a.file == b.file && a.offset == b.offset && a.kind == b.kind && a.qualified == b.qualified;
    }), out_.refs.end());
  }

  void definitions(bool excluded) {
    auto wanted = [this](CXFile f) { return f && !file_of(f).relative.empty(); };
    std::function<bool(const CodePlace&)> in_skipped;
    if (excluded)
      in_skipped = [this](const CodePlace& p) { return tree_.relative(p.file) == out_.path && stands_in_skipped(p); };
    for (const LoweredFunction* d : lowering_.lower_all(wanted, r_.all_activations, in_skipped)) {
      std::string file = tree_.relative(d->place.file);
      if (file.empty())
        continue;
      DefinitionFact f;
      f.file = std::move(file);
      f.line = d->place.line;
      f.column = d->place.column;
      f.name = d->name;
      f.qualified = d->qualified_name;
      f.usr = d->usr;
      f.value = evaluated_from(d->expr, d->fingerprint);
      f.value.precision = d->precision;
      f.value.hazards = d->hazards;
      f.value.reason = d->reason;
      for (const Alternative& a : d->alternatives)
        f.alternatives.emplace_back(a.condition, evaluated_from(a.expr, a.fingerprint));
      f.callees = d->callees;
      f.unresolved = d->unresolved;
      f.intermediate = d->intermediate_input;
      f.excluded = excluded;
      if (!excluded)
        for (const InnerFormula& i : d->inner) {
          InnerFact n;
          n.file = tree_.relative(i.place.file);
          n.line = i.place.line;
          n.column = i.place.column;
          n.symbol = i.symbol;
          n.enclosing = d->qualified_name;
          n.value = evaluated_from(i.expr, i.fingerprint);
          n.value.precision = formula::precision_of(i.expr);
          n.value.hazards = formula::hazards_of(i.expr, r_.command && r_.command->fast_math);
          if (!n.file.empty())
            out_.inner.push_back(std::move(n));
        }
      out_.definitions.push_back(std::move(f));
    }
    if (excluded)
      return;
    out_.summaries = lowering_.summaries(wanted);
    out_.tables = lowering_.tables(wanted);
    for (FunctionSummary& s : out_.summaries)
      s.file = tree_.relative(s.file);
    for (TableSummary& s : out_.tables)
      s.file = tree_.relative(s.file);
  }

  std::vector<Evaluated> variants(const std::vector<DefinitionFact>& of) {
    std::vector<Evaluated> found(of.size());
    auto main = [this](CXFile f) { return f && clang_File_isEqual(f, tu_.main_file()); };
    auto index = [&](const CodePlace& p) {
      return std::find_if(of.begin(), of.end(), [&](const DefinitionFact& d) { return d.line == p.line && d.column == p.column; }) - of.begin();
    };
    auto at = [&](const CodePlace& p) { return index(p) < static_cast<long>(of.size()); };
    for (const LoweredFunction* d : lowering_.lower_all(main, r_.all_activations, at)) {
      Evaluated& v = found[static_cast<size_t>(index(d->place))];
      v = evaluated_from(d->expr, d->fingerprint);
      v.precision = d->precision;
      v.hazards = d->hazards;
    }
    return found;
  }

private:
  struct File {
    std::string relative; ///< empty: not wanted
    std::string_view text;
  };

  const File& file_of(CXFile f) {
    auto it = files_.find(f);
    if (it != files_.end())
      return it->second;
    File info;
    std::string rel = tree_.relative(take(clang_getFileName(f)));
    if (!rel.empty() && r_.wanted_files->count(rel)) {
      info.relative = rel;
      size_t n = 0;
      const char* p = clang_getFileContents(tu_.get(), f, &n);
      if (p)
        info.text = {p, n};
    }
    return files_.emplace(f, std::move(info)).first->second;
  }

  bool stands_in_skipped(const CodePlace& p) {
    const File& f = file_of(tu_.main_file());
    size_t offset = 0;
    for (int line = 1; line < p.line; ++line) {
      size_t nl = f.text.find('\n', offset);
      if (nl == std::string_view::npos)
        return false;
      offset = nl + 1;
    }
    return std::any_of(out_.skipped.begin(), out_.skipped.end(), [&](const auto& s) { return s.first <= offset && offset < s.second; });
  }

  static std::string_view word_at(std::string_view text, unsigned offset) {
    if (offset >= text.size())
      return {};
    if (text[offset] == '~')
      ++offset;
    size_t e = offset;
    while (e < text.size() && (std::isalnum(static_cast<unsigned char>(text[e])) || text[e] == '_'))
      ++e;
    return text.substr(offset, e - offset);
  }

  CXChildVisitResult visit(CXCursor c) {
    CXCursorKind kind = clang_getCursorKind(c);
    CXSourceLocation loc = clang_getCursorLocation(c);
    SourcePos at = expansion_pos(loc);
    if (!at.file)
      return CXChildVisit_Continue;
    bool top = clang_getCursorKind(clang_getCursorSemanticParent(c)) == CXCursor_TranslationUnit;
    const File& f = file_of(at.file);
    if (f.relative.empty())
      return top && kind != CXCursor_LinkageSpec && kind != CXCursor_Namespace ? CXChildVisit_Continue : CXChildVisit_Recurse;
    switch (kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_TypeRef:
    case CXCursor_TemplateRef:
    case CXCursor_OverloadedDeclRef:
    case CXCursor_MemberRef:
    case CXCursor_MacroExpansion:
    case CXCursor_CallExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXNewExpr:
      reference(c, kind, f, at, loc);
      break;
    default:
      if (clang_isDeclaration(kind) || clang_isPreprocessing(kind))
        declaration(c, kind, f, at, loc);
    }
    return CXChildVisit_Recurse;
  }

  void add(const File& f, unsigned offset, CXCursor target, TargetKind kind, bool dynamic = false) {
    if (r_.wanted(word_at(f.text, offset)) == NeedleClass::none)
      return;
    RefFact r;
    r.file = f.relative;
    r.offset = offset;
    r.kind = kind;
    r.dynamic = dynamic;
    if (!clang_Cursor_isNull(target) && !clang_isInvalid(clang_getCursorKind(target))) {
      r.boolean = (kind == TargetKind::variable || kind == TargetKind::parameter) &&
                  clang_getCanonicalType(clang_getCursorType(target)).kind == CXType_Bool;
      r.qualified = kind == TargetKind::macro ? take(clang_getCursorSpelling(target)) : qualified_name(target);
      SourcePos t = expansion_pos(clang_getCursorLocation(target));
      if (t.file) {
        r.target_file = tree_.relative(take(clang_getFileName(t.file)));
        r.target_line = static_cast<int>(t.line);
      }
    }
    out_.refs.push_back(std::move(r));
  }

  static TargetKind kind_of(CXCursor target) {
    switch (clang_getCursorKind(target)) {
    case CXCursor_EnumConstantDecl: return TargetKind::enumerator;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_FunctionTemplate:
    case CXCursor_Constructor:
    case CXCursor_ConversionFunction: return TargetKind::function;
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl: return TargetKind::variable;
    case CXCursor_ParmDecl: return TargetKind::parameter;
    case CXCursor_MacroDefinition: return TargetKind::macro;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl: return TargetKind::type;
    default: return TargetKind::none;
    }
  }

  void reference(CXCursor c, CXCursorKind kind, const File& f, const SourcePos& at, CXSourceLocation loc) {
    if (kind == CXCursor_CallExpr || kind == CXCursor_CXXFunctionalCastExpr || kind == CXCursor_CXXNewExpr)
      made_object(c, f);
    if (kind == CXCursor_CXXFunctionalCastExpr || kind == CXCursor_CXXNewExpr)
      return;
    if (kind == CXCursor_CallExpr) {
      decided_call(c, f, at, loc);
      handed_members(c, f);
      return;
    }
    CXCursor target = clang_getCursorReferenced(c);
    if (kind == CXCursor_OverloadedDeclRef && clang_getNumOverloadedDecls(c) > 0)
      target = clang_getOverloadedDecl(c, 0);
    TargetKind k = kind == CXCursor_MacroExpansion ? TargetKind::macro : kind_of(target);
    const bool dynamic = kind == CXCursor_MemberRefExpr && clang_getCursorKind(target) == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(target) &&
                         !lower::object_of_known_class(c);
    add(f, at.offset, target, k, dynamic);
    SourcePos s = spelling_pos(loc);
    if (s.file && s.offset != at.offset && clang_File_isEqual(s.file, at.file))
      add(f, s.offset, target, k, dynamic);
  }

  void overriding(CXCursor method) {
    CXCursor* list = nullptr;
    unsigned n = 0;
    clang_getOverriddenCursors(method, &list, &n);
    for (unsigned i = 0; i < n; ++i)
      out_.overrides.push_back({qualified_name(method), qualified_name(list[i])});
    clang_disposeOverriddenCursors(list);
  }

  void declaration(CXCursor c, CXCursorKind kind, const File& f, const SourcePos& at, CXSourceLocation loc) {
    if (kind == CXCursor_InclusionDirective)
      return;
    if (kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(c))
      overriding(c);
    add(f, at.offset, c, kind_of(c));
    SourcePos s = spelling_pos(loc);
    if (s.file && s.offset != at.offset && clang_File_isEqual(s.file, at.file))
      add(f, s.offset, c, kind_of(c));
    if (kind == CXCursor_FieldDecl || kind == CXCursor_VarDecl)
      made_object(c, f);
  }

  /// "GELU act_;", "GELU act{Mode::tanh};", "GELU(Mode::tanh)": the way it is made decides what it computes.
  void made_object(CXCursor c, const File& f) {
    std::vector<CXCursor> kids = children_of(c);
    CXCursorKind kind = clang_getCursorKind(c);
    const bool makes = kind == CXCursor_CallExpr && !kids.empty() && makes_object(clang_getCursorReferenced(c));
    if (makes) // make_unique<GELU>(true): the class is an argument of the template
      kids = children_of(clang_getCursorKind(kids[0]) == CXCursor_UnexposedExpr && !children_of(kids[0]).empty() ? children_of(kids[0])[0] : kids[0]);
    CXCursor constructed = c;
    if (kind == CXCursor_CXXNewExpr)
      for (CXCursor k : kids)
        if (clang_getCursorKind(k) == CXCursor_CallExpr)
          constructed = k;
    for (CXCursor k : kids) {
      if (clang_getCursorKind(k) != CXCursor_TypeRef)
        continue;
      SourcePos at = spelling_pos(clang_getCursorLocation(k));
      if (r_.wanted(word_at(f.text, at.offset)) == NeedleClass::none)
        return;
      LoweredFunction value = makes ? lowering_.lower_object(clang_getCursorReferenced(k), arguments_of(c), c) : lowering_.lower_object(constructed);
      if (!value.expr.empty())
        out_.calls.push_back(call_fact(f, at.offset, value));
      return;
    }
  }

  static bool makes_object(CXCursor function) {
    const std::string name = clang_Cursor_isNull(function) ? std::string() : qualified_name(function);
    return name == "std::make_unique" || name == "std::make_shared";
  }

  static std::vector<CXCursor> arguments_of(CXCursor call) {
    std::vector<CXCursor> out;
    for (int i = 0, n = clang_Cursor_getNumArguments(call); i < n; ++i)
      out.push_back(clang_Cursor_getArgument(call, static_cast<unsigned>(i)));
    return out;
  }

  static CallFact call_fact(const File& f, unsigned offset, const LoweredFunction& value) {
    CallFact fact;
    fact.file = f.relative;
    fact.offset = offset;
    fact.value = evaluated_from(value.expr, value.fingerprint);
    fact.value.precision = value.precision;
    fact.value.hazards = value.hazards;
    return fact;
  }

  /// A call to a function that computes one of several formulas: its arguments choose.
  void decided_call(CXCursor c, const File& f, const SourcePos& at, CXSourceLocation loc) {
    CXCursor target = clang_getCursorReferenced(c);
    if (clang_Cursor_isNull(target))
      return;
    CXCursorKind k = clang_getCursorKind(target);
    if (k != CXCursor_FunctionDecl && k != CXCursor_CXXMethod && k != CXCursor_FunctionTemplate)
      return;
    CXCursor def = clang_getCursorDefinition(target);
    // f<Act::relu>(…): what a template hands its argument to may not be in sight of the cheap test.
    bool templated = clang_Cursor_getNumTemplateArguments(target) > 0;
    if (clang_Cursor_isNull(def) || !lowering_.worth_lowering(def, templated && r_.all_activations))
      return;
    const LoweredFunction& callee = lowering_.lower_function(def);
    LoweredFunction value;
    // Coefficients may come as arguments: gelu_kernel<<<…>>>(0.5f, 0.79788456f, n, in, out).
    if (callee.alternatives.size() >= 2 || (callee.expr.empty() && callee.reason.starts_with("depends on ")) || gives_a_number(c, callee))
      value = lowering_.lower_call(c);
    else if (chosen_by_value(target))
      value = callee; // the instantiation for these arguments
    else
      return;
    if (value.expr.empty())
      return;
    // The name of a call stands before its parenthesis; libclang's location is the start of the callee expression.
    SourcePos s = spelling_pos(loc);
    out_.calls.push_back(call_fact(f, name_offset(c, s.file && clang_File_isEqual(s.file, at.file) ? s.offset : at.offset), value));
  }

  /// One of the family is among its members, and they are no list of operations of all kinds.
  bool names_activations(CXCursor enumeration) {
    auto [it, fresh] = of_activations_.try_emplace(clang_hashCursor(enumeration), false);
    if (!fresh)
      return it->second;
    size_t all = 0, activations = 0;
    bool family = false;
    for (CXCursor k : children_of(enumeration))
      if (clang_getCursorKind(k) == CXCursor_EnumConstantDecl) {
        const Claim c = claim_of(take(clang_getCursorSpelling(k)));
        ++all;
        activations += c.formula || c.gelu_family;
        family = family || c.gelu_family;
      }
    it->second = family && activations * 3 >= all;
    return it->second;
  }

  /// "auto act = chosen(); build(x, act);": what the virtual function chose, handed on in a local variable.
  void handed_choice(CXCursor call, CXCursor argument, const File& f) {
    CXCursor variable = clang_getCursorReferenced(argument);
    if (clang_Cursor_isNull(variable) || clang_getCursorKind(variable) != CXCursor_VarDecl)
      return;
    CXCursor init = clang_Cursor_getVarDeclInitializer(variable);
    for (std::vector<CXCursor> inner; !clang_Cursor_isNull(init) && clang_getCursorKind(init) == CXCursor_UnexposedExpr; init = inner[0])
      if (inner = children_of(init); inner.size() != 1)
        break;
    if (clang_Cursor_isNull(init) || clang_getCursorKind(init) != CXCursor_CallExpr || clang_Cursor_getNumArguments(init) > 0)
      return;
    CXCursor target = clang_getCursorReferenced(init);
    const std::vector<CXCursor> callee = children_of(init);
    if (clang_Cursor_isNull(target) && !callee.empty()) // in a template
      target = clang_getCursorReferenced(callee[0]);
    if (!clang_Cursor_isNull(target) && clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
      target = clang_getOverloadedDecl(target, 0);
    if (clang_Cursor_isNull(target) || clang_getCursorKind(target) != CXCursor_CXXMethod || !clang_CXXMethod_isVirtual(target))
      return;
    CXType type = clang_getCanonicalType(clang_getCursorResultType(target));
    if (type.kind != CXType_Enum || !names_activations(clang_getTypeDeclaration(type)))
      return;
    HandedFact h;
    h.file = f.relative;
    h.enumeration = take(clang_getCursorSpelling(clang_getTypeDeclaration(type)));
    h.callee = take(clang_getCursorSpelling(call));
    h.chooser = qualified_name(target);
    for (CXCursor place : {argument, callee.empty() ? init : callee[0]}) {
      h.offset = expansion_pos(clang_getCursorLocation(place)).offset;
      h.member = word_at(f.text, h.offset);
      if (h.member == take(clang_getCursorSpelling(place)))
        out_.handed.push_back(h);
    }
  }

  /// build(x, params.act): a field whose type is an enumeration of activations.
  void handed_members(CXCursor call, const File& f) {
    for (int i = 0, n = clang_Cursor_getNumArguments(call); i < n; ++i) {
      CXCursor a = clang_Cursor_getArgument(call, static_cast<unsigned>(i));
      for (std::vector<CXCursor> inner; clang_getCursorKind(a) == CXCursor_UnexposedExpr || clang_getCursorKind(a) == CXCursor_ParenExpr; a = inner[0])
        if (inner = children_of(a); inner.size() != 1)
          break;
      if (clang_getCursorKind(a) == CXCursor_DeclRefExpr)
        handed_choice(call, a, f);
      if (clang_getCursorKind(a) != CXCursor_MemberRefExpr)
        continue;
      CXCursor field = clang_getCursorReferenced(a);
      CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(a)));
      if (clang_getCursorKind(field) != CXCursor_FieldDecl || type.kind != CXType_Enum || !names_activations(clang_getTypeDeclaration(type)))
        continue;
      SourcePos at = expansion_pos(clang_getCursorLocation(a));
      HandedFact h;
      h.file = f.relative;
      h.offset = at.offset;
      h.member = qualified_name(field);
      h.enumeration = take(clang_getCursorSpelling(clang_getTypeDeclaration(type)));
      h.callee = take(clang_getCursorSpelling(call));
      if (word_at(f.text, h.offset) == std::string_view(h.member).substr(h.member.rfind(':') == std::string::npos ? 0 : h.member.rfind(':') + 1))
        out_.handed.push_back(std::move(h));
    }
  }

  /// A factor or shift that the callee's own formula leaves out has a value here: scaled_gelu(x, 2.0f).
  static bool gives_a_number(CXCursor call, const LoweredFunction& callee) {
    std::vector<CXCursor> given = arguments_of(call);
    return !callee.expr.empty() && given.size() > 1 && std::any_of(given.begin(), given.end(), [](CXCursor a) {
      std::optional<lower::Constant> k = lower::evaluate(a);
      return k && !k->integer;
    });
  }

  /// f<Act::relu> of a template whose formula its value arguments decide.
  bool chosen_by_value(CXCursor target) {
    bool by_value = false;
    for (int i = 0, n = clang_Cursor_getNumTemplateArguments(target); i < n; ++i)
      by_value = by_value || clang_Cursor_getTemplateArgumentKind(target, static_cast<unsigned>(i)) == CXTemplateArgumentKind_Integral;
    CXCursor pattern = by_value ? clang_getSpecializedCursorTemplate(target) : clang_getNullCursor();
    CXCursor body = clang_Cursor_isNull(pattern) ? pattern : clang_getCursorDefinition(pattern);
    return !clang_Cursor_isNull(body) && lowering_.lower_function(body).alternatives.size() >= 2;
  }

  unsigned name_offset(CXCursor call, unsigned fallback) {
    unsigned out = fallback;
    std::vector<CXCursor> kids = children_of(call);
    if (!kids.empty()) {
      CXCursor c = kids[0];
      while (clang_getCursorKind(c) == CXCursor_UnexposedExpr) {
        std::vector<CXCursor> inner = children_of(c);
        if (inner.size() != 1)
          break;
        c = inner[0];
      }
      CXCursorKind k = clang_getCursorKind(c);
      if (k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr)
        out = spelling_pos(clang_getCursorLocation(c)).offset;
    }
    return out;
  }

  const Tu& tu_;
  const SourceTree& tree_;
  const UnitRequest& r_;
  UnitFacts& out_;
  Lowering lowering_;
  std::map<CXFile, File> files_;
  std::map<unsigned, bool> of_activations_; ///< enumerations, by hash
};

} // namespace

void collect_ast_facts(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out) {
  Collector c(tu, tree, r, out);
  c.names();
  c.definitions(false);
}

void collect_excluded_definitions(const Tu& tu, const SourceTree& tree, const UnitRequest& r, UnitFacts& out) {
  Collector(tu, tree, r, out).definitions(true);
}

std::vector<Evaluated> collect_variants(const Tu& tu, const SourceTree& tree, const UnitRequest& r, const std::vector<DefinitionFact>& of, UnitFacts& out) {
  return Collector(tu, tree, r, out).variants(of);
}

} // namespace gelint::scan
