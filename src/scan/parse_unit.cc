#include "scan/parse_unit.h"

#include "scan/ast_facts.h"
#include "scan/lex.h"
#include "scan/missing_names.h"
#include "scan/stub_sysroot.h"
#include "scan/tu.h"
#include "scan/variant_arms.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelint::scan {

namespace {

/// A header that uses CUDA's qualifiers is read as CUDA, or its device code would be errors.
bool mentions_cuda(const std::string& path) {
  MappedFile f(path);
  return f.text().find("__device__") != std::string_view::npos || f.text().find("__global__") != std::string_view::npos;
}


} // namespace

bool is_parsable(Language l) { return l != Language::none && l != Language::shader; }

std::vector<std::string> unit_arguments(const SourceTree& tree, const UnitRequest& r, const SourceTree::Includes& includes) {
  std::vector<std::string> args;
  Language l = language_of(r.path);
  bool cuda = l == Language::cuda || (l == Language::header && mentions_cuda(tree.absolute(r.path)));
  bool has_x = false, has_std = false;
  if (r.command)
    for (const std::string& a : r.command->args) {
      has_x = has_x || a == "-x";
      has_std = has_std || a.starts_with("-std");
    }
  if (cuda) {
    for (const char* a : {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"})
      args.emplace_back(a);
    if (!has_std)
      args.emplace_back("-std=c++17");
  } else if (!has_x) {
    args.emplace_back("-x");
    args.emplace_back(l == Language::c ? "c" : l == Language::objc ? (r.path.ends_with(".mm") ? "objective-c++" : "objective-c") : "c++");
    if (!has_std)
      args.emplace_back(l == Language::c || args.back() == "objective-c" ? "-std=gnu17" : "-std=gnu++20");
  }
  if (r.command) {
    args.insert(args.end(), r.command->args.begin(), r.command->args.end());
    if (cuda) { // without an installation of CUDA the stub serves as its headers
      args.insert(args.end(), {"-isystem", std::string(k_stub_dir)});
      args.insert(args.end(), {"-include", std::string(k_stub_dir) + "/gelint/cuda.h"});
    }
  } else {
    for (const std::string& d : includes.quoted_dirs)
      args.insert(args.end(), {"-iquote", tree.absolute(d)});
    for (const std::string& d : includes.angle_dirs)
      args.push_back("-I" + tree.absolute(d));
    const StubSysroot& stubs = StubSysroot::instance();
    args.insert(args.end(), stubs.args().begin(), stubs.args().end());
    if (cuda)
      args.insert(args.end(), {"-include", std::string(k_stub_dir) + "/gelint/cuda.h"});
    else if (l == Language::header)
      args.insert(args.end(), {"-include", std::string(k_stub_dir) + "/gelint/std.h"}); // its includer brings the rest
  }
  args.insert(args.end(), r.extra_args.begin(), r.extra_args.end());
  return args;
}

namespace {

/// A bracket that the text itself does not close. One of a macro's body has only the place where the macro is used.
bool is_open(const LexedFile& file, uint32_t offset) {
  const size_t t = file.token_at(offset);
  if (t >= file.tokens.size() || file.tokens[t].offset != offset)
    return false;
  int depth = 0;
  for (size_t i = t; i < file.tokens.size(); ++i) {
    const std::string_view s = file.str(i);
    if (file.tokens[i].kind != TokKind::punct || file.tokens[i].directive >= 0)
      continue;
    depth += s == "(" || s == "[" || s == "{" ? 1 : s == ")" || s == "]" || s == "}" ? -1 : 0;
    if (depth <= 0)
      return false; // closed, or none
  }
  return true;
}

/// The outermost bracket of the main file that is still open where the file ends; file is null when all are closed.
SourcePos open_bracket(const Tu& tu, const LexedFile& file) {
  SourcePos out;
  // The error stands at the end of the last token, a comment behind it or not.
  const size_t last = file.tokens.empty() ? 0 : file.tokens.back().offset + file.tokens.back().length;
  for (unsigned i = 0, n = clang_getNumDiagnostics(tu.get()); i < n; ++i) {
    CXDiagnostic d = clang_getDiagnostic(tu.get(), i);
    // "expected '}'" where nothing follows, with a note at the bracket that it would close.
    if (CXSourceLocation at = clang_getDiagnosticLocation(d);
        clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error && tu.in_main_file(at) && expansion_pos(at).offset >= last) {
      CXDiagnosticSet notes = clang_getChildDiagnostics(d);
      for (unsigned k = 0, count = clang_getNumDiagnosticsInSet(notes); k < count; ++k) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, k);
        CXSourceLocation where = clang_getDiagnosticLocation(note);
        SourcePos p = expansion_pos(where);
        if (take(clang_getDiagnosticSpelling(note)).starts_with("to match this") && tu.in_main_file(where) && is_open(file, p.offset) &&
            (!out.file || p.offset < out.offset))
          out = p;
        clang_disposeDiagnostic(note);
      }
    }
    clang_disposeDiagnostic(d);
  }
  return out;
}

/// A file that ends inside a bracket is read to its end all the same, but what stands behind the bracket may be in no
/// declaration or statement.
void note_open_bracket(const Tu& tu, const UnitRequest& r, std::string_view text, UnitFacts& out) {
  const LexedFile file = lex(text);
  SourcePos open = open_bracket(tu, file);
  if (!open.file)
    return;
  for (const Tok& t : file.tokens) {
    if (t.offset < open.offset || t.kind != TokKind::identifier || t.directive >= 0)
      continue;
    std::string name(text.substr(t.offset, t.length));
    NeedleClass needle = r.wanted(name);
    if (needle != NeedleClass::gelu && !(r.all_activations && needle == NeedleClass::activation))
      continue; // not in the ledger
    CXCursor c = clang_getCursor(tu.get(), clang_getLocationForOffset(tu.get(), tu.main_file(), t.offset));
    if (clang_isInvalid(clang_getCursorKind(c)) || take(clang_getCursorSpelling(c)).find(name) == std::string::npos)
      out.lost.push_back(t.offset);
  }
  if (!out.lost.empty())
    out.failure = fmt::format("the bracket of line {} is never closed, and what follows was not understood: mend the file, or give "
                              "the compile database",
                              open.line);
}

/// More parses of a unit without compile command, when its errors tell of macros or of the standard library that a
/// header which is nowhere would have brought: clang drops the functions that they stand before. Behind a function that
/// it drops clang skips what follows without an error, so that a second parse may tell of further names.
void parse_with_missing_names(Tu& tu, ParseInput& in, const SourceTree& tree, const UnitRequest& r) {
  constexpr int k_most_parses = 4;
  std::set<std::string> paths;
  if (r.wanted_files)
    for (const std::string& f : *r.wanted_files)
      paths.insert(tree.absolute(f));
  for (int i = 0; i < k_most_parses && tu.error_count(); ++i) {
    const MissingNames missing = missing_names(tu, paths);
    if (missing.macros.empty() && !missing.standard_library)
      return;
    ParseInput again = in;
    for (const std::string& m : missing.macros)
      again.args.push_back("-D" + m);
    if (missing.standard_library)
      again.args.insert(again.args.end(), {"-include", std::string(k_stub_dir) + "/gelint/std.h"});
    auto next = Tu::parse(again);
    // A file may bring its own std; a function that is no longer dropped may have errors of its own.
    if (!next || (missing.macros.empty() && next->error_count() >= tu.error_count()))
      return;
    in = std::move(again);
    std::swap(tu, *next); // an index must outlive its unit, which an assignment would not see to
  }
}

/// The device's pass compiles the same function from another arm: it computes either. So does what only calls it.
void set_either(UnitFacts& out, const DefinitionFact& host, const Evaluated& device) {
  auto both = [&](DefinitionFact& d) {
    d.alternatives = {{k_by_pass, d.value}, {k_by_pass, device}};
    d.value = Evaluated{};
    d.value.reason = "the passes of the compiler take different arms of its #if";
    std::erase_if(out.summaries, [&](const FunctionSummary& s) { return s.usr == d.usr; });
  };
  const DefinitionFact of = host;
  for (DefinitionFact& d : out.definitions) {
    bool calls = std::find(d.callees.begin(), d.callees.end(), of.qualified) != d.callees.end();
    bool itself = d.line == of.line && d.column == of.column && d.file == of.file;
    if (d.value.ok() && (itself || (calls && same_formula(d.value, of.value))))
      both(d);
  }
}

/// Macros and helpers of the file that differ in the device's pass: the functions of the family are read once more as that
/// pass sees them.
void read_device_pass(const ParseInput& in, const SourceTree& tree, const UnitRequest& r, std::string_view text, UnitFacts& out) {
  if (out.skipped.empty() || text.find("__CUDA_ARCH__") == std::string_view::npos)
    return;
  for (const std::string& a : in.args)
    if (a.starts_with("-D__CUDA_ARCH__"))
      return;
  std::vector<DefinitionFact> of;
  for (const DefinitionFact& d : out.definitions)
    if (d.file == out.path && d.value.ok() && !d.excluded && formula::is_gelu_family(d.value.print.formula))
      of.push_back(d);
  if (of.empty())
    return;
  ParseInput again = in;
  again.args.push_back("-D__CUDA_ARCH__=900");
  auto tu = Tu::parse(again);
  if (!tu)
    return;
  const std::vector<Evaluated> found = collect_variants(*tu, tree, r, of, out);
  for (size_t i = 0; i < of.size(); ++i)
    if (found[i].ok() && !same_formula(found[i], of[i].value) && found[i].print.formula != formula::Formula::identity)
      set_either(out, of[i], found[i]);
}

/// What the functions of the family compute where #if leaves an arm out of their bodies: another formula there is said.
void read_other_arms(const ParseInput& in, const SourceTree& tree, const UnitRequest& r, std::string_view text, UnitFacts& out) {
  if (out.skipped.empty())
    return;
  std::optional<LexedFile> file;
  std::vector<DefinitionFact> of;
  std::vector<ByteRange> bodies;
  for (const DefinitionFact& d : out.definitions) {
    const formula::Formula f = d.value.print.formula;
    if (d.file != out.path || !d.value.ok() || d.excluded || (!formula::is_gelu_family(f) && !(r.all_activations && f != formula::Formula::other)))
      continue;
    if (!file)
      file = lex(text);
    const ByteRange body = body_behind(*file, d.line, d.column);
    if (std::any_of(out.skipped.begin(), out.skipped.end(), [&](const ByteRange& s) { return body.first < s.first && s.second < body.second; })) {
      of.push_back(d);
      bodies.push_back(body);
    }
  }
  if (of.empty())
    return;
  for (const VariantText& v : variant_texts(*file, out.skipped, bodies)) {
    ParseInput again = in;
    again.unsaved.emplace_back(in.path, v.text);
    auto tu = Tu::parse(again);
    if (!tu)
      continue;
    const std::vector<Evaluated> found = collect_variants(*tu, tree, r, of, out);
    for (const VariantText::Arm& a : v.arms) {
      const DefinitionFact& d = of[static_cast<size_t>(a.body)];
      const Evaluated& e = found[static_cast<size_t>(a.body)];
      if (!e.ok() || same_formula(e, d.value) || e.print.formula == formula::Formula::identity)
        continue;
      if (a.device)
        set_either(out, d, e);
      else
        out.arms.push_back({d.file, static_cast<int>(a.line), d.name, d.qualified, e});
    }
  }
}

} // namespace

UnitFacts parse_unit(const SourceTree& tree, const UnitRequest& r) {
  UnitFacts out;
  out.path = r.path;
  SourceTree::Includes includes = tree.includes_of(r.path);
  std::vector<std::string> storage;
  ParseInput in;
  in.path = tree.absolute(r.path);
  in.args = unit_arguments(tree, r, includes);
  in.unsaved = StubSysroot::instance().files(includes.outside, storage);
  auto tu = Tu::parse(in);
  if (!tu) {
    out.failure = tu.error().message;
    return out;
  }
  if (!r.command)
    parse_with_missing_names(*tu, in, tree, r);
  out.parsed = true;
  out.errors = tu->error_count();
  out.skipped = tu->skipped_ranges();
  out.missing_headers = tu->missing_headers();
  collect_ast_facts(*tu, tree, r, out);

  MappedFile file(in.path);
  note_open_bracket(*tu, r, file.text(), out);

  read_other_arms(in, tree, r, file.text(), out);
  read_device_pass(in, tree, r, file.text(), out);

  // A second pass for the arms that #if leaves out, only where a needle stands in one.
  bool wanted_in_excluded = false;
  for (const auto& [a, b] : out.skipped)
    if (b <= file.text().size() && a < b && has_needle(file.text().substr(a, b - a), r.all_activations))
      wanted_in_excluded = true;
  if (wanted_in_excluded) {
    in.retain_excluded = true;
    if (auto again = Tu::parse(in))
      collect_excluded_definitions(*again, tree, r, out);
  }
  return out;
}

} // namespace gelint::scan
