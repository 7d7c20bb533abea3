#include "cli/audit_run.h"

#include "checkpoint/model.h"
#include "cli/baseline_file.h"
#include "cli/checks.h"
#include "cli/cli.h"
#include "cli/draft_run.h"
#include "cli/reference.h"
#include "decide/rule.h"
#include "decide/waive.h"
#include "hf/resolve.h"
#include "support/embed.h"
#include "support/files.h"
#include "support/text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace gelint::cli {
namespace {

namespace fs = std::filesystem;

/// Confidence from which a proposed binding is used when there is no inventory.
constexpr double k_draft_least = 0.6;

std::string today() {
  std::time_t now = std::time(nullptr);
  std::tm t{};
  ::localtime_r(&now, &t);
  return fmt::format("{:04}-{:02}-{:02}", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
}

/// "example, mlxcel, …"
std::vector<std::string_view> builtin_inventories() {
  std::vector<std::string_view> out;
  for (const EmbeddedFile& f : embedded_files("inventory/"))
    if (std::string_view name = f.path.substr(std::string_view("inventory/").size());
        name.ends_with(".yaml") && name.find('/') == std::string_view::npos)
      out.push_back(name.substr(0, name.size() - std::string_view(".yaml").size()));
  return out;
}

/// Faults inside of a file are findings; a file that is not there is a fault of the command line.
Result<decide::Inventory> read_inventories(const std::vector<std::string>& names) {
  decide::Inventory all;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string_view> known = builtin_inventories();
    std::error_code ec;
    if (!fs::exists(names[i], ec) && std::find(known.begin(), known.end(), names[i]) == known.end()) {
      std::string_view near = nearest_text(names[i], known);
      return Error{"does not exist", names[i], 0, 0,
                   near.empty() ? fmt::format("name a file, or a built-in inventory: {}", fmt::join(known, ", "))
                                : fmt::format("did you mean the built-in inventory '{}'?", near)};
    }
    decide::Inventory one = decide::load_inventory(names[i]);
    if (i == 0)
      all = std::move(one);
    else
      decide::merge_inventory(all, std::move(one));
  }
  return all;
}

/// The state must be one that some recorded site is of.
Status check_state(const decide::Inventory& inv, const std::string& state) {
  std::set<std::string_view> states;
  for (const decide::RecordedSite& r : inv.recorded)
    states.insert(r.states.begin(), r.states.end());
  for (const decide::RecordedTable& r : inv.recorded_tables)
    states.insert(r.states.begin(), r.states.end());
  if (states.contains(state))
    return {};
  std::string_view near = nearest_text(state, std::vector<std::string_view>(states.begin(), states.end()));
  return Error{fmt::format("--state: no recorded site is of the state '{}'", state), "", 0, 0,
               states.empty()  ? "the inventory records none"
               : near.empty() ? fmt::format("states: {}", fmt::join(states, ", "))
                              : fmt::format("did you mean '{}'?", near)};
}

/// The inventory's own checkpoints, from the folder of the file that lists
/// them. Built-in inventories have none on disk.
std::vector<std::string> inventory_checkpoints(const decide::Inventory& inv) {
  std::vector<std::string> out;
  for (const decide::CheckpointEntry& c : inv.checkpoints) {
    std::error_code ec;
    if (fs::exists(c.where.file, ec))
      out.push_back((fs::path(c.where.file).parent_path() / c.path).lexically_normal().string());
  }
  return out;
}

struct Checkpoints {
  std::vector<checkpoint::Model> models; ///< kept for config values; same order as reports
  std::vector<hf::ModelReport> reports;
};

Checkpoints resolve_all(const std::vector<std::string>& paths, const CommonOptions& o, hf::Tables& tables) {
  Checkpoints out;
  hf::ResolveOptions options;
  options.transformers = o.transformers;
  for (const std::string& path : paths)
    checkpoint::for_each_model(path, [&](checkpoint::Model&& m) {
      out.reports.push_back(hf::resolve_model(tables, m, options));
      out.models.push_back(std::move(m));
    });
  return out;
}

std::optional<std::string> config_value(const checkpoint::Model& m, std::string_view path) {
  if (!m.config)
    return std::nullopt;
  checkpoint::Value v = m.config->root().at_path(path);
  if (!v || v.is(checkpoint::Kind::missing))
    return std::nullopt;
  return std::string(v.is(checkpoint::Kind::string) ? v.string() : v.text());
}

std::string ids_of(const std::vector<const decide::Binding*>& rows) {
  constexpr size_t k_shown = 12;
  std::string out;
  for (size_t i = 0; i < rows.size() && i < k_shown; ++i)
    out += (i ? ", " : "") + rows[i]->id;
  return rows.size() > k_shown ? out + ", …" : out;
}

/// A day of the calendar, as "2027-01-31".
bool is_date(const std::string& s) {
  int y = 0, m = 0, d = 0, end = 0;
  return s.size() == 10 && std::sscanf(s.c_str(), "%4d-%2d-%2d%n", &y, &m, &d, &end) == 3 && end == 10 &&
         std::chrono::year_month_day(std::chrono::year(y), std::chrono::month(static_cast<unsigned>(m)),
                                     std::chrono::day(static_cast<unsigned>(d))).ok();
}

bool selected(std::string_view rule, const CommonOptions& o) {
  auto starts = [&](const std::string& p) { return rule.starts_with(p); };
  return (o.select.empty() || std::any_of(o.select.begin(), o.select.end(), starts)) &&
         std::none_of(o.ignore.begin(), o.ignore.end(), starts);
}

} // namespace

void add_audit_options(CLI::App& cmd, AuditOptions& o) {
  cmd.add_option("CODEBASE", o.codebase,
                 "Folder of the engine's source (default: the settings file's)");
  cmd.add_option("MODEL", o.models, "Checkpoints: directories, config.json files, trees of models");
  cmd.add_option("-m,--model", o.more_models, "The same as MODEL; repeatable")
      ->type_name("MODEL")
      ->allow_extra_args(false);
  cmd.add_option("-i,--inventory", o.inventories,
                 "Inventory file, or the name of a built-in one; repeatable")
      ->type_name("FILE|NAME")
      ->allow_extra_args(false);
  cmd.add_option("--state", o.state, "Which of the inventory's recorded sites count")
      ->type_name("NAME");
  cmd.add_option("--baseline", o.baseline, "Findings that this file lists do not count")
      ->type_name("FILE");
  checked(cmd.add_option("--date", o.date, "Date for waivers that expire (default: today)")->type_name("YYYY-MM-DD"),
          [](const std::string& s) { return is_date(s) ? std::string() : "'" + s + "' is not a date (YYYY-MM-DD)"; });
  cmd.add_flag("--class-defaults", o.class_defaults,
               "Decide bindings that no checkpoint fits on the class defaults "
               "of their model types "
               "(default when no "
               "checkpoint is given)");
  add_report_options(cmd, o.common);
  add_scan_options(cmd, o.common);
  add_reference_options(cmd, o.common);
}

std::string git_commit_of(const std::string& folder) {
  auto first_line = [](const std::string& path) {
    Result<std::string> text = read_file(path, 1 << 20);
    return text ? text->substr(0, text->find('\n')) : std::string();
  };
  fs::path git = fs::path(folder) / ".git";
  std::error_code ec;
  if (fs::is_regular_file(git, ec)) { // a linked working tree
    std::string line = first_line(git.string());
    if (!line.starts_with("gitdir: "))
      return {};
    git = fs::path(folder) / line.substr(8);
  }
  std::string head = first_line((git / "HEAD").string());
  if (!head.starts_with("ref: "))
    return head.substr(0, 40);
  std::string ref = head.substr(5);
  for (fs::path dir : {git, (git / "../..").lexically_normal()})
    if (std::string commit = first_line((dir / ref).string()); !commit.empty())
      return commit;
  Result<std::string> packed = read_file((git / "packed-refs").string());
  size_t at = packed ? packed->find(" " + ref + "\n") : std::string::npos;
  return at == std::string::npos || at < 40 ? "" : packed->substr(at - 40, 40);
}

Result<AuditRun> run_audit(AuditOptions& o, bool use_outputs) {
  Result<Settings> settings = resolve_settings(o.common, use_outputs);
  if (!settings)
    return settings.error();
  if (o.codebase.empty())
    o.codebase = settings->codebase;
  if (o.inventories.empty())
    o.inventories = settings->inventories;
  if (use_outputs && o.baseline.empty()) // the commands on baselines name their file themselves
    o.baseline = settings->baseline;
  o.models.insert(o.models.end(), o.more_models.begin(), o.more_models.end());
  bool models_given = !o.models.empty();
  if (o.models.empty())
    o.models = settings->checkpoints;

  Result<hf::Tables*> tables = reference_tables(o.common);
  if (!tables)
    return tables.error();

  AuditRun run;
  if (Result<decide::Inventory> read = read_inventories(o.inventories))
    run.inventory = std::move(*read);
  else
    return read.error();
  if (!o.state.empty()) {
    if (Status st = check_state(run.inventory, o.state); !st)
      return st.error();
    run.inventory.state = o.state;
  }
  if (o.models.empty())
    o.models = inventory_checkpoints(run.inventory);
  if (o.codebase.empty() && run.inventory.recorded.empty())
    return Error{"audit: there is no codebase", "", 0, 0,
                 "name its folder, or set `codebase` in .gelint.yaml"};

  report::Report& r = run.report;
  r.command = report::Command::audit;
  if (!o.codebase.empty()) {
#if GELINT_HAVE_SCANNER
    scan::ScanOptions options = make_scan_options(o.common, o.codebase);
    options.all_activations = true;
    Result<scan::ScanResult> scan = scan::scan_tree(options);
    if (!scan)
      return scan.error();
    r.scan = std::move(*scan);
    lap("scan");
    r.provenance.codebase = o.codebase;
    r.provenance.codebase_commit = git_commit_of(o.codebase);
#else
    return Error{"audit: this gelint was built without the scanner", "", 0, 0,
                 "build with -DGELINT_SCANNER=ON"};
#endif
  }
  if (o.inventories.empty()) {
    // Better a proposal that says it is one than nothing bound at all.
    Result<decide::Draft> draft = make_draft(r.scan, o.codebase, o.common.transformers);
    if (!draft)
      return draft.error();
    run.inventory = decide::parse_inventory(
        decide::draft_yaml(*draft, r.scan, "draft", k_draft_least), "drafted inventory");
    r.scan.notes.push_back(fmt::format("no inventory: {} bindings were proposed from names in the "
                                       "code; see `gelint inventory draft`",
                                       run.inventory.rows.size()));
  }
  r.provenance.inventories = run.inventory.files;
  decide::add_recorded_sites(r.scan, run.inventory);

  for (const std::string& path : o.models)
    if (Status st = there_is_a_model(path); !st)
      run.status = fault(st.error());
  Checkpoints checkpoints = resolve_all(o.models, o.common, **tables);
  r.models = std::move(checkpoints.reports);
  lap("resolve");
  std::map<std::string, std::optional<hf::ModelReport>, std::less<>> defaults;
  decide::DecideInput in;
  in.models = &r.models;
  in.scan = &r.scan;
  in.inventory = &run.inventory;
  in.config_value = [&](size_t m, std::string_view path) {
    return config_value(checkpoints.models[m], path);
  };
  if (o.class_defaults || (!models_given && settings->checkpoints.empty()))
    in.class_defaults = [&](std::string_view type) -> const hf::ModelReport* {
      auto it = defaults.find(type);
      if (it == defaults.end()) {
        Result<hf::ModelReport> found =
            hf::defaults_of(**tables, type, o.common.transformers == "auto" ? "" : o.common.transformers);
        it =
            defaults.emplace(std::string(type), found ? std::optional(*found) : std::nullopt).first;
      }
      return it->second ? &*it->second : nullptr;
    };
  decide::Decisions decisions = decide::decide(in);
  r.rows = std::move(decisions.rows);
  run.selection = std::move(decisions.selection);
  run.without_model = std::move(decisions.without_model);
  if (!run.without_model.empty())
    r.scan.notes.push_back(fmt::format("{} rows of the inventory have no checkpoint here: {}",
                                       run.without_model.size(), ids_of(run.without_model)));

  decide::RuleContext context;
  context.models = &r.models;
  context.scan = &r.scan;
  context.rows = &r.rows;
  context.inventory = &run.inventory;
  context.selection = &run.selection;
  context.today = o.date.empty() ? today() : o.date;
  r.findings = decide::run_rules(context, o.common.select, o.common.ignore);
  decide::apply_waivers(r.findings, &r.scan, &run.inventory, &r.rows, context.today,
                        [&](std::string_view rule) {
                          return selected(rule, o.common) && rule != "GL004"; // GL004 is for verify
                        });
  decide::finish_findings(r.findings);
  lap("decide");
  if (!o.baseline.empty()) {
    Result<Baseline> baseline = read_baseline(o.baseline);
    if (!baseline)
      return baseline.error();
    mark_baseline(r.findings, *baseline);
  }
  return Result<AuditRun>(std::move(run)); // by move: the selection points into the inventory
}

} // namespace gelint::cli
