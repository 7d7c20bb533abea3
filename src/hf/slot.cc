#include "hf/slot.h"
