#include "support/files.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace gelint {
namespace {

/// Of errno, with what can be done about it.
Error os_error(const std::string& path, const char* doing) {
  const int why = errno;
  const bool reading = std::strcmp(doing, "read") == 0;
  if (reading && (why == ENOENT || why == ENOTDIR))
    return Error{"does not exist", path, 0, 0, "correct the path"};
  const char* mend = why == ENOSPC || why == EDQUOT  ? "free some space, or name another path"
                     : why == EACCES || why == EPERM ? "ask for the right to it, or name another path"
                                                     : "name another path";
  return Error{std::string("cannot ") + doing + ": " + std::strerror(why), path, 0, 0, mend};
}

Status write_all(int fd, std::string_view data, const std::string& path) {
  while (!data.empty()) {
    ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return os_error(path, "write");
    data.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

/// A device, pipe or socket: it is written to, as a file in its place would take it away from everybody.
Status write_in_place(const std::string& path, std::string_view data) {
  int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0)
    return os_error(path, "write");
  Status written = write_all(fd, data, path);
  if (::close(fd) != 0 && written)
    return os_error(path, "write");
  return written;
}

/// Names of the temporaries that are under way, for a signal handler: fixed storage, no locks. A write that finds no
/// free slot is still atomic, only not cleaned up after a signal.
struct Unfinished {
  std::atomic<bool> taken{false};
  std::atomic<bool> ready{false};
  char path[4096];
};
std::array<Unfinished, 64> g_unfinished;

Unfinished* note_unfinished(const std::string& path) {
  if (path.size() >= sizeof Unfinished::path)
    return nullptr;
  for (Unfinished& u : g_unfinished) {
    if (u.taken.exchange(true))
      continue;
    std::memcpy(u.path, path.c_str(), path.size() + 1);
    u.ready = true;
    return &u;
  }
  return nullptr;
}

void forget_unfinished(Unfinished* u) {
  if (u) {
    u->ready = false;
    u->taken = false;
  }
}

} // namespace

void remove_unfinished_files() {
  for (Unfinished& u : g_unfinished)
    if (u.ready)
      ::unlink(u.path);
}

Result<std::string> read_file(const std::string& path, size_t max_bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return os_error(path, "read");
  struct stat st {};
  if (::fstat(fd, &st) != 0 || S_ISDIR(st.st_mode)) {
    Error e = S_ISDIR(st.st_mode) ? Error{"is a directory, not a file", path, 0, 0, "name a file"}
                                  : os_error(path, "read");
    ::close(fd);
    return e;
  }
  std::string data;
  data.reserve(static_cast<size_t>(st.st_size));
  char buffer[1 << 16];
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      Error e = os_error(path, "read");
      ::close(fd);
      return e;
    }
    if (n == 0)
      break;
    data.append(buffer, static_cast<size_t>(n));
    if (data.size() > max_bytes) {
      ::close(fd);
      return Error{"is larger than " + std::to_string(max_bytes) + " bytes", path, 0, 0, ""};
    }
  }
  ::close(fd);
  return data;
}

Status write_file_atomically(const std::string& path, std::string_view data) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return Error{"is a directory, not a file", path, 0, 0, "name a file"};
  if (exists && (!S_ISREG(old.st_mode) || path.starts_with("/dev/"))) // /dev/stdout may lead to a regular file
    return write_in_place(path, data);
  // Short fixed name: the target's own name may already be near NAME_MAX.
  std::filesystem::path dir = std::filesystem::path(path).parent_path();
  std::random_device rd;
  std::string temp;
  int fd = -1;
  Unfinished* slot = nullptr;
  struct Forget {
    Unfinished*& slot;
    ~Forget() { forget_unfinished(slot); }
  } forget{slot};
  for (int tries = 0; tries < 16 && fd < 0; ++tries) {
    temp = (dir.empty() ? std::string(".") : dir.string()) + "/.gelint-" + std::to_string(::getpid()) +
           "-" + std::to_string(rd()) + ".tmp";
    forget_unfinished(slot);
    slot = note_unfinished(temp);
    fd = ::open(temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0 && errno != EEXIST)
      return os_error(path, "write");
  }
  if (fd < 0)
    return os_error(path, "write");
  if (exists)
    ::fchmod(fd, old.st_mode & 07777);
  if (Status written = write_all(fd, data, path); !written) {
    ::close(fd);
    ::unlink(temp.c_str());
    return written;
  }
  if (::close(fd) != 0 || ::rename(temp.c_str(), path.c_str()) != 0) {
    Error e = os_error(path, "write");
    ::unlink(temp.c_str());
    return e;
  }
  return {};
}

} // namespace gelint
