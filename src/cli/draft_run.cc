#include "cli/draft_run.h"

#include "hf/resolve.h"
#include "support/embed.h"
#include "support/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>

namespace gelint::cli {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& p) {
  static constexpr std::array<std::string_view, 10> k_ends = {".c", ".cc", ".cpp", ".cxx", ".cu",
                                                              ".h", ".hh", ".hpp", ".cuh", ".mm"};
  std::string end = p.extension().string();
  return std::find(k_ends.begin(), k_ends.end(), end) != k_ends.end();
}

/// Architecture enumerators of every source file, in path order.
void read_tree(const std::string& root, std::vector<decide::ArchCase>& cases,
               std::vector<decide::ArchName>& names) {
  std::vector<fs::path> files;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ec),
       end;
       it != end && !ec; it.increment(ec)) {
    if (it->is_directory(ec) && it->path().filename().string().starts_with('.'))
      it.disable_recursion_pending();
    else if (it->is_regular_file(ec) && is_source(it->path()))
      files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  constexpr size_t k_most = size_t{8} << 20; // generated files beyond that name no architectures
  for (const fs::path& f : files)
    if (Result<std::string> text = read_file(f.string(), k_most))
      decide::read_arch_cases(*text, f.lexically_relative(root).generic_string(), cases, names);
}

} // namespace

Result<decide::Draft> make_draft(const scan::ScanResult& scan, const std::string& root,
                                 const std::string& transformers) {
  constexpr std::string_view k_names = "inventory/names/model_names.yaml";
  std::string version = transformers == "auto" ? "" : transformers;
  std::vector<std::string> types = hf::model_types(version);
  Result<decide::ModelNames> names =
      decide::ModelNames::make(types, embedded_file(k_names).value_or(""), std::string(k_names));
  if (!names)
    return names.error();
  decide::DraftInput in;
  in.scan = &scan;
  in.names = &*names;
  read_tree(root, in.cases, in.arch_names);
  std::map<std::string, std::string> texts;
  in.source = [&](const std::string& path) -> std::string_view {
    auto [it, fresh] = texts.try_emplace(path);
    if (fresh)
      if (Result<std::string> text = read_file((fs::path(root) / path).string()))
        it->second = std::move(*text);
    return it->second;
  };
  std::map<std::string, std::optional<hf::ModelReport>, std::less<>> known;
  in.defaults = [&](std::string_view type) -> const hf::ModelReport* {
    auto it = known.find(type);
    if (it == known.end()) {
      Result<hf::ModelReport> found = hf::defaults_of(type, version);
      it = known.emplace(std::string(type), found ? std::optional(*found) : std::nullopt).first;
    }
    return it->second ? &*it->second : nullptr;
  };
  return decide::draft_bindings(in);
}

} // namespace gelint::cli
