#pragma once
// The part of JSON Schema that the schemas of this repository use: type, enum, const, required, properties,
// additionalProperties, items, minimum, minItems, uniqueItems, minLength, pattern, $ref (local), allOf,
// anyOf, oneOf, not, if/then.
// A keyword it does not know is an error, so that a schema cannot be stricter than its check.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace gelint {

class JsonValidator {
public:
  using Json = nlohmann::ordered_json;
  explicit JsonValidator(Json schema) : root_(std::move(schema)) {}

  /// Every violation as "pointer: what"; empty when the document is valid.
  std::vector<std::string> check(const Json& document) {
    errors_.clear();
    visit(root_, document, "");
    return errors_;
  }

private:
  bool valid(const Json& schema, const Json& v) {
    JsonValidator inner(root_);
    inner.visit(schema, v, "");
    return inner.errors_.empty();
  }

  static bool has_type(const Json& v, const std::string& type) {
    if (type == "integer")
      return v.is_number_integer();
    if (type == "number")
      return v.is_number();
    return type == (v.is_null() ? "null" : v.is_boolean() ? "boolean" : v.is_string() ? "string"
                    : v.is_array() ? "array" : v.is_object() ? "object" : "");
  }

  void visit(const Json& schema, const Json& v, const std::string& at) {
    auto fail = [&](const std::string& what) { errors_.push_back(at + ": " + what); };
    if (schema.is_boolean()) {
      if (!schema.get<bool>())
        fail("nothing is allowed here");
      return;
    }
    static const std::set<std::string> annotations = {"$schema", "$id", "id", "title", "description", "default", "definitions",
                                                      "format", "then", "$comment"};
    for (const auto& [key, s] : schema.items()) {
      if (annotations.contains(key))
        continue;
      if (key == "$ref") {
        visit(root_.at(Json::json_pointer(s.get<std::string>().substr(1))), v, at);
      } else if (key == "type") {
        bool ok = false;
        for (const Json& t : s.is_array() ? s : Json::array({s}))
          ok = ok || has_type(v, t.get<std::string>());
        if (!ok)
          fail("is not of type " + s.dump());
      } else if (key == "enum") {
        if (std::find(s.begin(), s.end(), v) == s.end())
          fail(v.dump() + " is not one of " + s.dump());
      } else if (key == "const") {
        if (v != s)
          fail(v.dump() + " is not " + s.dump());
      } else if (key == "required") {
        for (const Json& name : s)
          if (v.is_object() && !v.contains(name.get<std::string>()))
            fail("lacks " + name.dump());
      } else if (key == "properties") {
        for (const auto& [name, sub] : s.items())
          if (v.is_object() && v.contains(name))
            visit(sub, v[name], at + "/" + name);
      } else if (key == "additionalProperties") {
        if (v.is_object())
          for (const auto& [name, value] : v.items())
            if (!schema.contains("properties") || !schema["properties"].contains(name))
              visit(s, value, at + "/" + name);
      } else if (key == "items") {
        if (v.is_array())
          for (size_t i = 0; i < v.size(); ++i)
            visit(s, v[i], at + "/" + std::to_string(i));
      } else if (key == "minimum") {
        if (v.is_number() && v.get<double>() < s.get<double>())
          fail("is below " + s.dump());
      } else if (key == "minItems") {
        if (v.is_array() && v.size() < s.get<size_t>())
          fail("has too few items");
      } else if (key == "uniqueItems") {
        if (v.is_array() && s.get<bool>())
          for (size_t i = 0; i < v.size(); ++i)
            if (std::find(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(i), v[i]) != v.begin() + static_cast<std::ptrdiff_t>(i))
              fail("holds " + v[i].dump() + " twice");
      } else if (key == "minLength") {
        if (v.is_string() && v.get_ref<const std::string&>().size() < s.get<size_t>())
          fail("is too short");
      } else if (key == "pattern") {
        if (v.is_string() && !std::regex_search(v.get<std::string>(), std::regex(s.get<std::string>())))
          fail(v.dump() + " does not match " + s.dump());
      } else if (key == "allOf") {
        for (const Json& sub : s)
          visit(sub, v, at);
      } else if (key == "anyOf" || key == "oneOf") {
        size_t n = 0;
        for (const Json& sub : s)
          n += valid(sub, v);
        if (n == 0 || (key == "oneOf" && n != 1))
          fail("matches " + std::to_string(n) + " parts of " + key);
      } else if (key == "not") {
        if (valid(s, v))
          fail("matches what it must not");
      } else if (key == "if") {
        if (valid(s, v) && schema.contains("then"))
          visit(schema["then"], v, at);
      } else {
        fail("the schema uses '" + key + "', which this check does not know");
      }
    }
  }

  Json root_;
  std::vector<std::string> errors_;
};

} // namespace gelint
