#include "scan/source_tree.h"

#include "scan/needles.h"
#include "scan/stub_sysroot.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <unistd.h>

namespace fs = std::filesystem;

namespace gelint::scan {

Language language_of(std::string_view path) {
  size_t dot = path.rfind('.'), slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash))
    return Language::none;
  std::string_view e = path.substr(dot + 1);
  auto is = [&](std::initializer_list<std::string_view> l) { return std::find(l.begin(), l.end(), e) != l.end(); };
  if (is({"c"}))
    return Language::c;
  if (is({"cc", "cpp", "cxx", "C", "c++", "inl", "ipp", "tpp", "inc", "ixx"}))
    return Language::cxx;
  if (is({"cu", "cuh", "hip"}))
    return Language::cuda;
  if (is({"h", "hh", "hpp", "hxx", "h++"}))
    return Language::header;
  if (is({"m", "mm"}))
    return Language::objc;
  if (is({"metal", "comp", "cl", "wgsl", "glsl", "hlsl", "frag", "glslh"}))
    return Language::shader;
  return Language::none;
}

Language language_of_text(std::string_view path, std::string_view text) {
  const Language l = language_of(path);
  if (l != Language::header)
    return l;
  auto holds = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return text.find(w) != std::string_view::npos; });
  };
  const bool opencl = holds({"get_global_id(", "read_imagef(", "convert_float(", "convert_float4(", "__kernel "});
  return opencl && !holds({"std::", "namespace ", "class ", "template", "#include <"}) ? Language::shader : l;
}

bool glob_match(std::string_view p, std::string_view s) {
  if (p.find('/') == std::string_view::npos) {
    for (size_t a = 0; a <= s.size();) {
      size_t b = std::min(s.find('/', a), s.size());
      std::function<bool(std::string_view, std::string_view)> part = [&](std::string_view q, std::string_view t) -> bool {
        if (q.empty())
          return t.empty();
        if (q[0] == '*')
          return part(q.substr(1), t) || (!t.empty() && part(q, t.substr(1)));
        return !t.empty() && (q[0] == '?' || q[0] == t[0]) && part(q.substr(1), t.substr(1));
      };
      if (part(p, s.substr(a, b - a)))
        return true;
      a = b + 1;
    }
    return false;
  }
  std::function<bool(std::string_view, std::string_view)> whole = [&](std::string_view q, std::string_view t) -> bool {
    if (q.empty())
      return t.empty() || t[0] == '/';
    if (q.starts_with("**/"))
      return whole(q.substr(3), t) || (!t.empty() && whole(q, t.substr(1)));
    if (q.starts_with("**"))
      return true;
    if (q[0] == '*')
      return whole(q.substr(1), t) || (!t.empty() && t[0] != '/' && whole(q, t.substr(1)));
    return !t.empty() && (q[0] == t[0] || (q[0] == '?' && t[0] != '/')) && whole(q.substr(1), t.substr(1));
  };
  if (p.starts_with('/'))
    p.remove_prefix(1);
  if (p.ends_with('/'))
    p.remove_suffix(1);
  return whole(p, s);
}

Result<SourceTree> SourceTree::walk(const std::string& root, const std::vector<std::string>& exclude) {
  SourceTree t;
  t.root_ = root;
  std::error_code ec;
  fs::path top = fs::absolute(root, ec).lexically_normal();
  fs::file_status st = fs::status(top, ec);
  if (ec || st.type() == fs::file_type::not_found)
    return Error{"does not exist", root, 0, 0, "name a source tree or a source file"};
  if (fs::is_regular_file(st)) {
    t.single_file_ = true;
    t.absolute_root_ = top.parent_path().string();
    std::string name = top.filename().string();
    Language l = language_of(name);
    if (l == Language::none)
      return Error{"this is no source file that gelint reads", root, 0, 0, "C, C++, CUDA, Objective-C and shader files are read"};
    if (::access(top.c_str(), R_OK) != 0)
      return Error{fmt::format("cannot be read: {}", std::strerror(errno)), root, 0, 0, "check its permissions"};
    t.files_.push_back({name, l, fs::file_size(top, ec)});
  } else if (fs::is_directory(st)) {
    t.absolute_root_ = top.string();
    while (t.absolute_root_.size() > 1 && t.absolute_root_.ends_with('/'))
      t.absolute_root_.pop_back();
    auto excluded = [&](const std::string& rel) {
      return std::any_of(exclude.begin(), exclude.end(), [&](const std::string& g) { return glob_match(g, rel); });
    };
    std::function<void(const fs::path&, const std::string&)> down = [&](const fs::path& dir, const std::string& rel) {
      std::error_code e;
      fs::directory_iterator entries(dir, e);
      if (e)
        t.unreadable_.emplace_back(rel.empty() ? "." : rel, fmt::format("the folder cannot be read: {}", e.message()));
      for (const fs::directory_entry& entry : entries) {
        std::string name = entry.path().filename().string();
        std::string path = rel.empty() ? name : rel + "/" + name;
        std::error_code e2;
        if (entry.is_symlink(e2))
          continue;
        if (entry.is_directory(e2)) {
          if (name == ".git" || name == ".svn" || name == ".hg" || name == "node_modules" || name == "__pycache__" || excluded(path))
            continue;
          if (fs::exists(entry.path() / "CMakeCache.txt", e2) || fs::exists(entry.path() / "build.ninja", e2))
            continue;
          down(entry.path(), path);
        } else if (entry.is_regular_file(e2)) {
          Language l = language_of(name);
          if (l == Language::none || excluded(path))
            continue;
          if (::access(entry.path().c_str(), R_OK) != 0)
            t.unreadable_.emplace_back(path, fmt::format("cannot be read: {}", std::strerror(errno)));
          else
            t.files_.push_back({path, l, entry.file_size(e2)});
        }
      }
    };
    down(top, "");
  } else {
    return Error{"is neither a directory nor a regular file", root, 0, 0, "name a source tree or a source file"};
  }
  std::sort(t.files_.begin(), t.files_.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  for (size_t i = 0; i < t.files_.size(); ++i) {
    t.index_.emplace(t.files_[i].path, i);
    t.by_name_[t.files_[i].path.substr(t.files_[i].path.rfind('/') + 1)].push_back(t.files_[i].path);
  }
  return t;
}

std::string SourceTree::absolute(const std::string& relative) const { return absolute_root_ + "/" + relative; }

std::string SourceTree::relative(std::string_view path) const {
  if (path.starts_with(absolute_root_) && path.size() > absolute_root_.size() && path[absolute_root_.size()] == '/') {
    std::string rel(path.substr(absolute_root_.size() + 1));
    if (rel.find("./") != std::string::npos)
      rel = fs::path(rel).lexically_normal().string();
    return rel;
  }
  if (path.find("./") != std::string_view::npos && path.starts_with('/')) {
    std::string normal = fs::path(path).lexically_normal().string();
    if (normal != path)
      return relative(normal);
  }
  return {};
}

const std::vector<SourceTree::Line>& SourceTree::lines_of(const std::string& relative) const {
  auto it = lines_.find(relative);
  if (it != lines_.end())
    return it->second;
  std::vector<Line>& out = lines_[relative];
  MappedFile f(absolute(relative));
  std::string_view s = f.text();
  for (size_t i = s.find('#'); i != std::string_view::npos; i = s.find('#', i + 1)) {
    size_t k = i;
    while (k > 0 && (s[k - 1] == ' ' || s[k - 1] == '\t'))
      --k;
    if (k > 0 && s[k - 1] != '\n')
      continue;
    k = i + 1;
    while (k < s.size() && (s[k] == ' ' || s[k] == '\t'))
      ++k;
    if (s.substr(k, 7) != "include" && s.substr(k, 6) != "import")
      continue;
    k = s.find_first_of("<\"\n", k);
    if (k == std::string_view::npos || s[k] == '\n')
      continue;
    size_t e = s.find_first_of(s[k] == '<' ? ">\n" : "\"\n", k + 1);
    if (e == std::string_view::npos || s[e] == '\n' || e - k > 300)
      continue;
    out.push_back({std::string(s.substr(k + 1, e - k - 1)), s[k] == '"'});
  }
  return out;
}

namespace {
size_t common_prefix(std::string_view a, std::string_view b) {
  size_t n = 0, last = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) {
    if (a[n] == '/')
      last = n;
    ++n;
  }
  return last;
}
} // namespace

std::string SourceTree::resolve(const Line& l, const std::string& from) const {
  std::string dir = from.find('/') == std::string::npos ? "" : from.substr(0, from.rfind('/'));
  if (l.quoted) {
    std::string here = fs::path(dir.empty() ? l.name : dir + "/" + l.name).lexically_normal().string();
    if (has(here))
      return here;
  }
  std::string name = l.name;
  while (name.starts_with("../") || name.starts_with("./"))
    name.erase(0, name.find('/') + 1);
  auto it = by_name_.find(name.substr(name.rfind('/') + 1));
  if (it == by_name_.end())
    return {};
  std::string best;
  size_t best_common = 0;
  for (const std::string& p : it->second) {
    if (!(p == name || (p.size() > name.size() && p.ends_with(name) && p[p.size() - name.size() - 1] == '/')))
      continue;
    size_t common = common_prefix(p, from);
    if (best.empty() || common > best_common || (common == best_common && p.size() < best.size())) {
      best = p;
      best_common = common;
    }
  }
  return best;
}

SourceTree::Includes SourceTree::includes_of(const std::string& relative) const {
  Includes out;
  std::set<std::string> seen{relative};
  std::vector<std::string> todo{relative};
  auto add_dir = [](std::vector<std::string>& dirs, std::string d) {
    if (std::find(dirs.begin(), dirs.end(), d) == dirs.end())
      dirs.push_back(std::move(d));
  };
  const StubSysroot& stubs = StubSysroot::instance();
  for (size_t at = 0; at < todo.size(); ++at) {
    std::string from = todo[at];
    for (const Line& l : lines_of(from)) {
      // The standard headers are ours even where the tree has a file of that name.
      bool standard = !l.quoted && stubs.standard(l.name);
      std::string found = standard ? std::string() : resolve(l, from);
      if (found.empty()) {
        out.outside.insert(l.name);
        continue;
      }
      if (found.size() >= l.name.size() && found.ends_with(l.name)) {
        std::string d = found.size() == l.name.size() ? "." : found.substr(0, found.size() - l.name.size() - 1);
        add_dir(l.quoted ? out.quoted_dirs : out.angle_dirs, d);
      }
      if (seen.insert(found).second)
        todo.push_back(found);
    }
  }
  seen.erase(relative);
  out.files.assign(seen.begin(), seen.end());
  return out;
}

std::string SourceTree::includer_of(const std::string& header) const {
  // Breadth first over "who includes", by base name: exact resolution of every line of the tree would cost more.
  std::set<std::string> seen{header};
  std::vector<std::string> level{header};
  for (int depth = 0; depth < 4 && !level.empty(); ++depth) {
    std::vector<std::string> next;
    std::string best;
    for (const SourceFile& f : files_) {
      if (f.language == Language::none || f.language == Language::shader || seen.count(f.path))
        continue;
      for (const Line& l : lines_of(f.path)) {
        bool hit = false;
        for (const std::string& h : level)
          hit = hit || (h.ends_with(l.name.substr(l.name.rfind('/') + 1)) && resolve(l, f.path) == h);
        if (!hit)
          continue;
        seen.insert(f.path);
        next.push_back(f.path);
        if (f.language != Language::header && (best.empty() || common_prefix(f.path, header) > common_prefix(best, header)))
          best = f.path;
        break;
      }
    }
    if (!best.empty())
      return best;
    level = std::move(next);
  }
  return {};
}

} // namespace gelint::scan
