#include "ops.h"









Tensor Mlp::forward(Tensor x) {
	return proj(gelu_approx(fc(x))); // 😀
}
// 😀 x = gelu(y);
