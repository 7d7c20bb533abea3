#include "cli/version_text.h"

#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace gelint::cli {

int print_version(int argc, char** argv) {
  std::string_view format = "text";
  for (int i = 0; i < argc; ++i) {
    std::string_view arg = argv[i];
    if (arg == "--format" && i + 1 < argc)
      format = argv[++i];
    else if (arg.starts_with("--format="))
      format = arg.substr(9);
    else
      return fault(fmt::format("--version takes no argument '{}'", arg), "write gelint --version [--format json]");
  }
  if (format != "text" && format != "json")
    return fault(fmt::format("--version has no format '{}'", format), "formats: text, json");
  report::Provenance p = tool_provenance();
  const bool cuda = GELINT_HAVE_CUDA;
  const bool scanner = GELINT_HAVE_SCANNER;
  std::string out;
  if (format == "json") {
    nlohmann::ordered_json j = {{"schema", "gelint/1"},
                                {"gelint", p.gelint},
                                {"commit", p.commit},
                                {"libclang", scanner ? nlohmann::ordered_json(p.libclang) : nullptr},
                                {"transformers", p.transformers},
                                {"cuda", cuda}};
    out = j.dump(2) + "\n";
  } else {
    out = fmt::format("gelint {} (commit {})\nlibclang: {}\ntransformers tables: {}\nCUDA backend: {}\n", p.gelint,
                      p.commit, scanner ? p.libclang : "not built in (GELINT_SCANNER=OFF)",
                      p.transformers.empty() ? "none" : p.transformers, cuda ? "built in" : "not built in");
  }
  return write_stdout(out) ? exit_clean : exit_fault;
}

} // namespace gelint::cli
