// What bears the name of an activation and neither computes nor chooses one. It is no site; the ledger accounts for it.

#include "scan/config_keys.h"
#include "scan/emitter.h"

#include <algorithm>
#include <array>

namespace gelint::scan {

using formula::Formula;

namespace {

/// The words that a plain activation name is made of: "Relu6", "gelu_pytorch_tanh", "hard-swish".
bool is_activation_name(std::string_view text) {
  static constexpr std::array k_words = std::to_array<std::string_view>(
      {"gelu", "geglu", "relu", "prelu", "reglu", "silu", "swish", "swiglu", "sigmoid", "tanh", "mish", "elu", "hardswish", "hswish", "xielu", "laplace", "softplus",
       "quick", "quickgelu", "new", "pytorch", "python", "fast", "erf", "exact", "none", "approx", "approximate", "approximated", "hard", "leaky", "squared", "square",
       "sqr", "oai", "clipped", "accurate", "parametric", "tan", "h", "10", "2", "6", "n", "and", "mul"});
  if (size_t slash = text.find_last_of("/:"); slash != std::string_view::npos)
    text.remove_prefix(slash + 1);
  for (std::string_view extension : {".cl", ".metal", ".comp", ".glsl", ".wgsl", ".spv", ".cu", ".hip"}) // the file that holds its kernel
    if (text.ends_with(extension))
      text.remove_suffix(extension.size());
  std::vector<std::string> words = words_of(text);
  return !words.empty() && std::all_of(words.begin(), words.end(), [](const std::string& w) { return std::find(k_words.begin(), k_words.end(), w) != k_words.end(); });
}

/// "OpGeluTest", "test_gelu_of_halves": what runs the activation to look at it.
bool is_test_name(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "test" || w == "tests"; });
}

} // namespace

std::optional<NeedleFate> Emitter::bystander(M m, const Site& s) {
  if (in_template_head(m) || member_initialiser(m))
    return NeedleFate::declaration;
  if (!m.is_string && k_.is_quantity(m.name))
    return m.role == Role::macro_name ? NeedleFate::declaration : NeedleFate::unrelated;
  if (m.role == Role::element && !m.is_string && k_.is_enumerator(fi_, m) && complete_listing(m))
    return NeedleFate::declaration;
  // "gelu_f32_len" beside "gelu_f32_data": the words link it, and it only measures
  // and so does the key of a table of coefficients, "gelu_erf_pol"
  if (s.known_by == KnownBy::name && !m.is_string && !k_.is_function_name(m.name) && m.role != Role::call &&
      m.role != Role::definition && k_.handling_of(m.name, fi_) == Handling::handles)
    return NeedleFate::unrelated;
  // "bool gelu_erf() const { return gelu_erf_; }" tells what was stored
  if (s.known_by == KnownBy::name && m.role == Role::definition && !m.is_string)
    if (int fn = k_.function_at(fi_, static_cast<size_t>(&m - f_.outline.mentions.data())); fn >= 0 && k_.handling(fn) == Handling::flag)
      return NeedleFate::declaration;
  // cb(cur, "ffn_gelu_erf", layer): words of a tensor, which claim a form and register nothing; create_pipeline(p, "fused_gelu_f16", …) does
  static constexpr std::array k_makers = std::to_array<std::string_view>({"create", "make", "load", "register", "add", "def", "define", "pipeline", "kernel", "compile", "build"});
  const std::vector<std::string> callee = m.is_string ? words_of(m.callee) : std::vector<std::string>{};
  const bool makes = std::any_of(callee.begin(), callee.end(), [](const std::string& w) { return std::find(k_makers.begin(), k_makers.end(), w) != k_makers.end(); });
  if (m.is_string && m.role == Role::argument && s.kind == SiteKind::registration && s.known_by == KnownBy::name && m.argument > 0 && !makes &&
      !is_activation_name(m.name) && !k_.is_function_name(m.name))
    return NeedleFate::string;
  bool tells = s.formula != Formula::unknown || s.reachable.size() > 1;
  // a constant, a pointer or an object: what "matches nothing" says of them
  if (s.formula == Formula::other && s.known_by == KnownBy::evaluated && s.distance > 0.9 && !claim_of(m.name).gradient)
    tells = false;
  if (!m.is_string && ordered(m) && k_.is_enumerator(fi_, m))
    return NeedleFate::unrelated; // "kind > KIND_LAST"
  const int defined = m.role == Role::definition && !m.is_string ? k_.function_at(fi_, static_cast<size_t>(&m - f_.outline.mentions.data())) : -1;
  const bool chooses_itself = tells && defined >= 0 && own_mathematics(k_.functions()[static_cast<size_t>(defined)]);
  if (m.role == Role::definition && s.formula == Formula::unknown && !m.is_string && !chooses_itself)
    if (std::optional<NeedleFate> n = bystander_name(m, s))
      return n;
  if (tells || (s.kind == SiteKind::config_read && m.is_string && is_activation_key(m.name)))
    return std::nullopt;
  if (!m.is_string && (m.role == Role::definition || m.role == Role::call) && is_test_name(m.name))
    return NeedleFate::declaration;
  // "init_gelu_config() { config->kernel = engine_gelu_kernel_f32; }" does choose one.
  const bool chosen_function = !m.is_string && m.role != Role::call && k_.is_function_name(m.name) && !k_.is_type_name(m.name) && k_.handling_of(m.name, fi_) == Handling::computes;
  if (int fn = function_around(m); fn >= 0 && m.role != Role::definition && !chosen_function && k_.handling(fn) != Handling::computes)
    return m.is_string ? NeedleFate::string : NeedleFate::declaration;
  if (s.kind == SiteKind::config_read)
    return std::nullopt;
  return m.is_string ? bystander_string(m) : bystander_name(m, s);
}

/// A text for a person, a tensor or a layer. One that is compared, looked up or stands for a function of the tree chooses.
std::optional<NeedleFate> Emitter::bystander_string(M m) {
  size_t mi = static_cast<size_t>(&m - f_.outline.mentions.data());
  if (m.role == Role::compare || m.role == Role::case_label || arm_of_label(mi) >= 0)
    return std::nullopt;
  static constexpr std::array k_of_labels = std::to_array<std::string_view>({"name", "names", "label", "check", "count", "validate", "expect"});
  std::vector<std::string> callee = words_of(m.callee);
  if (std::any_of(callee.begin(), callee.end(), [](const std::string& w) { return std::find(k_of_labels.begin(), k_of_labels.end(), w) != k_of_labels.end(); }))
    return NeedleFate::string;
  if (k_.is_function_name(m.name) && k_.handling_of(m.name, fi_) == Handling::computes)
    return std::nullopt;
  const size_t tok = f_.lex.token_at(m.offset);
  bool joined = f_.lex.str(tok + 1) == "+" || (tok > 0 && f_.lex.str(tok - 1) == "+");
  bool tail = m.name.starts_with('-') || m.name.starts_with('_') || m.name.ends_with('_');
  if (joined || tail || m.role == Role::returned || !is_activation_name(m.name))
    return NeedleFate::string;
  if (m.role == Role::element) { // a list of all kinds of names
    size_t all = 0, activations = 0;
    for (const Mention& x : f_.outline.mentions)
      if (x.scope == m.scope && x.is_string && x.role == Role::element) {
        ++all;
        activations += is_activation_name(x.name);
      }
    if (all > 8 && activations * 2 < all)
      return NeedleFate::string;
  }
  return std::nullopt;
}

std::optional<NeedleFate> Emitter::bystander_name(M m, const Site& s) {
  // "layer->activation->relu" handed on: a part of a record
  if (m.member && m.role == Role::argument && s.kind != SiteKind::epilogue && f_.lex.str(f_.lex.token_at(m.offset) + 1) != "(")
    return NeedleFate::unrelated;
  // "void Gelu::resize(…)": the class is listed, or what its method does
  if (m.role == Role::definition && s.reachable.size() < 2 && classify_identifier(m.name) == NeedleClass::none && !m.name.starts_with("operator"))
    return NeedleFate::declaration;
  if (stands_for_object(m))
    return NeedleFate::unrelated;
  if (m.role == Role::definition) {
    int fn = k_.function_at(fi_, static_cast<size_t>(&m - f_.outline.mentions.data()));
    if (fn < 0 || k_.handling(fn) == Handling::computes)
      return std::nullopt;
    // the constructor of a class that chooses stores the choice
    bool chooses = k_.is_type_name(m.name) && !k_.functions()[static_cast<size_t>(fn)].is_type && k_.type_chooses(m.name);
    return chooses ? std::nullopt : std::optional(NeedleFate::declaration);
  }
  if (k_.is_enumerator(fi_, m)) {
    if (std::vector<std::string> words = words_of(m.callee); m.role == Role::argument && std::find(words.begin(), words.end(), "shape") != words.end())
      return NeedleFate::unrelated; // REGISTER_SHAPE(Computer, Kind_Gelu)
    bool bound = m.role == Role::operand && f_.outline.scopes[static_cast<size_t>(m.scope)].kind == ScopeKind::enumeration; // MAX = LAST_ONE
    return bound || k_.handling_of(m.name, fi_) == Handling::handles ? std::optional(NeedleFate::declaration) : std::nullopt;
  }
  if (k_.handling_of(m.name, fi_) == Handling::handles)
    return NeedleFate::declaration;
  // "Offset<PRelu>": what a type is made of
  if (k_.is_type_name(m.name) && m.role == Role::template_argument && s.kind == SiteKind::call && 
      (!k_.is_function_name(m.callee) || k_.is_type_name(m.callee)) && !m.callee.starts_with("make_"))
    return NeedleFate::declaration;
  if (k_.is_type_name(m.name) && m.role == Role::argument && !k_.is_macro_function(m.callee))
    return NeedleFate::declaration;
  return std::nullopt;
}

/// "template <> float act<Kind::gelu>(float x)", "template void run<Kind::gelu>(float*, int);"
bool Emitter::in_template_head(M m) const {
  if (m.function >= 0 || m.in_macro || m.is_string || m.role == Role::definition || m.role == Role::call)
    return false;
  size_t i = f_.lex.token_at(m.offset);
  for (; i > 0; --i) {
    std::string_view t = f_.lex.str(i - 1);
    if (t == ";" || t == "{" || t == "}" || f_.lex.tokens[i - 1].directive >= 0)
      break;
  }
  return f_.lex.str(i) == "template" || (f_.lex.str(i) == "extern" && f_.lex.str(i + 1) == "template");
}

/// "kind > KIND_LAST": the bound of a range. "<" before a name may open template arguments, and ">" behind it close them.
bool Emitter::ordered(M m) const {
  size_t tok = f_.lex.token_at(m.offset), first = tok;
  while (first > 1 && f_.lex.str(first - 1) == "::")
    first -= 2;
  std::string_view before = first > 0 ? f_.lex.str(first - 1) : std::string_view(), after = f_.lex.str(tok + 1);
  auto either = [](std::string_view t) { return t == "<=" || t == ">="; };
  return m.role != Role::template_argument && m.role != Role::call && (before == ">" || after == "<" || either(before) || either(after));
}

/// "Op() : gelu(false), relu(true) {}"
bool Emitter::member_initialiser(M m) const {
  if (m.role != Role::call || m.function >= 0 || m.in_macro || !m.callee.empty())
    return false;
  size_t tok = f_.lex.token_at(m.offset);
  return tok > 0 && (f_.lex.str(tok - 1) == ":" || f_.lex.str(tok - 1) == ",");
}

/// "relu->type", "std::move(relu)" of a local variable, whatever function has the same name.
bool Emitter::stands_for_object(M m) const {
  if (auto r = f_.refs.find(m.offset); m.role != Role::call && m.role != Role::definition && m.role != Role::case_label &&
      ((r != f_.refs.end() && (r->second->kind == TargetKind::variable || r->second->kind == TargetKind::parameter)) || is_local(m)))
    return true;
  std::string_view next = f_.lex.str(f_.lex.token_at(m.offset) + 1);
  return next == "." || next == "->";
}

/// An array that holds every enumerator of an enumeration chooses none of them.
bool Emitter::complete_listing(M m) const {
  size_t size = k_.enumeration_size(m.name), here = 0;
  if (size < 2)
    return false;
  for (const Mention& x : f_.outline.mentions)
    here += x.scope == m.scope && x.role == Role::element && !x.is_string;
  return here * 10 >= size * 9;
}

int Emitter::function_around(M m) const {
  for (int fn : f_.functions)
    if (m.function >= 0 && k_.functions()[static_cast<size_t>(fn)].scope == m.function)
      return fn;
  return -1;
}

} // namespace gelint::scan
