#include "cli/terminal.h"

#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gelint::cli {
namespace {

bool is_set(const char* name) {
  const char* v = std::getenv(name);
  return v && *v;
}

bool g_stdout_failed = false;

extern "C" void on_fatal_signal(int sig) {
  remove_unfinished_files();
  std::signal(sig, SIG_DFL);
  std::raise(sig);
}

} // namespace

bool is_smart_terminal(int fd) {
  const char* term = std::getenv("TERM");
  return ::isatty(fd) && term && *term && std::strcmp(term, "dumb") != 0;
}

bool use_colour(int fd, std::string_view flag) {
  if (flag == "always")
    return true;
  if (flag == "never")
    return false;
  if (is_set("FORCE_COLOR"))
    return true;
  if (is_set("NO_COLOR"))
    return false;
  if (is_set("CLICOLOR_FORCE"))
    return true;
  return is_smart_terminal(fd);
}

int terminal_width(int fd) {
  winsize size{};
  if (::isatty(fd) && ::ioctl(fd, TIOCGWINSZ, &size) == 0)
    return size.ws_col;
  const char* columns = std::getenv("COLUMNS"); // exported by hand: a shell keeps its own to itself
  int width = columns ? std::atoi(columns) : 0;
  return width >= 40 && width <= 1000 ? width : 0;
}

bool write_stdout(std::string_view text) {
  std::fflush(stdout);
  while (!text.empty()) {
    ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      if (errno != EPIPE && !g_stdout_failed) {
        g_stdout_failed = true;
        std::fprintf(stderr, "gelint: standard output: cannot write: %s (%s)\n", std::strerror(errno),
                     errno == ENOSPC ? "free some space" : "write to a file: --format FORMAT:PATH");
      }
      return false;
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool stdout_failed() { return g_stdout_failed; }

void install_signal_handlers() {
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = on_fatal_signal;
  sigemptyset(&action.sa_mask);
  for (int sig : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old {};
    // Under nohup or in a background job the signal is ignored on purpose: leave it so.
    if (::sigaction(sig, nullptr, &old) == 0 && old.sa_handler != SIG_IGN)
      ::sigaction(sig, &action, nullptr);
  }
}

} // namespace gelint::cli
