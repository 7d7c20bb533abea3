#include "config/json.h"

#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace mini::config {
namespace {

class reader {
public:
  explicit reader(const std::string& text) : text_(text) {}

  json_value document() {
    json_value v = value();
    skip_space();
    if (pos_ != text_.size())
      fail("text after the document");
    return v;
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("config: " + what + " at byte " + std::to_string(pos_));
  }

  void skip_space() {
    while (pos_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[pos_])) != 0)
      ++pos_;
  }

  char peek() {
    skip_space();
    if (pos_ == text_.size())
      fail("unexpected end");
    return text_[pos_];
  }

  void expect(char c) {
    if (peek() != c)
      fail(std::string("expected '") + c + "'");
    ++pos_;
  }

  bool accept(char c) {
    if (peek() != c)
      return false;
    ++pos_;
    return true;
  }

  bool word(const char* w) {
    const std::string s(w);
    if (text_.compare(pos_, s.size(), s) != 0)
      return false;
    pos_ += s.size();
    return true;
  }

  std::string quoted() {
    expect('"');
    std::string out;
    while (pos_ < text_.size() && text_[pos_] != '"') {
      if (text_[pos_] == '\\')
        ++pos_; // the escapes of the config files are all single characters
      if (pos_ < text_.size())
        out += text_[pos_++];
    }
    expect('"');
    return out;
  }

  json_value value() {
    json_value v;
    const char c = peek();
    if (c == '{') {
      v.type = json_value::kind::object;
      ++pos_;
      if (accept('}'))
        return v;
      do {
        std::string key = quoted();
        expect(':');
        v.object[std::move(key)] = value();
      } while (accept(','));
      expect('}');
    } else if (c == '[') {
      v.type = json_value::kind::list;
      ++pos_;
      if (accept(']'))
        return v;
      do {
        v.list.push_back(value());
      } while (accept(','));
      expect(']');
    } else if (c == '"') {
      v.type = json_value::kind::string;
      v.string = quoted();
    } else if (word("true") || word("false")) {
      v.type = json_value::kind::boolean;
      v.boolean = text_[pos_ - 2] == 'u';
    } else if (word("null")) {
      v.type = json_value::kind::null;
    } else {
      char* end = nullptr;
      v.type = json_value::kind::number;
      v.number = std::strtod(text_.c_str() + pos_, &end);
      if (end == text_.c_str() + pos_)
        fail("unexpected character");
      pos_ = static_cast<std::size_t>(end - text_.c_str());
    }
    return v;
  }

  const std::string& text_;
  std::size_t pos_ = 0;
};

} // namespace

const json_value* json_value::find(const std::string& path) const {
  const json_value* at = this;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t dot = path.find('.', begin);
    const std::string key = path.substr(begin, dot == std::string::npos ? dot : dot - begin);
    const auto it = at->object.find(key);
    if (it == at->object.end())
      return nullptr;
    at = &it->second;
    if (dot == std::string::npos)
      return at;
    begin = dot + 1;
  }
  return nullptr;
}

std::string json_value::string_at(const std::string& path, const std::string& fallback) const {
  const json_value* v = find(path);
  return v != nullptr && v->type == kind::string ? v->string : fallback;
}

json_value parse_json(const std::string& text) { return reader(text).document(); }

} // namespace mini::config
