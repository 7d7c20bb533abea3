#include "checkpoint/tensors.h"

#include "support/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace gelint::checkpoint {
namespace {

constexpr uint64_t k_max_header = 100'000'000; // the limit of the safetensors library itself

// {"__metadata__": {…}, "name": {"dtype": …, "shape": […], "data_offsets": […]}}
Status read_header(const std::string& path, Tensors& out) {
  std::unique_ptr<FILE, int (*)(FILE*)> f(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!f)
    return Error{std::string("cannot read: ") + std::strerror(errno), path, 0, 0, ""};
  struct stat st {};
  uint64_t length = 0;
  if (::fstat(::fileno(f.get()), &st) != 0 || st.st_size < 8 || std::fread(&length, 8, 1, f.get()) != 1)
    return Error{"is too short for safetensors", path, 0, 0, "download the file again"};
  if (length > k_max_header || length > static_cast<uint64_t>(st.st_size) - 8)
    return Error{fmt::format("claims a header of {} bytes", length), path, 0, 0, "download the file again"};
  std::string text(length, '\0');
  if (std::fread(text.data(), 1, length, f.get()) != length)
    return Error{"cannot read the header", path, 0, 0, ""};
  nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  if (!header.is_object())
    return Error{"has no JSON header", path, 0, 0, "download the file again"};
  for (auto& [name, tensor] : header.items()) {
    if (name == "__metadata__")
      continue;
    std::vector<uint64_t>& shape = out.shapes[name];
    shape.clear();
    if (auto it = tensor.find("shape"); tensor.is_object() && it != tensor.end() && it->is_array())
      for (auto& d : *it)
        shape.push_back(d.is_number_unsigned() ? d.get<uint64_t>() : 0);
  }
  return {};
}

// {"weight_map": {"name": "file"}}
Status read_index(const std::string& path, Tensors& out) {
  Result<std::string> text = read_file(path, k_max_header);
  if (!text)
    return text.error();
  nlohmann::json index = nlohmann::json::parse(*text, nullptr, false);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
    return Error{"has no weight_map", path, 0, 0, "download the file again"};
  for (auto& [name, file] : index["weight_map"].items())
    out.shapes.try_emplace(name);
  return {};
}

} // namespace

bool Tensors::has_part(std::string_view part) const {
  for (const auto& [name, shape] : shapes) {
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
      size_t end = at + part.size();
      if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.'))
        return true;
    }
  }
  return false;
}

Result<Tensors> read_tensors(const std::vector<std::string>& files) {
  Tensors out;
  for (const std::string& file : files) {
    Status s;
    try {
      s = file.ends_with(".json") ? read_index(file, out) : read_header(file, out);
    } catch (const std::exception& e) {
      s = Error{std::string("cannot be read: ") + e.what(), file, 0, 0, ""};
    }
    if (!s)
      return s.error();
  }
  return out;
}

} // namespace gelint::checkpoint
