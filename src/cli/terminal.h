#pragma once
// Terminal manners: colour, progress, signals.

#include <string>
#include <string_view>

namespace gelint::cli {

/// Colour on file descriptor `fd`: the flag, then FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE, then whether it is a terminal
/// with TERM other than "dumb". An empty variable counts as unset.
bool use_colour(int fd, std::string_view flag);

/// isatty(fd) and TERM is set to something other than "dumb".
bool is_smart_terminal(int fd);

/// Columns of the terminal on `fd`, else the variable COLUMNS; 0 when there is neither.
int terminal_width(int fd);

/// Writes everything to standard output. False when the reader has gone (quietly) or on an error (reported).
bool write_stdout(std::string_view text);
/// True when some write to standard output failed although its reader is there: a full disk.
bool stdout_failed();

/// SIGPIPE is ignored (writes report it instead); SIGINT, SIGTERM and SIGHUP remove unfinished output files and then
/// act as by default.
void install_signal_handlers();

} // namespace gelint::cli
