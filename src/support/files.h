#pragma once
// File access with errors as values.

#include "support/result.h"

#include <string>
#include <string_view>

namespace gelint {

/// The whole file. Its faults say what is wrong and what to do: "does not exist (correct the path)". Fails with the operating system's reason; refuses directories and files above `max_bytes`.
Result<std::string> read_file(const std::string& path, size_t max_bytes = size_t{1} << 30);

/// Writes through an exclusively created temporary in the same directory and renames it, so that a reader never
/// sees half a file and an interrupted run leaves the old one. A symbolic link is replaced, not followed: it may come
/// from a repository that is being audited. Devices, pipes and what lies under /dev are written to in place.
Status write_file_atomically(const std::string& path, std::string_view data);

/// Removes the temporaries of writes that are under way. Safe to call from a signal handler.
void remove_unfinished_files();

} // namespace gelint
