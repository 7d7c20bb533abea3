#pragma once
// Needles: lexical hits that may be a site. The prefilter decides which files are looked at; the same test on a token
// decides which tokens the ledger accounts for.

#include "formula/formula.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::scan {

/// A file mapped into memory, read-only. Empty and unreadable files give an empty view.
class MappedFile {
public:
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  std::string_view text() const { return {data_, size_}; }
  bool ok() const { return ok_; }

private:
  const char* data_ = nullptr;
  size_t size_ = 0;
  bool ok_ = false;
};

/// What a needle is about. `gelu` names or computes the GELU family (also its constants and erf, normcdf, tanh);
/// `activation` another formula of the vocabulary; `choice` a word that chooses among activations
/// ("hidden_act", "activation_function", "act_fn").
enum class NeedleClass : uint8_t { none, gelu, activation, choice };

/// True when the text holds any needle of class gelu (or, with `all`, of any class).
bool has_needle(std::string_view text, bool all);

/// The class of an identifier or of a numeric literal (0.044715f, 1.702, 0.79788456…, 0.7071067811…).
NeedleClass classify_identifier(std::string_view identifier);
NeedleClass classify_number(std::string_view literal);

/// Identifiers of mathematics (tanh, erf, exp…): needles, but a name of a building block and never of an activation
/// by itself.
bool is_math_word(std::string_view identifier);

/// The formula that an identifier claims by its words, in the naming that the whole vocabulary shares:
/// "gelu_quick", "geglu_erf", "GELUTanh", "op_silu". A bare "gelu" claims the family but no formula: nullopt and
/// `family` set.
struct Claim {
  std::optional<formula::Formula> formula;
  bool gelu_family = false;
  bool gated = false;
  bool gradient = false; ///< backward, grad, dgelu
  bool sure = false;     ///< the name says this formula and nothing that could make it another one
};
Claim claim_of(std::string_view identifier);

/// The name of a derivative or of what runs one: backward, onGrad, SiluBack.
bool is_gradient_name(std::string_view identifier);

/// "GELUTanh_v2" → gelu tanh v 2; "kernel_geglu_f16" → kernel geglu f 16. Lower case.
std::vector<std::string> words_of(std::string_view identifier);

} // namespace gelint::scan
