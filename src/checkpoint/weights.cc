#include "checkpoint/weights.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gelint::checkpoint {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t k_max_header = 100'000'000; // the limit of the safetensors library itself

static_assert(std::endian::native == std::endian::little, "safetensors are little endian and are read in place");

/// Bytes of an element, 0 for a type that the format does not know.
uint64_t element_bytes(std::string_view type) {
  static constexpr std::pair<std::string_view, uint64_t> k_types[] = {
      {"F64", 8}, {"I64", 8}, {"U64", 8}, {"F32", 4}, {"I32", 4}, {"U32", 4}, {"F16", 2},     {"BF16", 2},
      {"I16", 2}, {"U16", 2}, {"I8", 1},  {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};
  for (auto& [name, bytes] : k_types)
    if (name == type)
      return bytes;
  return 0;
}

float half_to_float(uint16_t h) {
  uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16, e = h >> 10 & 31u, m = h & 1023u;
  if (e == 0) {
    float v = static_cast<float>(m) * 0x1p-24f;
    return sign ? -v : v;
  }
  return std::bit_cast<float>(sign | (e == 31 ? 0x7f800000u : (e + 112) << 23) | m << 13);
}

} // namespace

class Weights::Mapping {
public:
  static Result<std::shared_ptr<const Mapping>> open(const std::string& path) {
    auto fault = [&] { return Error{std::string("cannot read: ") + std::strerror(errno), path, 0, 0, ""}; };
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
      return fault();
    struct stat st {};
    if (::fstat(fd, &st) != 0) {
      Error e = fault();
      ::close(fd);
      return e;
    }
    if (!S_ISREG(st.st_mode) || st.st_size < 8) {
      ::close(fd);
      return Error{"is too short for safetensors", path, 0, 0, "download the file again"};
    }
    void* at = ::mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
    Error e = fault();
    ::close(fd);
    if (at == MAP_FAILED)
      return e;
    auto m = std::make_shared<Mapping>();
    m->bytes_ = {static_cast<const unsigned char*>(at), static_cast<size_t>(st.st_size)};
    return std::shared_ptr<const Mapping>(std::move(m));
  }
  Mapping() = default;
  Mapping(const Mapping&) = delete;
  ~Mapping() {
    if (!bytes_.empty())
      ::munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size());
  }
  std::span<const unsigned char> bytes() const { return bytes_; }

private:
  std::span<const unsigned char> bytes_;
};

uint64_t Weight::size() const {
  uint64_t n = 1;
  for (uint64_t d : shape)
    n *= d;
  return n;
}

void Weight::read(uint64_t first, std::span<float> out) const {
  if (type == WeightType::f32) {
    std::memcpy(out.data(), data + first * 4, out.size() * 4);
    return;
  }
  for (size_t i = 0; i < out.size(); ++i) {
    uint16_t h;
    std::memcpy(&h, data + (first + i) * 2, 2); // tensors need not be aligned
    out[i] = type == WeightType::bf16 ? std::bit_cast<float>(static_cast<uint32_t>(h) << 16) : half_to_float(h);
  }
}

const Weight* Weights::find(const std::string& name) const {
  auto it = weights_.find(name);
  return it == weights_.end() ? nullptr : &it->second;
}

Status Weights::add_file(const std::string& path) {
  const char* mend = "download the file again";
  Result<std::shared_ptr<const Mapping>> mapped = Mapping::open(path);
  if (!mapped)
    return mapped.error();
  std::span<const unsigned char> file = (*mapped)->bytes();
  uint64_t length = 0;
  std::memcpy(&length, file.data(), 8);
  if (length > k_max_header || length > file.size() - 8)
    return Error{fmt::format("claims a header of {} bytes", length), path, 0, 0, mend};
  const char* text = reinterpret_cast<const char*>(file.data()) + 8;
  nlohmann::json header = nlohmann::json::parse(text, text + length, nullptr, false);
  if (!header.is_object())
    return Error{"has no JSON header", path, 0, 0, mend};
  std::span<const unsigned char> data = file.subspan(8 + length);
  for (auto& [name, tensor] : header.items()) {
    if (name == "__metadata__")
      continue;
    auto broken = [&, n = name](std::string what) {
      return Error{fmt::format("tensor {}: {}", n, std::move(what)), path, 0, 0, mend};
    };
    if (!tensor.is_object() || !tensor.contains("dtype") || !tensor["dtype"].is_string() || !tensor.contains("shape") ||
        !tensor["shape"].is_array() || !tensor.contains("data_offsets") || !tensor["data_offsets"].is_array() ||
        tensor["data_offsets"].size() != 2 || !tensor["data_offsets"][0].is_number_unsigned() ||
        !tensor["data_offsets"][1].is_number_unsigned())
      return broken("needs dtype, shape and two data_offsets");
    Weight w;
    w.name = name;
    w.type_name = tensor["dtype"].get<std::string>();
    w.type = w.type_name == "F32"    ? WeightType::f32
             : w.type_name == "F16"  ? WeightType::f16
             : w.type_name == "BF16" ? WeightType::bf16
                                     : WeightType::other;
    auto begin = tensor["data_offsets"][0].get<uint64_t>(), end = tensor["data_offsets"][1].get<uint64_t>();
    if (begin > end || end > data.size())
      return broken(fmt::format("bytes {} to {} of {}", begin, end, data.size()));
    uint64_t elements = 1;
    for (auto& d : tensor["shape"]) {
      if (!d.is_number_unsigned())
        return broken("a dimension is not a number");
      auto dim = d.get<uint64_t>();
      w.shape.push_back(dim);
      if (__builtin_mul_overflow(elements, dim, &elements))
        return broken("a shape larger than memory");
    }
    uint64_t bytes = 0, each = element_bytes(w.type_name);
    if (each != 0 && (__builtin_mul_overflow(elements, each, &bytes) || bytes != end - begin))
      return broken(fmt::format("{} elements of {} in {} bytes", elements, w.type_name, end - begin));
    w.data = data.data() + begin;
    if (!weights_.try_emplace(name, std::move(w)).second)
      return broken("is in two files");
  }
  mappings_.push_back(*mapped);
  return {};
}

Result<Weights> Weights::open(const std::string& path) {
  std::vector<std::string> files;
  std::error_code ec;
  if (fs::is_directory(path, ec)) {
    for (const auto& entry : fs::directory_iterator(path, ec))
      if (entry.path().extension() == ".safetensors")
        files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    if (files.empty())
      return Error{"has no *.safetensors", path, 0, 0, "give the directory of a checkpoint with its weights"};
  } else {
    files.push_back(path);
  }
  Weights out;
  for (const std::string& file : files) {
    try {
      if (Status s = out.add_file(file); !s)
        return s.error();
    } catch (const std::exception& e) {
      return Error{std::string("cannot be read: ") + e.what(), file, 0, 0, ""};
    }
  }
  return out;
}

} // namespace gelint::checkpoint
