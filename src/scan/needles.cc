#include "scan/needles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gelint::scan {

MappedFile::MappedFile(const std::string& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  struct stat st {};
  if (::fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
    ok_ = true;
    if (st.st_size > 0) {
      void* p = ::mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
      if (p != MAP_FAILED) {
        data_ = static_cast<const char*>(p);
        size_ = static_cast<size_t>(st.st_size);
      } else {
        ok_ = false;
      }
    }
  }
  ::close(fd);
}

MappedFile::MappedFile(MappedFile&& o) noexcept : data_(o.data_), size_(o.size_), ok_(o.ok_) {
  o.data_ = nullptr;
  o.size_ = 0;
}

MappedFile::~MappedFile() {
  if (data_)
    ::munmap(const_cast<char*>(data_), size_);
}

namespace {

struct Pattern {
  std::string_view text; ///< lower case
  NeedleClass cls;
};

// Substrings, matched without regard to case. Short ones that occur inside ordinary words are tested as whole words.
constexpr std::array k_substrings = {
    Pattern{"gelu", NeedleClass::gelu},       Pattern{"geglu", NeedleClass::gelu},
    Pattern{"tanh", NeedleClass::gelu},       Pattern{"normcdf", NeedleClass::gelu},
    Pattern{"computeerf", NeedleClass::gelu}, Pattern{"cdfnorm", NeedleClass::gelu}, // over whole arrays
    Pattern{"vserf", NeedleClass::gelu},      Pattern{"vderf", NeedleClass::gelu},
    Pattern{"vmserf", NeedleClass::gelu},     Pattern{"vmderf", NeedleClass::gelu},
    Pattern{"044715", NeedleClass::gelu},     Pattern{"1.702", NeedleClass::gelu},
    Pattern{"0.79788", NeedleClass::gelu},    Pattern{".79788456", NeedleClass::gelu},
    Pattern{"0.0356774", NeedleClass::gelu},  Pattern{"0.035677", NeedleClass::gelu},
    Pattern{"0.7071067", NeedleClass::gelu},  Pattern{"3275911", NeedleClass::gelu},
    Pattern{"silu", NeedleClass::activation}, Pattern{"swiglu", NeedleClass::activation},
    Pattern{"swish", NeedleClass::activation}, Pattern{"sigmoid", NeedleClass::activation},
    Pattern{"relu", NeedleClass::activation}, Pattern{"xielu", NeedleClass::activation},
    Pattern{"softplus", NeedleClass::activation}, Pattern{"reglu", NeedleClass::activation},
    Pattern{"activation", NeedleClass::choice}, Pattern{"hidden_act", NeedleClass::choice},
    Pattern{"act_fn", NeedleClass::choice},
};
constexpr std::array k_words = {
    Pattern{"erf", NeedleClass::gelu},  Pattern{"erff", NeedleClass::gelu}, Pattern{"erfc", NeedleClass::gelu},
    Pattern{"erfcf", NeedleClass::gelu}, Pattern{"mish", NeedleClass::activation},
    Pattern{"laplace", NeedleClass::activation},
};
constexpr std::array<std::string_view, 24> k_math = {
    "tanh", "tanhf", "erf",  "erff",  "erfc",  "erfcf", "normcdf", "normcdff", "exp",     "expf",  "sigmoid", "logistic",
    "sinh", "cosh",  "sinhf", "coshf", "exp2", "exp2f", "htanh",   "h2tanh",   "tanhl", "erfl", "fast_tanh", "ptanh"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Case-insensitive search by the first byte; `p` is lower case.
size_t find_ci(std::string_view text, std::string_view p, size_t from) {
  const char lo = p[0], up = static_cast<char>(std::toupper(static_cast<unsigned char>(lo)));
  const char* base = text.data();
  const char* end = base + text.size();
  for (const char* s = base + from; s < end;) {
    const char* a = static_cast<const char*>(std::memchr(s, lo, static_cast<size_t>(end - s)));
    if (up != lo) {
      const char* limit = a ? a : end;
      const char* b = static_cast<const char*>(std::memchr(s, up, static_cast<size_t>(limit - s)));
      if (b)
        a = b;
    }
    if (!a || static_cast<size_t>(end - a) < p.size())
      return std::string_view::npos;
    size_t i = 1;
    while (i < p.size() && lower(a[i]) == p[i])
      ++i;
    if (i == p.size())
      return static_cast<size_t>(a - base);
    s = a + 1;
  }
  return std::string_view::npos;
}

} // namespace

bool has_needle(std::string_view text, bool all) {
  // One pass over the text: dispatch on a rare second character would be faster still, but memory-mapped reading of
  // a large tree is bound by the page cache already.
  static const auto table = [] {
    std::array<std::vector<const Pattern*>, 256> t;
    auto add = [&](const Pattern& p) {
      t[static_cast<unsigned char>(p.text[0])].push_back(&p);
      if (std::isalpha(static_cast<unsigned char>(p.text[0])))
        t[static_cast<unsigned char>(std::toupper(p.text[0]))].push_back(&p);
    };
    for (const Pattern& p : k_substrings)
      add(p);
    for (const Pattern& p : k_words)
      add(p);
    return t;
  }();
  const char* base = text.data();
  const size_t n = text.size();
  for (size_t i = 0; i < n; ++i) {
    const auto& candidates = table[static_cast<unsigned char>(base[i])];
    if (candidates.empty())
      continue;
    for (const Pattern* p : candidates) {
      if (!all && p->cls != NeedleClass::gelu)
        continue;
      const size_t len = p->text.size();
      if (n - i < len)
        continue;
      size_t k = 1;
      while (k < len && lower(base[i + k]) == p->text[k])
        ++k;
      if (k < len)
        continue;
      bool whole = p >= k_words.data() && p < k_words.data() + k_words.size();
      if (!whole)
        return true;
      auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
      if ((i == 0 || !letter(base[i - 1])) && (i + len == n || !letter(base[i + len])))
        return true;
    }
  }
  return false;
}

std::vector<std::string> words_of(std::string_view id) {
  std::vector<std::string> out;
  std::string cur;
  auto flush = [&] {
    if (!cur.empty())
      out.push_back(std::move(cur));
    cur.clear();
  };
  auto cls = [](char c) { return std::isupper(static_cast<unsigned char>(c)) ? 2 : std::islower(static_cast<unsigned char>(c)) ? 1
                                 : std::isdigit(static_cast<unsigned char>(c)) ? 3 : 0; };
  // "AudioGeGLUMLP": where these end is not told by the letters
  static constexpr std::array k_mixed = std::to_array<std::string_view>({"GeGLU", "SwiGLU", "ReGLU", "GeLU", "SiLU"});
  for (size_t i = 0; i < id.size(); ++i) {
    int c = cls(id[i]);
    auto mixed = c == 2 ? std::find_if(k_mixed.begin(), k_mixed.end(), [&](std::string_view w) { return id.substr(i).starts_with(w); }) : k_mixed.end();
    if (mixed != k_mixed.end() && (i == 0 || cls(id[i - 1]) != 2) && i + mixed->size() < id.size() && cls(id[i + mixed->size()]) == 2) {
      flush();
      cur = *mixed;
      std::transform(cur.begin(), cur.end(), cur.begin(), lower);
      flush();
      i += mixed->size() - 1;
      continue;
    }
    if (c == 0) {
      flush();
      continue;
    }
    if (!cur.empty()) {
      int prev = cls(id[i - 1]);
      bool camel = (prev == 1 && c == 2) || (prev == 3) != (c == 3) ||
                   (prev == 2 && c == 2 && i + 1 < id.size() && cls(id[i + 1]) == 1);
      if (camel)
        flush();
    }
    cur += lower(id[i]);
  }
  flush();
  // "GeLU" and "SiLU" split in the middle; put the halves together again.
  static constexpr std::array<std::array<std::string_view, 2>, 10> k_joined = {{{"ge", "lu"}, {"si", "lu"}, {"re", "lu"},
      {"ge", "glu"}, {"swi", "glu"}, {"gated", "gelu"}, {"g", "elu"}, {"gel", "u"}, {"x", "ielu"}, {"xi", "elu"}}};
  for (size_t i = 0; i + 1 < out.size(); ++i)
    for (const auto& j : k_joined)
      if (out[i] == j[0] && out[i + 1] == j[1]) {
        out[i] += out[i + 1];
        out.erase(out.begin() + static_cast<long>(i) + 1);
        break;
      }
  // "PReLU", "p_relu": the letter is a part of the name.
  for (size_t i = 0; i + 1 < out.size(); ++i)
    if (out[i] == "p" && out[i + 1] == "relu") {
      out[i] = "prelu";
      out.erase(out.begin() + static_cast<long>(i) + 1);
    }
  return out;
}

NeedleClass classify_identifier(std::string_view id) {
  NeedleClass best = NeedleClass::none;
  for (const Pattern& p : k_substrings)
    if (std::isalpha(static_cast<unsigned char>(p.text[0])) && find_ci(id, p.text, 0) != std::string_view::npos &&
        (best == NeedleClass::none || p.cls < best))
      best = p.cls;
  if (best == NeedleClass::gelu)
    return best;
  for (size_t i = 0; i < id.size();) {
    size_t j = i;
    while (j < id.size() && std::isalpha(static_cast<unsigned char>(id[j])))
      ++j;
    for (const Pattern& p : k_words)
      if (j - i == p.text.size() && find_ci(id.substr(i, j - i), p.text, 0) == 0 && (best == NeedleClass::none || p.cls < best))
        best = p.cls;
    i = j + 1;
  }
  return best;
}

NeedleClass classify_number(std::string_view s) {
  for (const Pattern& p : k_substrings)
    if (!std::isalpha(static_cast<unsigned char>(p.text[0])) && s.find(p.text) != std::string_view::npos)
      return p.cls;
  return NeedleClass::none;
}

bool is_math_word(std::string_view id) {
  size_t colon = id.rfind("::");
  if (colon != std::string_view::npos)
    id.remove_prefix(colon + 2);
  while (id.starts_with('_'))
    id.remove_prefix(1);
  return std::find(k_math.begin(), k_math.end(), id) != k_math.end();
}

namespace {

/// "relu6" and "ReLU6" carry their number; "relu_6" may be the sixth of them and "v2_relu" a second version.
bool carries_number(std::string_view id, std::string_view name) {
  for (size_t at = find_ci(id, name, 0); at != std::string_view::npos; at = find_ci(id, name, at + 1)) {
    size_t end = at + name.size();
    if (end == id.size() || !std::isdigit(static_cast<unsigned char>(id[end])))
      return true;
  }
  return false;
}

/// Words beside which the name of a formula no longer means that formula alone.
bool is_modifier(const std::string& w) {
  static constexpr std::array k_modifiers = std::to_array<std::string_view>(
      {"slope", "slopes", "alpha", "alphas", "with", "without", "no", "not", "non", "or", "and", "to", "from", "log", "inv", "inverse", "thresholded",
       "threshold", "clip", "clipped", "clamp", "clamped", "bounded", "limit", "limited", "range", "param", "params", "parametric", "random", "shifted",
       "derivative", "deriv", "prime", "diff", "oai", "like", "fast", "hard", "leaky"});
  return std::find(k_modifiers.begin(), k_modifiers.end(), w) != k_modifiers.end();
}

/// One activation and nothing that changes it.
bool says_it_alone(const std::vector<std::string>& words, const Claim& c) {
  using formula::Formula;
  auto any = [&](std::initializer_list<std::string_view> set) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return std::find(set.begin(), set.end(), w) != set.end(); });
  };
  auto named = [&](std::string_view part) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& w) { return w.find(part) != std::string::npos; });
  };
  for (const std::string& w : words)
    if (is_modifier(w) && !(w == "hard" && c.formula == Formula::hardswish) && !(w == "leaky" && c.formula == Formula::leaky_relu))
      return false;
  const bool relu = any({"relu", "relus", "reglu", "prelu", "rrelu", "crelu"});
  if (relu + (named("silu") || named("swish") || named("swiglu")) + (named("gelu") || named("geglu")) + named("mish") + named("softplus") +
          named("softmax") + any({"elu", "selu", "celu", "maxout"}) >
      1)
    return false;
  if (c.gelu_family) // each pair of these tells of two forms
    return any({"quick", "quickgelu", "sigmoid"}) + any({"tanh", "approx", "approximate", "new", "pytorch", "taylor"}) + any({"erf", "exact", "none"}) < 2;
  return !named("sigmoid") && !named("tanh");
}

} // namespace

namespace {

/// "dgelu", "dqgeglu", "dswiglu": d and the name of an activation.
bool is_derivative(std::string_view word) {
  static constexpr std::array k_names = std::to_array<std::string_view>(
      {"gelu", "geglu", "qgelu", "qgeglu", "relu", "reglu", "srelu", "sreglu", "silu", "swiglu", "swish"});
  return word.starts_with('d') && std::find(k_names.begin(), k_names.end(), word.substr(1)) != k_names.end();
}

} // namespace

bool is_gradient_name(std::string_view id) {
  static constexpr std::array k_words_of_gradients = std::to_array<std::string_view>(
      {"backward", "backwards", "grad", "grads", "gradient", "gradients", "bwd", "bgrad", "dgrad", "backprop", "derivative", "deriv"});
  // Asked of every name beside a label: most are told without splitting them.
  constexpr std::array k_parts = std::to_array<std::string_view>({"grad", "back", "bwd", "dge", "dqge", "dre", "dsr", "dsi", "dsw", "deriv"});
  if (std::none_of(k_parts.begin(), k_parts.end(), [&](std::string_view p) { return find_ci(id, p, 0) != std::string_view::npos; }))
    return false;
  bool back = false;
  for (const std::string& w : words_of(id)) {
    if (is_derivative(w) || std::find(k_words_of_gradients.begin(), k_words_of_gradients.end(), w) != k_words_of_gradients.end())
      return true;
    back = back || w == "back";
  }
  // "push_back" is none
  return back && (classify_identifier(id) == NeedleClass::gelu || classify_identifier(id) == NeedleClass::activation);
}

Claim claim_of(std::string_view id) {
  using formula::Formula;
  Claim c;
  std::vector<std::string> w = words_of(id);
  auto has = [&](std::string_view s) { return std::find(w.begin(), w.end(), s) != w.end(); };
  auto part = [&](std::string_view s) {
    return std::any_of(w.begin(), w.end(), [&](const std::string& x) { return x.find(s) != std::string::npos; });
  };
  c.gradient = has("backward") || has("grad") || std::any_of(w.begin(), w.end(), is_derivative) || has("bwd") || has("bgrad") || has("back");
  bool geglu = part("geglu"), gelu = part("gelu");
  if (geglu || gelu) {
    c.gelu_family = true;
    c.gated = geglu;
    if (has("quick") || has("sigmoid") || has("quickgelu"))
      c.formula = Formula::gelu_quick;
    else if (has("tanh") || has("new") || has("pytorch") || has("taylor") || ((has("approx") || has("approximate")) && !has("erf"))) // erf itself may be approximated
      c.formula = Formula::gelu_tanh;
    else if (has("erf") || has("exact") || has("none"))
      c.formula = Formula::gelu_erf;
    c.sure = c.formula && says_it_alone(w, c);
    return c;
  }
  c.gated = part("glu");
  if (has("hardswish") || has("hswish") || (has("swish") && (has("hard") || has("h"))))
    c.formula = Formula::hardswish;
  else if (part("silu") || part("swiglu") || has("swish"))
    c.formula = Formula::silu;
  else if (has("relu") && (has("squared") || has("sqr") || has("square") || carries_number(id, "relu2")))
    c.formula = Formula::relu2;
  else if (has("leaky"))
    c.formula = Formula::leaky_relu;
  else if (has("prelu"))
    c.formula = Formula::prelu;
  else if (has("relu") && carries_number(id, "relu6"))
    c.formula = Formula::relu6;
  else if (has("relu") || part("reglu"))
    c.formula = Formula::relu;
  else if (has("mish"))
    c.formula = Formula::mish;
  else if (has("sigmoid") && !has("hard"))
    c.formula = Formula::sigmoid;
  else if (has("tanh"))
    c.formula = Formula::tanh;
  else if (has("xielu"))
    c.formula = Formula::xielu;
  c.sure = c.formula && says_it_alone(w, c);
  return c;
}

} // namespace gelint::scan
