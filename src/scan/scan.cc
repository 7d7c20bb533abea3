#include "scan/scan.h"

#include "scan/assemble.h"
#include "scan/cache.h"
#include "scan/embedded.h"
#include "scan/header_share.h"
#include "scan/knowledge.h"
#include "scan/parse_unit.h"
#include "scan/stub_sysroot.h"
#include "scan/tu.h"
#include "scan/workers.h"
#include "support/version.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <thread>

namespace gelint::scan {

std::string libclang_version() { return take(clang_getClangVersion()); }

namespace {

/// Work shared out to threads by index; used before any worker process is forked.
void parallel(size_t n, int jobs, const std::function<void(size_t)>& f) {
  std::atomic<size_t> next{0};
  auto loop = [&] {
    for (size_t i; (i = next++) < n;)
      f(i);
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < jobs && static_cast<size_t>(j) < n; ++j)
    threads.emplace_back(loop);
  loop();
  for (std::thread& t : threads)
    t.join();
}

class Scanner {
public:
  Scanner(const ScanOptions& o, SourceTree tree, ApiRules rules) : o_(o), tree_(std::move(tree)), rules_(std::move(rules)) {
    jobs_ = o.jobs > 0 ? o.jobs : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }

  Status open_database() {
    std::string path = o_.compile_database_dir;
    if (path.empty() && o_.search_compile_database)
      path = CompileDatabase::find_near(o_.root);
    if (path.empty())
      return Status();
    auto db = CompileDatabase::load(path);
    if (!db)
      return db.error();
    db_ = std::move(*db);
    result_.compile_database = db_->path();
    for (const std::string& f : db_->absent())
      result_.notes.push_back(fmt::format("the compile database names {}, which does not exist (configure the build again)", f));
    return Status();
  }

  ScanResult run() {
    result_.root = o_.root;
    result_.files_seen = tree_.files().size();
    find_needles({});
    result_.files_with_needles = wanted_files_.size();
    std::vector<UnitFacts> units = parse(units_to_parse(), nullptr);
    // What the units tell of each other's functions, and helpers whose names hold no needle.
    auto k = std::make_unique<Knowledge>(tree_, rules_, models(), units);
    std::set<std::string> learned = k->learned_names();
    std::set<std::string> before = wanted_files_;
    learned_.insert(learned.begin(), learned.end());
    if (!learned.empty())
      find_needles(learned);
    if (std::set<std::string> makers = k->layer_makers(); !makers.empty())
      find_needles(makers);
    FunctionIndex index = k->index();
    std::vector<size_t> again;
    for (size_t i = 0; i < units.size(); ++i)
      if (needs_index(units[i], index))
        again.push_back(i);
    std::vector<std::string> fresh;
    for (const std::string& f : wanted_files_)
      if (!before.count(f) && is_parsable(language_of(f)))
        fresh.push_back(f);
    if (!again.empty() || !fresh.empty()) {
      std::vector<std::string> paths;
      for (size_t i : again)
        paths.push_back(units[i].path);
      paths.insert(paths.end(), fresh.begin(), fresh.end());
      std::vector<UnitFacts> second = parse(paths, &index);
      for (size_t i = 0; i < second.size(); ++i) {
        if (i < again.size())
          units[again[i]] = std::move(second[i]);
        else
          units.push_back(std::move(second[i]));
      }
      k = std::make_unique<Knowledge>(tree_, rules_, models(), units);
    } else if (!learned.empty() || before != wanted_files_) {
      k = std::make_unique<Knowledge>(tree_, rules_, models(), units);
    }
    assemble(result_, *k, units, tree_, o_.all_activations);
    return std::move(result_);
  }

private:
  void find_needles(const std::set<std::string>& learned) {
    const auto& files = tree_.files();
    std::vector<char> hit(files.size(), 0);
    parallel(files.size(), jobs_, [&](size_t i) {
      if (wanted_files_.count(files[i].path))
        return;
      MappedFile f(tree_.absolute(files[i].path));
      if (learned.empty())
        hit[i] = has_needle(f.text(), true) && (o_.all_activations || has_needle(f.text(), false) || chooses(f.text()));
      else
        for (const std::string& name : learned)
          if (f.text().find(name) != std::string_view::npos) {
            hit[i] = 1;
            break;
          }
    });
    for (size_t i = 0; i < files.size(); ++i)
      if (hit[i])
        wanted_files_.insert(files[i].path);
  }

  /// A file that only says "hidden_act" or "activation" matters when it may hand a choice on.
  static bool chooses(std::string_view text) {
    return text.find("ctivation") != std::string_view::npos || text.find("hidden_act") != std::string_view::npos ||
           text.find("act_fn") != std::string_view::npos || text.find("CTIVATION") != std::string_view::npos;
  }

  std::vector<std::string> units_to_parse() {
    std::vector<std::string> out;
    for (const std::string& f : wanted_files_)
      if (is_parsable(language_of(f)))
        out.push_back(f);
    return out;
  }

  const CompileCommand* command_of(const std::string& path) const {
    if (!db_)
      return nullptr;
    std::string absolute = tree_.absolute(path);
    if (const CompileCommand* c = db_->find(absolute))
      return c;
    Language l = language_of(path);
    return l == Language::header ? db_->nearest(absolute) : nullptr;
  }

  std::string cache_key(const std::string& path, const CompileCommand* c, const FunctionIndex* index) const {
    UnitRequest r;
    r.path = path;
    r.command = c;
    r.extra_args = o_.extra_args;
    SourceTree::Includes includes = tree_.includes_of(path);
    std::string text = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", GELINT_VERSION, GELINT_COMMIT, libclang_version(), StubSysroot::instance().fingerprint(),
                                   rules_.fingerprint(), path);
    for (const std::string& a : unit_arguments(tree_, r, includes)) {
      // A moved checkout has the same facts: its own root does not belong into the key.
      std::string moved = a;
      std::string root = tree_.absolute("");
      for (size_t at; (at = moved.find(root)) != std::string::npos;)
        moved.replace(at, root.size(), "{root}/");
      text += moved + "\n";
    }
    text += o_.all_activations ? "all\n" : "family\n";
    text += hash_of(path);
    for (const std::string& f : includes.files)
      text += f + hash_of(f) + (reports_on_.at(path).count(f) ? "+" : "-");
    for (const std::string& f : includes.outside)
      text += f + "\n";
    text += index ? index_hash_ : "first";
    for (const std::string& l : learned_)
      text += l + ",";
    return content_hash(text);
  }

  const std::string& hash_of(const std::string& path) const {
    auto it = hashes_.find(path);
    if (it == hashes_.end())
      it = hashes_.emplace(path, content_hash(MappedFile(tree_.absolute(path)).text())).first;
    return it->second;
  }

  std::vector<UnitFacts> parse(const std::vector<std::string>& paths, const FunctionIndex* index) {
    reports_on_ = headers_.share(units_to_parse(), wanted_files_);
    if (index) {
      std::string all;
      for (const auto& u : last_summaries_)
        all += u;
      index_hash_ = content_hash(all);
    }
    Cache cache(o_.use_cache ? cache_directory() : std::string());
    std::vector<UnitFacts> out(paths.size());
    std::vector<size_t> todo;
    std::vector<std::string> keys(paths.size());
    for (size_t i = 0; i < paths.size(); ++i) {
      if (o_.use_cache) {
        keys[i] = cache_key(paths[i], command_of(paths[i]), index);
        if (auto data = cache.get(keys[i])) {
          ArchiveReader r(*data);
          io(r, out[i]);
          if (r.ok)
            continue;
          out[i] = UnitFacts{};
        }
      }
      todo.push_back(i);
    }
    // Large files first: the last unit to finish then is a small one.
    std::stable_sort(todo.begin(), todo.end(), [&](size_t a, size_t b) { return size_of(paths[a]) > size_of(paths[b]); });
    auto task = [&](size_t t) {
      UnitRequest r;
      r.path = paths[todo[t]];
      r.command = command_of(r.path);
      r.all_activations = o_.all_activations;
      r.index = index;
      r.extra_args = o_.extra_args;
      r.wanted_files = &reports_on_.at(r.path);
      r.wanted = [this](std::string_view id) {
        NeedleClass c = classify_identifier(id);
        return c != NeedleClass::none ? c : learned_.count(std::string(id)) ? NeedleClass::gelu : NeedleClass::none;
      };
      UnitFacts u = parse_unit(tree_, r);
      ArchiveWriter w;
      io(w, u);
      return std::move(w.data);
    };
    uint64_t total = todo.size();
    std::vector<TaskResult> results = run_isolated(todo.size(), jobs_, o_.unit_timeout_seconds, task, [&](size_t done) {
      if (o_.progress)
        o_.progress(done, total);
    });
    for (size_t t = 0; t < todo.size(); ++t) {
      UnitFacts& u = out[todo[t]];
      if (results[t].ok) {
        ArchiveReader r(results[t].data);
        io(r, u);
        if (r.ok && u.parsed && o_.use_cache)
          cache.put(keys[todo[t]], results[t].data);
      } else {
        u.path = paths[todo[t]];
        u.failure = results[t].failure;
      }
    }
    for (const UnitFacts& u : out)
      for (const FunctionSummary& s : u.summaries)
        last_summaries_.push_back(s.usr + s.expr);
    return out;
  }

  uint64_t size_of(const std::string& path) const {
    auto it = std::lower_bound(tree_.files().begin(), tree_.files().end(), path, [](const SourceFile& f, const std::string& p) { return f.path < p; });
    return it == tree_.files().end() ? 0 : it->size;
  }

  static bool needs_index(const UnitFacts& u, const FunctionIndex& index) {
    for (const DefinitionFact& d : u.definitions)
      if (!d.value.ok())
        for (const std::string& x : d.unresolved)
          if (index.find(x) || index.find_table(x, x))
            return true;
    return false;
  }

  std::vector<FileModel> models() {
    std::vector<std::string> paths(wanted_files_.begin(), wanted_files_.end());
    std::vector<FileModel> out(paths.size()), embedded(paths.size());
    std::function<NeedleClass(std::string_view)> wanted = [this](std::string_view id) { return classify_identifier(id); };
    parallel(paths.size(), jobs_, [&](size_t i) {
      FileModel& m = out[i];
      m.path = paths[i];
      m.map = std::make_unique<MappedFile>(tree_.absolute(m.path));
      m.language = language_of_text(m.path, m.map->text());
      m.backend = backend_of_path(m.path);
      m.has_command = command_of(m.path) != nullptr;
      m.lex = lex(m.map->text());
      m.outline = outline(m.lex, wanted);
      if (std::string text = m.language == Language::shader ? std::string() : embedded_source(m.lex); !text.empty()) {
        FileModel& e = embedded[i];
        e.path = m.path;
        e.language = Language::shader;
        e.backend = m.backend;
        e.embedded = std::make_unique<std::string>(std::move(text));
        e.lex = lex(*e.embedded);
        place_in_host(e.lex, m.map->text());
        e.outline = outline(e.lex, wanted);
      }
    });
    for (FileModel& e : embedded)
      if (e.embedded)
        out.push_back(std::move(e));
    return out;
  }

  const ScanOptions& o_;
  SourceTree tree_;
  ApiRules rules_;
  std::optional<CompileDatabase> db_;
  ScanResult result_;
  int jobs_ = 1;
  std::set<std::string> wanted_files_;
  HeaderShare headers_{tree_, [this](const std::string& path) { return command_of(path); }};
  std::map<std::string, std::set<std::string>> reports_on_;
  std::set<std::string, std::less<>> learned_;
  std::vector<std::string> last_summaries_;
  std::string index_hash_;
  mutable std::map<std::string, std::string> hashes_;
};

} // namespace

Result<ScanResult> scan_tree(const ScanOptions& options) {
  auto tree = SourceTree::walk(options.root, options.exclude);
  if (!tree)
    return tree.error();
  if (tree->files().empty() && !tree->unreadable().empty())
    return Error{tree->unreadable()[0].second, options.root + "/" + tree->unreadable()[0].first, 0, 0, "check its permissions"};
  if (tree->files().empty())
    return Error{"there is no source file in it", options.root, 0, 0, "C, C++, CUDA, Objective-C and shader files are read"};
  auto rules = ApiRules::load(options.rule_files);
  if (!rules)
    return rules.error();
  Scanner s(options, std::move(*tree), std::move(*rules));
  if (Status st = s.open_database(); !st)
    return st.error();
  return s.run();
}

} // namespace gelint::scan
