#pragma once
// A JSON file as a flat tree that keeps order, duplicates and the position of every key.

#include "support/result.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gelint::checkpoint {

enum class Kind : uint8_t { missing, null, boolean, number, string, array, object };
std::string_view to_string(Kind k);

struct Position {
  int line = 0, column = 0; ///< 1-based, UTF-8 bytes; 0 unknown
};

class Document;

/// A handle to one value; cheap to copy, valid while its Document lives. A missing value is a handle too, so that
/// look-ups chain.
class Value {
public:
  Value() = default;
  explicit operator bool() const { return doc_ != nullptr; }
  bool operator==(const Value&) const = default;
  Kind kind() const;
  bool is(Kind k) const { return kind() == k; }
  std::string_view key() const;    ///< name in the enclosing object; empty elsewhere
  std::string_view string() const; ///< empty unless a string
  bool boolean() const;            ///< false unless `true`
  double number() const;           ///< 0 unless a number
  size_t size() const;             ///< children of an array or object
  Value first() const, next() const;
  /// Member of an object; of duplicates the last, as Python's json does it.
  Value find(std::string_view key) const;
  /// find() over the parts of "a.b.c".
  Value at_path(std::string_view path) const;
  /// How often `key` occurs in this object.
  size_t count(std::string_view key) const;
  std::string_view text() const; ///< as written in the file
  Position key_position() const; ///< of the key's opening quote; of the value where there is no key
  Position position() const;
  int key_end_column() const; ///< one past the closing quote of the key
  const Document* document() const { return doc_; }
  uint32_t id() const { return index_; } ///< number of the value in its document, from 0

private:
  friend class Document;
  Value(const Document* doc, uint32_t index) : doc_(doc), index_(index) {}
  const Document* doc_ = nullptr;
  uint32_t index_ = 0;
};

class Document {
public:
  /// Parses `text`. What Python's json reads beyond the standard (NaN, Infinity) is accepted, so is a byte order
  /// mark. Errors carry `file`, line and column; deeper than 500 levels and above 2 GiB is refused.
  /// `first_line` is the number of the first line (JSON lines).
  static Result<std::shared_ptr<const Document>> parse(std::string text, std::string file, int first_line = 1);

  Value root() const { return Value(this, 0); }
  const std::string& file() const { return file_; }
  size_t value_count() const { return nodes_.size(); }

private:
  friend class Value;
  friend struct DocumentBuilder;
  struct Node {
    Kind kind = Kind::null;
    bool truth = false;
    uint32_t size = 0;
    uint32_t next = 0;  ///< sibling, 0: none (0 is the root)
    uint32_t first = 0; ///< child, 0: none
    uint32_t key_begin = 0, key_end = 0, begin = 0, end = 0; ///< offsets; key_end 0: no key
    std::string_view key, string;
  };
  Position position_of(uint32_t offset) const;

  std::string text_, file_;
  int first_line_ = 1;
  std::vector<Node> nodes_;
  std::deque<std::string> unescaped_; ///< strings with escapes; the others are views of text_
};

} // namespace gelint::checkpoint
