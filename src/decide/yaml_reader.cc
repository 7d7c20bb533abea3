#include "decide/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace gelint::decide {

YamlMap::YamlMap(const YAML::Node& node, std::string what, std::string file,
                 std::vector<Error>& faults)
    : node_(node), mark_(node.Mark()), what_(std::move(what)), file_(std::move(file)),
      faults_(faults) {
  if (!node_.IsMap()) {
    fault(mark_, article() + what_ + " must be a mapping", "write `key: value` lines");
    return;
  }
  // yaml-cpp keeps both of two equal keys and answers with the first: the second would be lost in
  // silence.
  std::set<std::string> seen;
  for (const auto& pair : node_) {
    if (!pair.first.IsScalar())
      fault(pair.first.Mark(), "a key must be a plain word");
    else if (!seen.insert(pair.first.Scalar()).second)
      fault(pair.first.Mark(),
            "the key '" + pair.first.Scalar() + "' stands twice in this " + what_, "keep one");
  }
}

void YamlMap::fault(const YAML::Mark& mark, std::string message, std::string mend) {
  bool known = mark.line >= 0;
  faults_.push_back({std::move(message), file_, known ? mark.line + 1 : mark_.line + 1,
                     known ? mark.column + 1 : mark_.column + 1, std::move(mend)});
  ok_ = false;
}

void YamlMap::fault_at(std::string_view key, std::string message, std::string mend) {
  YAML::Node n = child(key);
  fault(n && n.IsDefined() ? n.Mark() : mark_, std::move(message), std::move(mend));
}

YAML::Node YamlMap::child(std::string_view key) const {
  if (!node_.IsMap())
    return YAML::Node(YAML::NodeType::Undefined);
  return node_[std::string(key)];
}

YAML::Node YamlMap::node(std::string_view key) {
  asked_.emplace_back(key);
  return child(key);
}

std::string YamlMap::text(std::string_view key) {
  YAML::Node n = node(key);
  if (!n || n.IsNull())
    return {};
  if (!n.IsScalar()) {
    fault(n.Mark(), "'" + std::string(key) + "' must be one value, not a list or mapping");
    return {};
  }
  return n.Scalar();
}

std::string YamlMap::required_text(std::string_view key) {
  std::string value = text(key);
  if (value.empty() && ok_)
    fault_at(key, "this " + what_ + " has no '" + std::string(key) + "'", "add one");
  return value;
}

bool YamlMap::flag(std::string_view key) {
  std::string value = text(key);
  if (value.empty() || value == "false")
    return false;
  if (value != "true")
    fault_at(key, "'" + std::string(key) + "' must be true or false");
  return value == "true";
}

int YamlMap::number(std::string_view key) {
  std::string value = text(key);
  int out = 0;
  auto [end, ec] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (!value.empty() && (ec != std::errc() || end != value.data() + value.size() || out < 0))
    fault_at(key, "'" + std::string(key) + "' must be a number, not below 0");
  return out;
}

std::vector<std::pair<std::string, YAML::Mark>> YamlMap::marked_texts(std::string_view key) {
  std::vector<std::pair<std::string, YAML::Mark>> out;
  YAML::Node n = node(key);
  if (!n || n.IsNull())
    return out;
  if (n.IsScalar()) {
    out.emplace_back(n.Scalar(), n.Mark());
    return out;
  }
  if (!n.IsSequence()) {
    fault(n.Mark(), "'" + std::string(key) + "' must be one value or a list of values");
    return out;
  }
  for (const auto& item : n) {
    if (item.IsScalar())
      out.emplace_back(item.Scalar(), item.Mark());
    else
      fault(item.Mark(), "every entry of '" + std::string(key) + "' must be one value");
  }
  return out;
}

std::vector<std::string> YamlMap::texts(std::string_view key) {
  std::vector<std::string> out;
  for (auto& [value, mark] : marked_texts(key)) {
    if (value.empty())
      fault(mark, "an entry of '" + std::string(key) + "' is empty");
    else
      out.push_back(value);
  }
  return out;
}

std::vector<YAML::Node> YamlMap::maps(std::string_view key) {
  std::vector<YAML::Node> out;
  YAML::Node n = node(key);
  if (!n || n.IsNull())
    return out;
  if (n.IsMap())
    out.push_back(n);
  else if (n.IsSequence())
    for (const auto& item : n)
      out.push_back(item);
  else
    fault(n.Mark(), "'" + std::string(key) + "' must be a mapping or a list of mappings");
  return out;
}

void YamlMap::finish() {
  if (!node_.IsMap())
    return;
  for (const auto& pair : node_) {
    if (!pair.first.IsScalar())
      continue;
    const std::string key = pair.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end())
      continue;
    std::vector<std::string> known = asked_;
    std::sort(known.begin(), known.end());
    std::string list;
    for (const std::string& k : known)
      list += (list.empty() ? "" : ", ") + k;
    fault(pair.first.Mark(), article() + what_ + " has no key '" + key + "'", "known: " + list);
  }
}

} // namespace gelint::decide
