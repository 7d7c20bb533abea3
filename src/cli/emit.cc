#include "cli/cli.h"
#include "cli/common_options.h"
#include "cli/terminal.h"
#include "decide/rule.h"
#include "hf/resolve.h"
#include "report/locate.h"
#include "report/writer.h"
#include "support/files.h"
#include "support/text.h"
#include "support/version.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

namespace gelint::cli {
namespace {

/// To standard error; one that is full or closed is no reason to stop.
template <class... Args> void say(fmt::format_string<Args...> format, Args&&... args) {
  std::fputs(fmt::format(format, std::forward<Args>(args)...).c_str(), stderr);
}

bool selected(const std::string& rule, const CommonOptions& o) {
  auto starts = [&](const std::string& p) { return rule.starts_with(p); };
  return (o.select.empty() || std::any_of(o.select.begin(), o.select.end(), starts)) &&
         std::none_of(o.ignore.begin(), o.ignore.end(), starts);
}

struct Lap {
  std::string phase;
  double seconds;
};

/// The phases so far; the clock starts with the program.
struct Laps {
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::vector<Lap> list;
} g_laps;

void print_timings() {
  double total = 0;
  for (const Lap& l : g_laps.list) {
    say("{:>9.3f} s  {}\n", l.seconds, l.phase);
    total += l.seconds;
  }
  say("{:>9.3f} s  in all\n", total);
}

void print_statistics(const report::Report& report) {
  std::map<std::string, int> counts;
  for (const decide::Finding& f : report.findings)
    ++counts[f.rule];
  for (const auto& [id, n] : counts) {
    const decide::Rule* rule = decide::find_rule(id);
    say("{:>6}  {}  {}\n", n, id, rule ? rule->name : "");
  }
}

} // namespace

void print_fault(const Error& error) { say("gelint: {}\n", legible(error.text())); }

int fault(const Error& error) {
  print_fault(error);
  return exit_fault;
}

int fault(std::string message, std::string mend) {
  return fault(Error{std::move(message), "", 0, 0, std::move(mend)});
}

void note(const CommonOptions& o, const std::string& message) {
  if (!o.quiet)
    say("gelint: {}\n", legible(message));
}

std::function<void(uint64_t, uint64_t)> make_progress(const CommonOptions& o, std::string what) {
  if (o.quiet || o.no_progress || !is_smart_terminal(STDERR_FILENO))
    return {};
  using Clock = std::chrono::steady_clock;
  struct State {
    Clock::time_point start = Clock::now(), last{};
    bool shown = false;
  };
  return [state = std::make_shared<State>(), what = std::move(what)](uint64_t done, uint64_t total) {
    Clock::time_point now = Clock::now();
    if (done >= total) {
      if (state->shown)
        say("\r\033[K");
      state->shown = false;
      return;
    }
    // Quick runs stay silent, and a terminal needs no more than ten lines a second.
    if (now - state->start < std::chrono::seconds(1) || now - state->last < std::chrono::milliseconds(100))
      return;
    state->last = now;
    state->shown = true;
    say("\r\033[Kgelint: {} {}/{}", what, done, total);
    std::fflush(stderr);
  };
}

void lap(std::string_view phase) {
  auto now = std::chrono::steady_clock::now();
  g_laps.list.push_back({std::string(phase), std::chrono::duration<double>(now - g_laps.last).count()});
  g_laps.last = now;
}

int emit_report(report::Report report, const CommonOptions& o, int status) {
  std::erase_if(report.findings, [&](const decide::Finding& f) { return !selected(f.rule, o); });
  decide::finish_findings(report.findings);
  report::Provenance tool = tool_provenance();
  if (report.provenance.gelint.empty()) { // set in a document that was read back
    report.provenance.gelint = tool.gelint;
    report.provenance.commit = tool.commit;
    report.provenance.libclang = tool.libclang;
  }
  if (report.provenance.transformers.empty())
    report.provenance.transformers = tool.transformers;
  report.quiet = o.quiet;
  report.show_all = report.show_all || o.all;
  report::summarize(report);
  for (const OutputSpec& spec : o.outputs) {
    const report::Writer* writer = report::find_writer(spec.format);
    report::WriteOptions w;
    w.full = o.full;
    w.source_root = report.scan.root.empty() ? std::string() : report::source_folder(report.scan.root);
    if (spec.path.empty()) {
      w.colour = use_colour(STDOUT_FILENO, o.color);
      w.width = terminal_width(STDOUT_FILENO);
      w.faults_said = report.command == report::Command::lint;
      if (!write_stdout(writer->write(report, w)))
        break; // the reader has gone: nothing else was asked of standard output
      continue;
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(spec.path, ignored)) // a device would be read without end
      if (Result<std::string> old = read_file(spec.path))
        w.previous = *old; // hand-written parts survive
    // a folder that cannot be made shows up as a file that cannot be written
    if (auto folder = std::filesystem::path(spec.path).parent_path(); !folder.empty())
      std::filesystem::create_directories(folder, ignored);
    if (Status st = write_file_atomically(spec.path, writer->write(report, w)); !st)
      status = fault(st.error());
    else
      note(o, fmt::format("wrote {}", spec.path));
  }
  if (o.statistics)
    print_statistics(report);
  if (o.timings) {
    lap("report");
    print_timings();
  }
  if (status == exit_clean && std::any_of(report.findings.begin(), report.findings.end(),
                                          [&](const decide::Finding& f) { return fails_on(f, o.fail_on); }))
    status = exit_findings;
  return status;
}

report::Provenance tool_provenance() {
  report::Provenance p;
  p.gelint = GELINT_VERSION;
  p.commit = GELINT_COMMIT;
#if GELINT_HAVE_SCANNER
  p.libclang = scan::libclang_version();
#endif
  if (std::vector<std::string> versions = hf::table_versions(); !versions.empty())
    p.transformers = versions.front(); // newest first
  return p;
}

} // namespace gelint::cli
