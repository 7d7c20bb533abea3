#pragma once
// A tolerant tokenizer for C, C++, CUDA, Objective-C, OpenCL C, Metal, GLSL, HLSL and WGSL. It never fails: what it
// does not know is a punctuator of one byte.

#include <cstdint>
#include <string_view>
#include <vector>

namespace gelint::scan {

enum class TokKind : uint8_t { identifier, number, string, character, punct };

struct Tok {
  TokKind kind;
  uint32_t offset = 0, length = 0;
  uint32_t line = 0;   ///< 1-based
  uint32_t column = 0; ///< 1-based, bytes
  int32_t arm = -1;    ///< index of the #if arm it stands in; -1: none
  int32_t directive = -1; ///< index of the directive it belongs to; -1: ordinary code
};

/// One arm of a conditional: #if, #ifdef, #elif, #else up to the next of its kind.
struct PpArm {
  uint32_t begin = 0, end = 0; ///< bytes
  int32_t parent = -1;
  uint32_t line = 0;
  bool dead = false; ///< "#if 0" and the #else of "#if 1"
};

struct PpDirective {
  uint32_t begin = 0, end = 0;
  uint32_t line = 0;
  std::string_view keyword; ///< define, include, if, …
  std::string_view name;    ///< the macro of a define, or the header of an include without its quotes
  bool quoted = false;      ///< #include "…"
  bool function_like = false;
};

struct Comment {
  uint32_t offset = 0, length = 0, line = 0;
};

struct LexedFile {
  std::string_view text;
  std::vector<Tok> tokens;
  std::vector<PpArm> arms;
  std::vector<PpDirective> directives;
  std::vector<Comment> comments;
  std::string_view str(const Tok& t) const { return text.substr(t.offset, t.length); }
  std::string_view str(size_t i) const { return i < tokens.size() ? str(tokens[i]) : std::string_view(); }
  /// The first token that starts at the offset or after it; tokens.size() when there is none.
  size_t token_at(uint32_t offset) const;
  /// The text of a string literal without prefix and quotes; escapes stay as written.
  std::string_view unquoted(const Tok& t) const;
};

/// `text` must outlive the result.
LexedFile lex(std::string_view text);

} // namespace gelint::scan
