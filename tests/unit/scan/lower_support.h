#pragma once
// Parses text or a file with the stub headers and lowers all its functions.

#include "formula/formula.h"
#include "scan/lower.h"
#include "scan/stub_sysroot.h"
#include "scan/tu.h"
#include "support/files.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gelint::scan {

struct Lowered {
  std::unique_ptr<Tu> tu;
  std::unique_ptr<Lowering> lowering;
  std::vector<const LoweredFunction*> functions;
  std::string error;

  const LoweredFunction* find(const std::string& name) const {
    for (const LoweredFunction* f : functions)
      if (f->name == name)
        return f;
    return nullptr;
  }
  /// "gelu_tanh", "other", or the reason in parentheses.
  std::string formula(const std::string& name) const {
    const LoweredFunction* f = find(name);
    if (!f)
      return "(not found)";
    if (f->expr.empty())
      return f->alternatives.empty() ? "(" + f->reason + ")" : "(alternatives)";
    return std::string(formula::to_string(f->fingerprint.formula));
  }
};

inline std::vector<std::string> language_args(const std::string& path) {
  if (path.ends_with(".cu") || path.ends_with(".cuh"))
    return {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-std=c++17", "-include",
            std::string(k_stub_dir) + "/gelint/cuda.h"};
  if (path.ends_with(".c"))
    return {"-x", "c", "-std=gnu17"};
  return {"-x", "c++", "-std=c++20"};
}

inline Lowered lower_text(const std::string& text, const std::string& path = "probe.cc",
                          const FunctionIndex* index = nullptr, LowerOptions options = {},
                          const std::map<std::string, std::string>& others = {}) {
  Lowered out;
  std::vector<std::string> storage;
  ParseInput in;
  in.path = path;
  in.args = language_args(path);
  for (const std::string& a : StubSysroot::instance().args())
    in.args.push_back(a);
  in.unsaved = StubSysroot::instance().files(
      {"torch/torch.h", "mlx/mlx.h", "Eigen/Dense", "cuda_fp16.h", "cuda_runtime.h", "hwy/highway.h"}, storage);
  in.unsaved.emplace_back(in.path, text);
  for (const auto& [name, content] : others)
    in.unsaved.emplace_back(name, content);
  auto tu = Tu::parse(in);
  if (!tu) {
    out.error = tu.error().text();
    return out;
  }
  out.tu = std::make_unique<Tu>(std::move(*tu));
  out.lowering = std::make_unique<Lowering>(out.tu->get(), index, options);
  CXFile main = out.tu->main_file();
  out.functions = out.lowering->lower_all([main](CXFile f) { return clang_File_isEqual(f, main) != 0; }, true);
  return out;
}

} // namespace gelint::scan
