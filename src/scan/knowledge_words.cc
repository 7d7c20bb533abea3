// What the words of a name or of a path tell.

#include "scan/knowledge_parts.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gelint::scan {

Backend backend_of_path(std::string_view path) {
  std::string p;
  for (char c : path)
    p += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  auto has = [&](std::string_view s) { return p.find(s) != std::string::npos; };
  if (p.ends_with(".wgsl") || has("webgpu"))
    return Backend::webgpu;
  if (p.ends_with(".metal") || has("metal/") || has("-metal") || has("_metal"))
    return Backend::metal;
  if (p.ends_with(".comp") || p.ends_with(".glsl") || has("vulkan") || has("kompute"))
    return Backend::vulkan;
  if (p.ends_with(".cl") || has("opencl"))
    return Backend::opencl;
  if (has("sycl"))
    return Backend::sycl;
  if (p.ends_with(".hip") || has("/hip/") || has("rocm"))
    return Backend::hip;
  if (p.ends_with(".cu") || p.ends_with(".cuh") || has("cuda"))
    return Backend::cuda;
  if (has("/cpu/") || has("-cpu/") || has("_cpu."))
    return Backend::cpu;
  return Backend::unknown;
}

std::string last_two(std::string_view q) {
  size_t a = q.rfind("::");
  if (a == std::string_view::npos)
    return std::string(q);
  size_t b = q.rfind("::", a == 0 ? 0 : a - 1);
  return std::string(b == std::string_view::npos || b == a ? q : q.substr(b + 2));
}

bool compatible(std::string_view a, std::string_view b) {
  std::string x = last_two(a), y = last_two(b);
  bool qx = x.find("::") != std::string::npos, qy = y.find("::") != std::string::npos;
  return !qx || !qy || x == y;
}

std::string link_words(std::string_view name) {
  static const std::set<std::string, std::less<>> generic = {"kernel", "pipeline", "op", "ggml", "f", "16", "32", "cl", "vk", "cuda", "data", "len", "4", "2", "8",
      "fp", "func", "fn", "impl", "row", "shader", "forward", "unary", "glu", "half", "float", "bf", "cpu", "metal", "sycl", "act", "activation", "type", "num", "kernels",
      "rte", "packed", "vec", "compute", "inplace", "t", "v", "spv", "comp"};
  std::vector<std::string> kept;
  for (std::string& w : words_of(name))
    if (!generic.count(w))
      kept.push_back(std::move(w));
  std::sort(kept.begin(), kept.end());
  return fmt::format("{}", fmt::join(kept, " "));
}

std::string core_words(std::string_view name) {
  static const std::set<std::string, std::less<>> core = {"gelu", "geglu", "quick", "erf", "tanh", "new", "sigmoid", "exact", "approx", "silu", "swiglu", "relu", "reglu"};
  std::vector<std::string> kept;
  for (std::string& w : words_of(name))
    if (core.count(w))
      kept.push_back(std::move(w));
  std::sort(kept.begin(), kept.end());
  std::string out = fmt::format("{}", fmt::join(kept, " "));
  return out.find("lu") == std::string::npos ? std::string() : out;
}

bool asks_or_rewrites(std::string_view name) {
  static const std::set<std::string, std::less<>> verbs = {"is", "has", "can", "should", "supports", "match", "matches", "fuse", "fold", "check", "infer", "need", "needs", "requires", "expect"};
  static const std::set<std::string, std::less<>> nouns = {"creator", "matcher", "pattern", "rewriter", "fuser", "fusion", "pass", "converter", "shape",
                                                           "support", "supported"};
  const std::vector<std::string> words = words_of(name);
  if (words.empty() || applies_by_name(words.back()) || words.back() == "fwd" || words.back() == "kernel") // "fusion_ffn_gelu_forward"
    return false;
  return verbs.count(words.front()) || std::any_of(words.begin(), words.end(), [&](const std::string& w) { return nouns.count(w) != 0; });
}

bool applies_by_name(std::string_view name) {
  static const std::set<std::string, std::less<>> verbs = {"operator", "operator()", "forward", "compute", "apply", "run", "eval", "evaluate", "execute", "call", "process"};
  std::string lower;
  for (char c : name)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return verbs.count(lower) != 0;
}

bool is_math_like(std::string_view name) {
  if (is_math_word(name))
    return true;
  bool math = false;
  for (const std::string& w : words_of(name)) {
    if (w.find("lu") != std::string::npos && (w.find("gelu") != std::string::npos || w.find("glu") != std::string::npos))
      return false;
    math = math || w.find("erf") != std::string::npos || w.find("tanh") != std::string::npos || w.find("normcdf") != std::string::npos;
  }
  return math;
}

} // namespace gelint::scan
