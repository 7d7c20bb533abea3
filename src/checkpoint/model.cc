#include "support/result.h"
