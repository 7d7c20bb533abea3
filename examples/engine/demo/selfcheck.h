#pragma once

namespace mini::demo {

// Compares every activation of the engine with the formula it is meant to compute (which is not
// always the one that its name or a checkpoint asks for). Prints one line for each; returns the
// number of failures.
int run_selfcheck();

} // namespace mini::demo
