#pragma once
// A pool of worker processes. The parser reads hostile input and may crash or hang: that must cost one task.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gelint::scan {

struct TaskResult {
  bool ok = false;
  std::string data;    ///< what the task returned
  std::string failure; ///< "crashed (signal 11)", "took longer than 60 s"
};

/// Runs tasks 0 … count−1 in `jobs` forked processes and returns their results by index, so the order of completion
/// does not matter. A worker that dies is replaced and its task fails; a task that uses the processor for longer than the
/// timeout, or hardly uses it for ten times as long by the clock, is killed. Workers end with the parent.
/// `task` runs in the child, which sees the parent's memory as it was at the call. `done` is called in the parent.
std::vector<TaskResult> run_isolated(size_t count, int jobs, int timeout_seconds, const std::function<std::string(size_t)>& task,
                                     const std::function<void(size_t done)>& done);

} // namespace gelint::scan
