#include "cli/reference.h"

#include <filesystem>

namespace gelint::cli {

Result<hf::Tables*> reference_tables(const CommonOptions& o) {
  hf::Tables* tables = &hf::Tables::builtin();
  for (const std::string& path : o.hf_defaults) {
    std::error_code ec;
    if (!std::filesystem::exists(path, ec))
      return Error{"does not exist", path, 0, 0, "give a directory like hf_defaults/, or a YAML overlay"};
    if (std::filesystem::is_directory(path + "/tables", ec)) {
      Result<std::unique_ptr<hf::Tables>> own = hf::Tables::from_directory(path);
      if (!own)
        return own.error();
      tables = own->release();
    } else if (Status added = tables->add_overlay(path); !added) {
      return added.error();
    }
  }
  if (tables->releases().empty())
    return Error{"this build has no Hugging Face tables", "", 0, 0, "build it again, or give --hf-defaults DIRECTORY"};
  return tables;
}

Status there_is_a_model(const std::string& path) {
  std::error_code ec;
  if (path == "-" || std::filesystem::exists(path, ec))
    return {};
  return Error{std::filesystem::is_symlink(path, ec) ? "is a broken symbolic link" : "does not exist", path, 0, 0,
               "give a model directory, a config.json, a tree of models, or - for JSON lines"};
}

} // namespace gelint::cli
