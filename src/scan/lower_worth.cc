#include "scan/lower_worth.h"

#include <algorithm>
#include <cctype>

namespace gelint::scan::lower {

bool activation_word(std::string_view token, bool relu_like) {
  static constexpr std::string_view words[] = {"tanh",    "erf",     "sigmoid",  "gelu",   "silu", "swish", "normcdf",
                                               "softplus", "logistic", "0.044715", "1.702", "0.797884", "0.35677",
                                               "mish",    "glu",     "hardswish", "ndtr",   "phi("};
  static constexpr std::string_view relu_words[] = {"relu", "max", "clamp", "min", "clip", "threshold"};
  std::string lower(token);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (std::string_view w : words)
    if (lower.find(w) != std::string::npos)
      return true;
  // exp, expf, exp2f, __expf, fast_exp, h2exp, ex2.approx, but not "expected" or "expand".
  if (size_t at = lower.find("exp"); at != std::string::npos) {
    std::string_view rest = std::string_view(lower).substr(at + 3);
    bool word = rest.empty() || !std::isalpha(static_cast<unsigned char>(rest[0])) || rest[0] == 'f' ||
                rest.substr(0, 2) == "m1";
    if (word && rest.substr(0, 2) != "fo")
      return true;
  }
  if (lower.find("ex2.approx") != std::string::npos)
    return true;
  if (relu_like)
    for (std::string_view w : relu_words)
      if (lower.find(w) != std::string::npos)
        return true;
  return false;
}

const WorthTable::Facts& WorthTable::facts(CXCursor def) {
  auto it = facts_.find(def);
  if (it != facts_.end())
    return it->second;
  Facts f;
  std::vector<std::string> list = tokens(def, 6000);
  if (list.empty()) // it begins with a macro: "__device__ float f(float x) {", whose text stands in another file
    if (CXCursor body = body_of(def); !is_null(body))
      list = tokens(body, 6000);
  for (size_t i = 0; i < list.size() && !f.own; ++i) {
    const std::string& t = list[i];
    if (t == "?" || t == "<" || t == ">")
      f.own_relu = true;
    if (t.size() < 3)
      continue;
    // A name counts where it is called: enumerators and handles of that name compute nothing.
    bool called = i + 1 < list.size() && (list[i + 1] == "(" || list[i + 1] == "<" || list[i + 1] == "[");
    bool literal = std::isdigit(static_cast<unsigned char>(t[0])) || t[0] == '.';
    if (t[0] == '"') {
      // Instructions in inline assembly; other strings are messages.
      f.own = t.find("tanh.approx") != std::string::npos || t.find("ex2.approx") != std::string::npos ||
              t.find("fexp.") != std::string::npos;
      continue;
    }
    if (!called && !literal)
      continue;
    f.own = activation_word(t, false);
    f.own_relu = f.own_relu || activation_word(t, true);
  }
  if (!f.own)
    clang_visitChildren(
        def,
        [](CXCursor c, CXCursor, CXClientData data) {
          CXCursorKind k = kind_of(c);
          if (k == CXCursor_CallExpr || k == CXCursor_DeclRefExpr || k == CXCursor_OverloadedDeclRef) {
            auto* out = static_cast<Facts*>(data);
            CXCursor r = clang_getCursorReferenced(c);
            // What macros bring in is in the tree only.
            bool function = k == CXCursor_CallExpr || k == CXCursor_OverloadedDeclRef ||
                            (!is_null(r) && is_function(kind_of(r)));
            if (function && activation_word(spelling(c), false))
              out->own = true;
            if (!is_null(r) && is_function(kind_of(r)) && !in_system_header(r) && out->callees.size() < 200) {
              CXCursor d = definition_of(r);
              if (!is_null(d))
                out->callees.push_back(d);
            }
          }
          return CXChildVisit_Recurse;
        },
        &f);
  return facts_.emplace(def, std::move(f)).first->second;
}

bool WorthTable::search(CXCursor def, bool relu_like, int depth, std::vector<CXCursor>& path) {
  auto& known = known_[relu_like];
  auto it = known.find(def);
  if (it != known.end())
    return it->second;
  for (CXCursor p : path)
    if (clang_equalCursors(p, def))
      return false;
  const Facts f = facts(def);
  bool out = f.own || (relu_like && f.own_relu);
  if (!out && depth < 6) {
    path.push_back(def);
    for (CXCursor c : f.callees)
      if (search(c, relu_like, depth + 1, path)) {
        out = true;
        break;
      }
    path.pop_back();
  }
  // A negative answer found below another function may be cut short by the depth.
  if (out || depth == 0)
    known[def] = out;
  return out;
}

bool WorthTable::worth(CXCursor def, bool relu_like) {
  std::vector<CXCursor> path;
  return search(def, relu_like, 0, path);
}

} // namespace gelint::scan::lower
