// Ascend: opaque handles; the activation operators are known by rule.
#pragma once
#include <gelint/std.h>
typedef struct aclTensor aclTensor; typedef struct aclScalar aclScalar; typedef struct aclOpExecutor aclOpExecutor; typedef void* aclrtStream; typedef int aclnnStatus; typedef int aclDataType; typedef int aclError; typedef int aclFormat;
