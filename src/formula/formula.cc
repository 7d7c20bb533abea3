#include "formula/formula.h"
