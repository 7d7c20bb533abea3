// A reader for config.json: objects, arrays and scalars, addressed by a dotted path.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace mini::config {

struct json_value {
  enum class kind { null, boolean, number, string, list, object };

  kind type = kind::null;
  bool boolean = false;
  double number = 0.0;
  std::string string;
  std::vector<json_value> list;
  std::map<std::string, json_value> object;

  // The value at "a.b.c", or null where a part is missing.
  const json_value* find(const std::string& path) const;
  // The string at the path, or the fallback where it is missing or something else.
  std::string string_at(const std::string& path, const std::string& fallback = "") const;
};

// Throws std::runtime_error with the byte offset of the fault.
json_value parse_json(const std::string& text);

} // namespace mini::config
