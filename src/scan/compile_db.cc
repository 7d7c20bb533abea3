#include "scan/compile_db.h"

#include "support/files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace gelint::scan {

namespace {

std::string join(const std::string& dir, const std::string& path) {
  fs::path p(path);
  return (p.is_absolute() ? p : fs::path(dir) / p).lexically_normal().string();
}

std::pair<int, int> line_and_column(const std::string& text, size_t byte) {
  int line = 1, column = 1;
  for (size_t i = 0; i + 1 < std::min(byte, text.size() + 1) && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return {line, column};
}

} // namespace

std::vector<std::string> split_command(const std::string& s) {
  std::vector<std::string> out;
  std::string cur;
  bool open = false;
  char quote = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    char c = s[i];
    if (quote) {
      if (c == quote) {
        quote = 0;
      } else if (c == '\\' && quote == '"' && i + 1 < s.size() && (s[i + 1] == '"' || s[i + 1] == '\\')) {
        cur += s[++i];
      } else {
        cur += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == '\\' && i + 1 < s.size()) {
      cur += s[++i];
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open || !cur.empty())
        out.push_back(cur);
      cur.clear();
      open = false;
    } else {
      cur += c;
    }
  }
  if (open || !cur.empty())
    out.push_back(cur);
  return out;
}

CompileCommand clean_command(std::vector<std::string> argv, const std::string& directory, const std::string& file) {
  CompileCommand c;
  c.file = join(directory, file);
  c.directory = directory;
  auto starts = [](const std::string& a, std::string_view p) { return a.rfind(p, 0) == 0; };
  bool nvcc = !argv.empty() && (argv[0].ends_with("nvcc") || argv[0].ends_with("nvcc.exe"));
  for (size_t i = 1; i < argv.size(); ++i) {
    const std::string& a = argv[i];
    auto value = [&](std::string_view flag) -> std::string { // "-I x" and "-Ix"
      if (a == flag)
        return i + 1 < argv.size() ? argv[++i] : std::string();
      return a.substr(flag.size());
    };
    if (a == "-ffast-math" || a == "-Ofast" || a == "--use_fast_math" || a == "-use_fast_math") {
      c.fast_math = true;
      continue;
    }
    if (starts(a, "-isystem") || starts(a, "-iquote") || starts(a, "-idirafter")) {
      std::string flag = starts(a, "-isystem") ? "-isystem" : starts(a, "-iquote") ? "-iquote" : "-idirafter";
      std::string v = value(flag);
      if (starts(v, "="))
        v.erase(0, 1);
      c.args.push_back(flag);
      c.args.push_back(join(directory, v));
    } else if (starts(a, "-I") || starts(a, "--include-path=")) {
      std::string v = starts(a, "-I") ? value("-I") : a.substr(15);
      c.args.push_back("-I" + join(directory, v));
    } else if (starts(a, "-D") || starts(a, "-U")) {
      std::string flag = a.substr(0, 2);
      c.args.push_back(flag + value(flag));
    } else if (a == "-include" || a == "--pre-include") {
      std::string v = value(a);
      c.args.push_back("-include");
      c.args.push_back(fs::exists(join(directory, v)) ? join(directory, v) : v);
    } else if (starts(a, "-std=") || starts(a, "--std=")) {
      c.args.push_back(a.substr(a.find("-std")));
    } else if (a == "-x") {
      std::string v = value("-x");
      if (v == "cu" || v == "cuda" || v == "hip")
        continue; // decided by the file
      c.args.push_back("-x");
      c.args.push_back(v);
    } else if (starts(a, "-m") && !starts(a, "-maxrregcount") && !starts(a, "-march=native") && !starts(a, "-mtune") && a != "-m") {
      c.args.push_back(a);
    } else if (starts(a, "-march=native")) {
      c.args.push_back(a);
    } else if (a == "-fopenmp" || a == "-pthread" || a == "-fno-exceptions" || a == "-fno-rtti" || starts(a, "--target=") || starts(a, "-target") ||
               starts(a, "-fms-") || a == "-fshort-enums" || a == "-fsycl" || starts(a, "--sysroot")) {
      if (a == "-fsycl")
        c.args.push_back("-DSYCL_LANGUAGE_VERSION=202001");
      else if (a == "-target")
        c.args.insert(c.args.end(), {a, value("-target")});
      else if (a != "-fopenmp")
        c.args.push_back(a);
    } else if (nvcc && (a == "-Xcompiler" || a == "-Xptxas" || a == "-gencode" || a == "-arch" || a == "-code" || a == "-ccbin" || a == "-Xcudafe" ||
                        a == "-Xlinker" || a == "-maxrregcount" || a == "--generate-code" || a == "-diag-suppress")) {
      ++i;
    } else if (a == "-o" || a == "-MF" || a == "-MT" || a == "-MQ" || a == "-Xclang" || a == "-arch" || a == "--options-file") {
      ++i;
    }
    // everything else is for code generation, warnings or linking
  }
  return c;
}

Result<CompileDatabase> CompileDatabase::load(const std::string& dir_or_file) {
  std::error_code ec;
  std::string path = fs::is_directory(dir_or_file, ec) ? (fs::path(dir_or_file) / "compile_commands.json").string() : dir_or_file;
  auto text = read_file(path);
  if (!text) {
    Error e = text.error();
    e.mend = "-p names the directory that holds compile_commands.json, which CMake writes with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
    return e;
  }
  CompileDatabase db;
  db.path_ = path;
  std::string base = fs::absolute(fs::path(path)).parent_path().string();
  nlohmann::json j;
  try {
    j = nlohmann::json::parse(*text);
  } catch (const nlohmann::json::parse_error& e) {
    auto [line, column] = line_and_column(*text, e.byte);
    return Error{"is not valid JSON", path, line, column, "write the compile database anew"};
  }
  if (!j.is_array())
    return Error{"is not a compile database: there is no list of commands at its top", path, 1, 1, "write the compile database anew"};
  for (const nlohmann::json& e : j) {
    if (!e.is_object() || !e.contains("file") || !e["file"].is_string())
      continue;
    std::string directory = e.contains("directory") && e["directory"].is_string() ? join(base, e["directory"].get<std::string>()) : base;
    std::vector<std::string> argv;
    if (e.contains("arguments") && e["arguments"].is_array()) {
      for (const nlohmann::json& a : e["arguments"])
        if (a.is_string())
          argv.push_back(a.get<std::string>());
    } else if (e.contains("command") && e["command"].is_string()) {
      argv = split_command(e["command"].get<std::string>());
    }
    std::string file = e["file"].get<std::string>();
    CompileCommand c = clean_command(std::move(argv), directory, file);
    if (!fs::exists(c.file, ec)) {
      db.absent_.push_back(file);
      continue;
    }
    db.commands_.try_emplace(c.file, std::move(c)); // the first command of a file wins
  }
  std::sort(db.absent_.begin(), db.absent_.end());
  db.absent_.erase(std::unique(db.absent_.begin(), db.absent_.end()), db.absent_.end());
  return db;
}

std::string CompileDatabase::find_near(const std::string& start) {
  std::error_code ec;
  fs::path p = fs::absolute(start, ec).lexically_normal();
  if (fs::is_regular_file(p, ec))
    p = p.parent_path();
  for (int up = 0; up < 12; ++up) {
    for (const char* sub : {"", "build"}) {
      fs::path c = (*sub ? p / sub : p) / "compile_commands.json";
      if (fs::is_regular_file(c, ec))
        return c.string();
    }
    if (!p.has_parent_path() || p.parent_path() == p)
      break;
    p = p.parent_path();
  }
  return {};
}

const CompileCommand* CompileDatabase::find(const std::string& file) const {
  auto it = commands_.find(file);
  return it == commands_.end() ? nullptr : &it->second;
}

const CompileCommand* CompileDatabase::nearest(const std::string& file) const {
  const CompileCommand* best = nullptr;
  size_t best_common = 0;
  for (const auto& [path, c] : commands_) {
    size_t n = 0, last = 0;
    while (n < path.size() && n < file.size() && path[n] == file[n]) {
      if (path[n] == '/')
        last = n;
      ++n;
    }
    if (!best || last > best_common) {
      best = &c;
      best_common = last;
    }
  }
  return best;
}

} // namespace gelint::scan
