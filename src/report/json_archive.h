#pragma once
// JSON of the described types (fields.h).

#include "report/fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace gelint::report {

using Json = nlohmann::ordered_json;

template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};

template <class T> Json to_json_value(const T& v);

struct JsonOut {
  Json object = Json::object();
  template <class T> void operator()(const char* name, const T& v, const char*) { object[name] = to_json_value(v); }
  void site(const char* name, const decide::Row& row, const char*) {
    object[name] = row.has_site ? to_json_value(row.site) : Json();
  }
  void waiver(const char* name, const decide::Row& row, const char*) {
    object[name] = row.waiver.empty() ? Json() : to_json_value(row.waiver.front());
  }
};

template <class T> Json to_json_value(const T& v) {
  if constexpr (std::is_same_v<T, double>) {
    return std::isfinite(v) ? Json(v) : Json(); // JSON has no NaN
  } else if constexpr (std::is_enum_v<T>) {
    return enum_name(v);
  } else if constexpr (IsOptional<T>::value) {
    return v ? to_json_value(*v) : Json();
  } else if constexpr (IsVector<T>::value) {
    Json out = Json::array();
    for (const auto& item : v)
      out.push_back(to_json_value(item));
    return out;
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    JsonOut out;
    fields(out, v);
    return std::move(out.object);
  } else {
    return v;
  }
}

/// Text of a document: bytes that are not UTF-8 are replaced, never an exception.
inline std::string dump(const Json& j, int indent = -1) {
  return j.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace gelint::report
