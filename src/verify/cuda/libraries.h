#pragma once
// The closed libraries, opened with dlopen. Each adds its runs; a failure is a run of its own.

#include "verify/cuda/session.h"
#include "verify/probe.h"

namespace gelint::verify::cuda {

void probe_cublaslt(Session& session, std::vector<ProbeRun>& runs);
void probe_cudnn(Session& session, std::vector<ProbeRun>& runs);

/// A library by its names, on the loader's path and then in the usual folders of toolkit and Python wheels.
void* open_library(std::initializer_list<const char*> names);

/// Values in the bytes of a type, and back.
std::vector<unsigned char> to_bytes(const std::vector<float>& x, formula::Type type);
std::vector<float> from_bytes(const std::vector<unsigned char>& bytes, formula::Type type);

} // namespace gelint::verify::cuda
