#include "run_gelint.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace gelint::test {
namespace {

namespace fs = std::filesystem;

std::string binary() {
  const char* path = std::getenv("GELINT_BINARY");
  if (!path)
    throw std::runtime_error("set GELINT_BINARY");
  return path;
}

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe");
    read = fds[0];
    write = fds[1];
  }
};

void close_fd(int& fd) {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}

Outcome spawn(const std::vector<std::string>& argv, const Invocation& r) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err;
  int master = -1, slave = -1;
  if (r.terminal) {
    winsize size{40, 100, 0, 0};
    if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("openpty");
  }
  if (r.close_output)
    close_fd(out.read);
  std::vector<std::string> env = {"PATH=" + fs::path(binary()).parent_path().string() + ":/usr/bin:/bin", "HOME=/nonexistent",
                                  "LC_ALL=C.UTF-8"};
  for (const auto& [k, v] : r.env)
    env.push_back(k + "=" + v);
  std::vector<char*> args, envp;
  for (const std::string& a : argv)
    args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);
  for (const std::string& e : env)
    envp.push_back(const_cast<char*>(e.c_str()));
  envp.push_back(nullptr);
  const std::string directory = r.directory.empty() ? GELINT_SOURCE_DIR : r.directory;

  pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(in.read, 0);
    ::dup2(r.terminal ? slave : out.write, 1);
    ::dup2(r.terminal ? slave : err.write, 2);
    if (::chdir(directory.c_str()) != 0)
      ::_exit(126);
    ::execve(args[0], args.data(), envp.data());
    ::_exit(127);
  }
  close_fd(in.read);
  close_fd(out.write);
  close_fd(err.write);
  close_fd(slave);
  if (!r.input.empty() && ::write(in.write, r.input.data(), r.input.size()) < 0)
    throw std::runtime_error("write");
  close_fd(in.write);
  if (r.terminal) {
    close_fd(out.read);
    out.read = master;
  }

  Outcome result;
  auto start = std::chrono::steady_clock::now();
  bool interrupted = r.interrupt_after_ms == 0;
  while (out.read >= 0 || err.read >= 0) {
    pollfd fds[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
    ::poll(fds, 2, 20);
    if (!interrupted && std::chrono::steady_clock::now() - start > std::chrono::milliseconds(r.interrupt_after_ms)) {
      ::kill(pid, SIGINT);
      interrupted = true;
    }
    auto drain = [](int& fd, short events, std::string& text) {
      if (fd < 0 || events == 0)
        return;
      char buffer[1 << 14];
      ssize_t n = ::read(fd, buffer, sizeof buffer);
      if (n <= 0)
        close_fd(fd); // a pseudo-terminal gives EIO when the other side has gone
      else
        text.append(buffer, static_cast<size_t>(n));
    };
    drain(out.read, fds[0].revents, result.out);
    drain(err.read, fds[1].revents, result.err);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace

Outcome invoke(const Invocation& r) {
  std::vector<std::string> argv = {binary()};
  argv.insert(argv.end(), r.args.begin(), r.args.end());
  return spawn(argv, r);
}

Outcome shell(const std::string& command, const std::string& directory, const std::string& input) {
  return spawn({"/bin/bash", "-c", command}, Invocation{.directory = directory, .input = input});
}

TempDir::TempDir() {
  std::string name = (fs::temp_directory_path() / "gelint-test-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw std::runtime_error("mkdtemp");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TempDir::write(const std::string& name, const std::string& text) const {
  fs::path file = fs::path(path_) / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string TempDir::read(const std::string& name) const {
  std::ifstream file(fs::path(path_) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> TempDir::names() const {
  std::vector<std::string> out;
  for (const fs::directory_entry& e : fs::directory_iterator(path_))
    out.push_back(e.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

} // namespace gelint::test
