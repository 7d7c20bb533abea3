#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/terminal.h"
#include "support/cache_dir.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <regex>

namespace gelint::cli {
namespace {

namespace fs = std::filesystem;

/// Only what gelint itself makes there: one folder for each version, and the compiled kernels. The folder may be the
/// user's own choice, so it is not removed as a whole.
bool is_ours(const std::string& name) {
  static const std::regex version("[0-9]+\\.[0-9]+\\.[0-9]+-[0-9a-z]+");
  return name == "kernels" || std::regex_match(name, version);
}

int clean(const CommonOptions& o) {
  const std::string root = cache_root();
  std::error_code ec;
  uint64_t files = 0, bytes = 0;
  std::vector<fs::path> folders;
  for (const fs::directory_entry& e : fs::directory_iterator(root.empty() ? fs::path("/nonexistent") : fs::path(root), ec))
    if (e.is_directory(ec) && !e.is_symlink(ec) && is_ours(e.path().filename().string()))
      folders.push_back(e.path());
  for (const fs::path& folder : folders) {
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(folder, ec))
      if (e.is_regular_file(ec)) {
        ++files;
        bytes += e.file_size(ec);
      }
    fs::remove_all(folder, ec);
    if (ec)
      return fault(Error{"cannot be removed: " + ec.message(), folder.string(), 0, 0, ""});
  }
  note(o, fmt::format("removed {} cached file{}, {} KiB", files, files == 1 ? "" : "s", (bytes + 1023) / 1024));
  return exit_clean;
}

} // namespace

void add_cache(CLI::App& app, int& status) {
  CLI::App* cmd = app.add_subcommand("cache", "Show or empty the cache of parsed units and compiled kernels");
  cmd->require_subcommand(1);
  auto o = std::make_shared<CommonOptions>();
  CLI::App* clean_cmd = cmd->add_subcommand("clean", "Remove everything gelint has cached, of every version");
  clean_cmd->add_flag("-q,--quiet", o->quiet, "Do not say what was removed");
  clean_cmd->callback([o, &status] { status = clean(*o); });
  cmd->add_subcommand("dir", "Print the folder of the cache")->callback([&status] {
    status = write_stdout(cache_root() + "\n") ? exit_clean : exit_fault;
  });
}

} // namespace gelint::cli
