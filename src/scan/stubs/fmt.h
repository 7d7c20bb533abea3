#pragma once
#include <gelint/std.h>
namespace fmt { template <class... A> std::string format(A&&...); template <class... A> void print(A&&...); } namespace spdlog { template <class... A> void info(A&&...); template <class... A> void debug(A&&...); template <class... A> void warn(A&&...); template <class... A> void error(A&&...); }
