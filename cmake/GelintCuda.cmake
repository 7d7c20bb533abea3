# The GPU backend of verify. Without nvcc everything else builds, and verify says so.
set(GELINT_CUDA_FOUND OFF)
