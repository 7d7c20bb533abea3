#include "checkpoint/document.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace gelint::checkpoint {
namespace {

constexpr size_t k_max_depth = 500; // deeper than any config; guards what walks the tree

// Tells the SAX handler how far the parser has read.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  const char** reached = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    if (reached)
      *reached = at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const CountingIterator& o) const { return at == o.at; }
  bool operator!=(const CountingIterator& o) const { return at != o.at; }
};

bool separates(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ':';
}

bool in_number(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Python writes and reads NaN, Infinity and -Infinity. Replaced by numbers of the same length, so that positions
// stay true. Strings are left alone.
bool replace_python_numbers(std::string& text) {
  bool changed = false, in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == 'I' && text.compare(i, 8, "Infinity") == 0) {
      text.replace(i, 8, "1e308   ");
      changed = true;
    } else if (c == 'N' && text.compare(i, 3, "NaN") == 0) {
      text.replace(i, 3, "0  ");
      changed = true;
    }
  }
  return changed;
}

} // namespace

// SAX handler: appends nodes in the order of the file.
struct DocumentBuilder {
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Document& doc;
  const char* reached;
  uint32_t last_end = 0;
  std::vector<uint32_t> open{}, last_child{}; // container and its newest child
  std::string_view pending_key{};
  uint32_t key_begin = 0, key_end = 0;
  bool too_deep = false;
  size_t error_at = 0;
  std::string error{};

  uint32_t token_begin() {
    uint32_t at = last_end;
    const std::string& t = doc.text_;
    if (at == 0 && t.size() >= 3 && std::memcmp(t.data(), "\xEF\xBB\xBF", 3) == 0)
      at = 3;
    while (at < t.size() && separates(t[at]))
      ++at;
    return at;
  }
  uint32_t read() const { return static_cast<uint32_t>(reached - doc.text_.data()); }

  std::string_view keep(const std::string& value, uint32_t begin, uint32_t end) {
    if (end - begin == value.size() + 2) // no escapes
      return std::string_view(doc.text_).substr(begin + 1, value.size());
    return doc.unescaped_.emplace_back(value);
  }

  uint32_t add(Kind kind, uint32_t begin, uint32_t end) {
    auto index = static_cast<uint32_t>(doc.nodes_.size());
    Document::Node& n = doc.nodes_.emplace_back();
    n.kind = kind;
    n.begin = begin;
    n.end = end;
    n.key = pending_key;
    n.key_begin = key_begin;
    n.key_end = key_end;
    pending_key = {};
    key_begin = key_end = 0;
    last_end = end;
    if (!open.empty()) {
      Document::Node& parent = doc.nodes_[open.back()];
      ++parent.size;
      if (last_child.back())
        doc.nodes_[last_child.back()].next = index;
      else
        parent.first = index;
      last_child.back() = index;
    }
    return index;
  }

  bool literal(Kind kind, bool truth) {
    uint32_t begin = token_begin();
    doc.nodes_[add(kind, begin, read())].truth = truth;
    return true;
  }
  bool number() {
    uint32_t begin = token_begin(), end = begin;
    while (end < doc.text_.size() && in_number(doc.text_[end]))
      ++end;
    add(Kind::number, begin, end);
    return true;
  }
  bool start(Kind kind) {
    uint32_t begin = token_begin();
    uint32_t index = add(kind, begin, begin + 1);
    if (open.size() >= k_max_depth) {
      too_deep = true;
      error_at = begin;
      return false;
    }
    open.push_back(index);
    last_child.push_back(0);
    return true;
  }
  bool finish() {
    uint32_t at = token_begin();
    doc.nodes_[open.back()].end = at + 1;
    last_end = at + 1;
    open.pop_back();
    last_child.pop_back();
    return true;
  }

  bool null() { return literal(Kind::null, false); }
  bool boolean(bool b) { return literal(Kind::boolean, b); }
  bool number_integer(number_integer_t) { return number(); }
  bool number_unsigned(number_unsigned_t) { return number(); }
  bool number_float(number_float_t, const string_t&) { return number(); }
  bool string(string_t& s) {
    uint32_t begin = token_begin(), end = read();
    std::string_view kept = keep(s, begin, end);
    doc.nodes_[add(Kind::string, begin, end)].string = kept;
    return true;
  }
  bool binary(binary_t&) { return false; }
  bool key(string_t& s) {
    key_begin = token_begin();
    key_end = read();
    pending_key = keep(s, key_begin, key_end);
    last_end = key_end;
    return true;
  }
  bool start_object(size_t) { return start(Kind::object); }
  bool end_object() { return finish(); }
  bool start_array(size_t) { return start(Kind::array); }
  bool end_array() { return finish(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& e) {
    // The lexer has read past the token; its begin is where to look. A separator is the token itself.
    const size_t last = position > 0 ? position - 1 : 0;
    const std::string& t = doc.text_;
    error = e.what();
    const bool whole = error.find("ill-formed") == std::string::npos && error.find("control character") == std::string::npos;
    error_at = whole && !(last < t.size() && (t[last] == ',' || t[last] == ':')) ? token_begin() : last;
    return false;
  }
};

std::string_view to_string(Kind k) {
  switch (k) {
  case Kind::missing:
    return "missing";
  case Kind::null:
    return "null";
  case Kind::boolean:
    return "boolean";
  case Kind::number:
    return "number";
  case Kind::string:
    return "string";
  case Kind::array:
    return "array";
  case Kind::object:
    return "object";
  }
  return "";
}

namespace {

// nlohmann's message holds its own numbering; what is left says what is wrong.
std::string plain_reason(const std::string& what) {
  size_t at = what.rfind("; last read");
  std::string head = what.substr(0, at);
  size_t colon = head.find(": ", head.find("column "));
  std::string reason = colon == std::string::npos ? head : head.substr(colon + 2);
  if (size_t p = reason.find("syntax error while parsing "); p == 0)
    reason.erase(0, std::strlen("syntax error "));
  std::string out;
  for (char c : reason)
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f)
      out += c;
  return out;
}

} // namespace

Result<std::shared_ptr<const Document>> Document::parse(std::string text, std::string file, int first_line) {
  auto fault = [&](std::string message, Position at, std::string mend) {
    return Error{std::move(message), file, at.line, at.column, std::move(mend)};
  };
  if (text.size() >= (size_t{1} << 31))
    return fault("is larger than 2 GiB", {}, "give the config file, not the weights");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return fault("is empty", {}, "write the config again from the model's source");
  auto doc = std::make_shared<Document>();
  doc->file_ = file;
  doc->first_line_ = first_line;
  doc->text_ = std::move(text);
  for (int attempt = 0;; ++attempt) {
    doc->nodes_.clear();
    doc->nodes_.reserve(std::min<size_t>(doc->text_.size() / 16 + 8, 1 << 16));
    doc->unescaped_.clear();
    const char* begin = doc->text_.data();
    DocumentBuilder builder{*doc, begin};
    CountingIterator first{begin, &builder.reached}, last{begin + doc->text_.size(), nullptr};
    bool ok = false;
    try {
      ok = nlohmann::json::sax_parse(first, last, &builder);
    } catch (const nlohmann::json::exception& e) {
      builder.error = e.what();
      builder.error_at = builder.read();
    }
    if (ok)
      return std::shared_ptr<const Document>(std::move(doc));
    // A number beyond double's range is infinite to Python. Its value is never used: zeros keep the positions.
    if (attempt < 16 && builder.error.find("number overflow") != std::string::npos) {
      const size_t number = builder.token_begin();
      for (size_t i = number; i < doc->text_.size() && in_number(doc->text_[i]); ++i)
        doc->text_[i] = i == number ? '0' : ' ';
      continue;
    }
    if (attempt == 0 && replace_python_numbers(doc->text_))
      continue;
    size_t at = std::min(builder.error_at, doc->text_.size());
    if (builder.too_deep)
      return fault(fmt::format("is nested deeper than {} levels", k_max_depth),
                   doc->position_of(static_cast<uint32_t>(at)), "this is no model config");
    return fault("is not valid JSON: " + plain_reason(builder.error), doc->position_of(static_cast<uint32_t>(at)),
                 "mend the syntax there");
  }
}

Position Document::position_of(uint32_t offset) const {
  Position p{first_line_, 1};
  size_t line_start = 0;
  if (text_.compare(0, 3, "\xEF\xBB\xBF") == 0)
    line_start = 3;
  for (size_t at = 0; (at = text_.find('\n', at)) != std::string::npos && at < offset; ++at) {
    ++p.line;
    line_start = at + 1;
  }
  p.column = offset >= line_start ? static_cast<int>(offset - line_start) + 1 : 1;
  return p;
}

Kind Value::kind() const { return doc_ ? doc_->nodes_[index_].kind : Kind::missing; }
std::string_view Value::key() const { return doc_ ? doc_->nodes_[index_].key : std::string_view(); }
std::string_view Value::string() const { return doc_ ? doc_->nodes_[index_].string : std::string_view(); }
bool Value::boolean() const { return doc_ && doc_->nodes_[index_].truth; }

double Value::number() const {
  if (!is(Kind::number))
    return 0;
  return std::strtod(std::string(text()).c_str(), nullptr);
}

size_t Value::size() const { return doc_ ? doc_->nodes_[index_].size : 0; }

Value Value::first() const {
  if (!doc_ || !doc_->nodes_[index_].first)
    return {};
  return Value(doc_, doc_->nodes_[index_].first);
}

Value Value::next() const {
  if (!doc_ || !doc_->nodes_[index_].next)
    return {};
  return Value(doc_, doc_->nodes_[index_].next);
}

Value Value::find(std::string_view key) const {
  Value found;
  if (is(Kind::object))
    for (Value v = first(); v; v = v.next())
      if (v.key() == key)
        found = v;
  return found;
}

Value Value::at_path(std::string_view path) const {
  Value v = *this;
  while (v && !path.empty()) {
    size_t dot = path.find('.');
    v = v.find(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return v;
}

size_t Value::count(std::string_view key) const {
  size_t n = 0;
  if (is(Kind::object))
    for (Value v = first(); v; v = v.next())
      n += v.key() == key;
  return n;
}

std::string_view Value::text() const {
  if (!doc_)
    return {};
  const Document::Node& n = doc_->nodes_[index_];
  return std::string_view(doc_->text_).substr(n.begin, n.end - n.begin);
}

Position Value::key_position() const {
  if (!doc_)
    return {};
  const Document::Node& n = doc_->nodes_[index_];
  return doc_->position_of(n.key_end ? n.key_begin : n.begin);
}

Position Value::position() const { return doc_ ? doc_->position_of(doc_->nodes_[index_].begin) : Position{}; }

int Value::key_end_column() const {
  if (!doc_ || !doc_->nodes_[index_].key_end)
    return 0;
  return doc_->position_of(doc_->nodes_[index_].key_end).column;
}

} // namespace gelint::checkpoint
