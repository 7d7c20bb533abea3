#include "scan/workers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gelint::scan {

namespace {

using Clock = std::chrono::steady_clock;

bool write_all(int fd, const void* p, size_t n) {
  const char* c = static_cast<const char*>(p);
  while (n > 0) {
    ssize_t k = ::write(fd, c, n);
    if (k < 0 && errno == EINTR)
      continue;
    if (k <= 0)
      return false;
    c += k;
    n -= static_cast<size_t>(k);
  }
  return true;
}

bool read_all(int fd, void* p, size_t n) {
  char* c = static_cast<char*>(p);
  while (n > 0) {
    ssize_t k = ::read(fd, c, n);
    if (k < 0 && errno == EINTR)
      continue;
    if (k <= 0)
      return false;
    c += k;
    n -= static_cast<size_t>(k);
  }
  return true;
}

struct Worker {
  pid_t pid = -1;
  int to = -1, from = -1;
  size_t task = SIZE_MAX;
  Clock::time_point deadline, last; ///< `last`: unless it gets on meanwhile
  double cpu_at_start = 0, cpu_seen = 0;
  std::string buffer; ///< of the answer that is arriving
};

/// Processor seconds that a child has used; on a busy machine the wall clock says little about a hang.
double cpu_seconds(pid_t pid) {
  clockid_t clock;
  timespec t{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &t) != 0)
    return 1e9;
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The child: reads task numbers, writes length and data.
[[noreturn]] void serve(int in, int out, const std::function<std::string(size_t)>& task) {
  ::signal(SIGINT, SIG_DFL);
  for (uint64_t index; read_all(in, &index, sizeof index);) {
    std::string data;
    uint64_t status = 0;
    try {
      data = task(static_cast<size_t>(index));
    } catch (const std::exception& e) {
      data = e.what();
      status = 1;
    } catch (...) {
      data = "an unknown exception";
      status = 1;
    }
    uint64_t head[2] = {status, data.size()};
    if (!write_all(out, head, sizeof head) || !write_all(out, data.data(), data.size()))
      break;
  }
  ::_exit(0);
}

class Pool {
public:
  Pool(int jobs, const std::function<std::string(size_t)>& task) : task_(task), workers_(static_cast<size_t>(jobs)) {
    old_pipe_ = ::signal(SIGPIPE, SIG_IGN);
  }
  ~Pool() {
    for (Worker& w : workers_)
      stop(w, false);
    ::signal(SIGPIPE, old_pipe_);
  }

  std::vector<TaskResult> run(size_t count, int timeout, const std::function<void(size_t)>& done) {
    std::vector<TaskResult> results(count);
    size_t next = 0, finished = 0;
    while (finished < count) {
      for (Worker& w : workers_)
        if (w.task == SIZE_MAX && next < count) {
          if (w.pid < 0 && !start(w)) {
            results[next++].failure = fmt::format("no worker process could be started: {}", std::strerror(errno));
            ++finished;
            continue;
          }
          uint64_t index = next;
          w.task = next++;
          w.buffer.clear();
          w.deadline = Clock::now() + std::chrono::seconds(std::max(1, timeout));
          w.last = Clock::now() + std::chrono::seconds(10L * std::max(1, timeout));
          w.cpu_at_start = w.cpu_seen = cpu_seconds(w.pid);
          if (!write_all(w.to, &index, sizeof index)) {
            results[w.task].failure = death(w);
            w.task = SIZE_MAX;
            ++finished;
          }
        }
      std::vector<pollfd> fds;
      std::vector<Worker*> who;
      Clock::time_point first = Clock::now() + std::chrono::hours(1);
      for (Worker& w : workers_)
        if (w.task != SIZE_MAX) {
          fds.push_back({w.from, POLLIN, 0});
          who.push_back(&w);
          first = std::min(first, w.deadline);
        }
      if (fds.empty())
        continue;
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first - Clock::now()).count();
      ::poll(fds.data(), fds.size(), static_cast<int>(std::clamp<long>(left, 0, 1000)));
      for (size_t i = 0; i < fds.size(); ++i) {
        Worker& w = *who[i];
        TaskResult& r = results[w.task];
        bool over = false;
        if (fds[i].revents & (POLLIN | POLLHUP | POLLERR)) {
          char chunk[65536];
          ssize_t k = ::read(w.from, chunk, sizeof chunk);
          if (k > 0) {
            w.buffer.append(chunk, static_cast<size_t>(k));
            uint64_t head[2];
            if (w.buffer.size() >= sizeof head) {
              std::memcpy(head, w.buffer.data(), sizeof head);
              if (w.buffer.size() >= sizeof head + head[1]) {
                r.ok = head[0] == 0;
                (r.ok ? r.data : r.failure) = w.buffer.substr(sizeof head, head[1]);
                over = true;
              }
            }
          } else if (k == 0 || errno != EINTR) {
            r.failure = death(w);
            over = true;
          }
        } else if (Clock::now() >= w.deadline && may_go_on(w, timeout)) {
          w.deadline = std::min(w.last, Clock::now() + std::chrono::seconds(1));
        } else if (Clock::now() >= w.deadline) {
          stop(w, true);
          r.failure = fmt::format("the parser took longer than {} s", timeout);
          over = true;
        }
        if (over) {
          w.task = SIZE_MAX;
          done(++finished);
        }
      }
    }
    return results;
  }

private:
  /// Past its time by the clock, a task is judged by the processor: a busy machine may give it a tenth of a second per
  /// second or less. One that waits for something that never comes uses none.
  static bool may_go_on(Worker& w, int timeout) {
    double cpu = cpu_seconds(w.pid);
    if (cpu - w.cpu_at_start >= timeout)
      return false;
    if (cpu - w.cpu_seen >= 0.01 * timeout) {
      w.cpu_seen = cpu;
      w.last = Clock::now() + std::chrono::seconds(10L * std::max(1, timeout));
    }
    return Clock::now() < w.last;
  }

  bool start(Worker& w) {
    int down[2], up[2];
    if (::pipe(down) != 0)
      return false;
    if (::pipe(up) != 0) {
      ::close(down[0]);
      ::close(down[1]);
      return false;
    }
    pid_t parent = ::getpid(), pid = ::fork();
    if (pid < 0) {
      for (int fd : {down[0], down[1], up[0], up[1]})
        ::close(fd);
      return false;
    }
    if (pid == 0) {
      // A parent that is killed cannot stop its workers, and one in the midst of a task reads no end of file.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent)
        ::_exit(0);
      ::close(down[1]);
      ::close(up[0]);
      for (Worker& other : workers_) // so that a sibling's end of file is seen
        if (other.pid > 0) {
          ::close(other.to);
          ::close(other.from);
        }
      serve(down[0], up[1], task_);
    }
    ::close(down[0]);
    ::close(up[1]);
    w = Worker{pid, down[1], up[0], SIZE_MAX, {}, {}, 0, 0, {}};
    return true;
  }

  /// Reaps a worker that closed its pipe and says how it ended.
  std::string death(Worker& w) {
    ::close(w.to);
    ::close(w.from);
    int status = 0;
    ::waitpid(w.pid, &status, 0);
    w.pid = -1;
    if (WIFSIGNALED(status))
      return fmt::format("the parser crashed (signal {})", WTERMSIG(status));
    return fmt::format("the parser ended with status {}", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }

  void stop(Worker& w, bool kill) {
    if (w.pid < 0)
      return;
    if (kill)
      ::kill(w.pid, SIGKILL);
    ::close(w.to);
    ::close(w.from);
    ::waitpid(w.pid, nullptr, 0);
    w.pid = -1;
  }

  const std::function<std::string(size_t)>& task_;
  std::vector<Worker> workers_;
  void (*old_pipe_)(int) = nullptr;
};

} // namespace

std::vector<TaskResult> run_isolated(size_t count, int jobs, int timeout_seconds, const std::function<std::string(size_t)>& task,
                                     const std::function<void(size_t)>& done) {
  if (count == 0)
    return {};
  Pool pool(static_cast<int>(std::min<size_t>(count, static_cast<size_t>(std::max(1, jobs)))), task);
  return pool.run(count, timeout_seconds, done);
}

} // namespace gelint::scan
