#include "scan/parse_unit.h"

#include "scan/ast_facts.h"
#include "scan/stub_sysroot.h"
#include "scan/tu.h"

#include <algorithm>

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
  out.parsed = true;
  out.errors = tu->error_count();
  out.skipped = tu->skipped_ranges();
  out.missing_headers = tu->missing_headers();
  collect_ast_facts(*tu, tree, r, out);

  // A second pass for the arms that #if leaves out, only where a needle stands in one.
  MappedFile file(in.path);
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
