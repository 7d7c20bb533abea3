#pragma once
// The arms of #if inside bodies that the preprocessor leaves out: a text in which they are what is compiled.

#include "scan/lex.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gelint::scan {

using ByteRange = std::pair<uint32_t, uint32_t>;

/// The text with other arms of some conditionals, line by line and byte by byte at the same places as before.
struct VariantText {
  std::string text;
  struct Arm {
    int body = -1;     ///< index into `bodies`
    uint32_t line = 0; ///< of the first code in the arm, or of the #if where the arm is left out
    bool device = false; ///< the device's own pass over the same source takes it
  };
  std::vector<Arm> arms;
};

/// The bytes of the body that begins behind (line, column): from its '{' to the matching '}'; an empty range when there
/// is none.
ByteRange body_behind(const LexedFile& file, int line, int column);

/// One text for each arm that the preprocessor did not take of the conditionals that lie in one of `bodies`, up to three:
/// the n-th takes the n-th such arm of every conditional. `skipped`: the ranges that were left out.
std::vector<VariantText> variant_texts(const LexedFile& file, const std::vector<ByteRange>& skipped, const std::vector<ByteRange>& bodies);

} // namespace gelint::scan
