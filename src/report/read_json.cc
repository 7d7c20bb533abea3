#include "report/read_json.h"

#include "report/json.h"
#include "report/json_archive.h"
#include "support/files.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>

namespace gelint::report {
namespace {

/// A value of the wrong kind; caught in parse_report().
struct Mismatch {
  std::string pointer, expected;
};

template <class T> void from_json_value(const Json& j, T& v, const std::string& at);

struct JsonIn {
  const Json& object;
  const std::string& at;
  template <class T> void operator()(const char* name, T& v, const char*) {
    if (auto found = object.find(name); found != object.end())
      from_json_value(*found, v, at + "/" + name);
  }
  void site(const char* name, decide::Row& row, const char*) {
    auto found = object.find(name);
    row.has_site = found != object.end() && !found->is_null();
    if (row.has_site)
      from_json_value(*found, row.site, at + "/" + name);
  }
  void waiver(const char* name, decide::Row& row, const char*) {
    if (auto found = object.find(name); found != object.end() && !found->is_null())
      from_json_value(*found, row.waiver.emplace_back(), at + "/" + name);
  }
};

template <class T> void from_json_value(const Json& j, T& v, const std::string& at) {
  auto need = [&](bool ok, const char* what) {
    if (!ok)
      throw Mismatch{at, what};
  };
  if constexpr (std::is_same_v<T, std::string>) {
    need(j.is_string(), "a string");
    v = j.template get<std::string>();
  } else if constexpr (std::is_same_v<T, bool>) {
    need(j.is_boolean(), "true or false");
    v = j.template get<bool>();
  } else if constexpr (std::is_same_v<T, double>) {
    need(j.is_number() || j.is_null(), "a number");
    v = j.is_null() ? std::numeric_limits<double>::quiet_NaN() : j.template get<double>();
  } else if constexpr (std::is_integral_v<T>) {
    need(j.is_number_integer() && (std::is_signed_v<T> || j.is_number_unsigned()), "an integer");
    v = j.template get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    need(j.is_string(), "a string");
    const std::string& name = j.template get_ref<const std::string&>();
    for (int i = 0; i < k_enum_count<T>; ++i)
      if (enum_name(static_cast<T>(i)) == name) {
        v = static_cast<T>(i);
        return;
      }
    throw Mismatch{at, "one of the vocabulary's names: '" + name + "'"};
  } else if constexpr (IsOptional<T>::value) {
    if (j.is_null())
      v.reset();
    else
      from_json_value(j, v.emplace(), at);
  } else if constexpr (IsVector<T>::value) {
    need(j.is_array(), "a list");
    v.clear();
    for (size_t i = 0; i < j.size(); ++i)
      from_json_value(j[i], v.emplace_back(), at + "/" + std::to_string(i));
  } else {
    need(j.is_object(), "an object");
    JsonIn in{j, at};
    fields(in, v);
  }
}

template <class T> void read_member(const Json& doc, const char* name, T& v) {
  if (auto found = doc.find(name); found != doc.end())
    from_json_value(*found, v, std::string("/") + name);
}

Report read_document(const Json& doc) {
  Report report;
  read_member(doc, "command", report.command);
  read_member(doc, "provenance", report.provenance);
  read_member(doc, "findings", report.findings);
  read_member(doc, "summary", report.summary);
  if (report.command == Command::verify) {
    read_member(doc, "rows", report.verify_rows);
    read_member(doc, "impact", report.impact);
    read_member(doc, "cost", report.cost);
  } else
    read_member(doc, "rows", report.rows);
  read_member(doc, "models", report.models);
  from_json_value(doc, report.scan, "");
  return report;
}

Error syntax_error(std::string_view text, const std::string& file, size_t byte) {
  // nlohmann counts the bytes read, including the one at fault.
  size_t offset = std::min(byte > 0 ? byte - 1 : 0, text.size());
  std::string_view before = text.substr(0, offset);
  size_t line_start = before.rfind('\n');
  int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  int column = 1 + static_cast<int>(offset - (line_start == std::string_view::npos ? 0 : line_start + 1));
  return Error{"is not valid JSON", file, line, column, "write it with 'gelint audit --format json:FILE'"};
}

} // namespace

Result<Report> parse_report(std::string_view text, const std::string& file) {
  const char* mend = "write it with 'gelint audit --format json:FILE'";
  try {
    Json doc = Json::parse(text.begin(), text.end());
    if (!doc.is_object() || doc.value("schema", Json()) != k_schema_name)
      return Error{std::string("is not a gelint document of schema ") + k_schema_name, file, 0, 0, mend};
    return read_document(doc);
  } catch (const Json::parse_error& e) {
    return syntax_error(text, file, e.byte);
  } catch (const Mismatch& m) {
    return Error{m.pointer + " is not " + m.expected, file, 0, 0, mend};
  } catch (const Json::exception& e) {
    return Error{std::string("cannot be read: ") + e.what(), file, 0, 0, mend};
  }
}

Result<Report> read_report(const std::string& file) {
  if (file == "-")
    return parse_report(std::string(std::istreambuf_iterator<char>(std::cin), {}), "<stdin>");
  Result<std::string> text = read_file(file);
  if (!text)
    return text.error();
  return parse_report(*text, file);
}

} // namespace gelint::report
