#pragma once
#include <gelint/std.h>
