// cuBLASLt's GELU epilogues: a product that is its input. A is a column of every value beside zero columns, B a row of
// ones above zero rows, so D before the epilogue is the value itself, exactly, in every column.

#include "verify/cuda/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>

#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

namespace gelint::verify::cuda {

namespace {

using formula::Type;

struct Lt {
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetVersion) version;
  decltype(&cublasLtMatmulDescCreate) desc_create;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmul) matmul;
};

constexpr size_t k_rows = 65536, k_inner = 16, k_columns = 16, k_workspace = size_t{32} << 20;

cudaDataType_t data_type(Type t) { return t == Type::f16 ? CUDA_R_16F : t == Type::bf16 ? CUDA_R_16BF : CUDA_R_32F; }

/// Empty, or what failed.
std::string run(Session& s, const Lt& lt, cublasLtHandle_t handle, cublasLtEpilogue_t epilogue, Type type, ProbeRun& out) {
  size_t size = type == Type::f32 ? 4 : 2;
  out.x = probe_inputs(type);
  std::vector<float> a(k_rows * k_inner, 0.0f), b(k_inner * k_columns, 0.0f);
  std::copy(out.x.begin(), out.x.end(), a.begin()); // column-major: the first column
  for (size_t j = 0; j < k_columns; ++j)
    b[j * k_inner] = 1.0f;
  std::vector<unsigned char> a_bytes = to_bytes(a, type), b_bytes = to_bytes(b, type), d_bytes(k_rows * k_columns * size);
  Result<Memory> da = s.allocate(a_bytes.size()), db = s.allocate(b_bytes.size()), dd = s.allocate(d_bytes.size()),
                 bias = s.allocate(k_rows * size), workspace = s.allocate(k_workspace);
  for (Result<Memory>* m : {&da, &db, &dd, &bias, &workspace})
    if (!*m)
      return m->error().text();
  for (Status st : {s.upload(*da, a_bytes.data(), a_bytes.size()), s.upload(*db, b_bytes.data(), b_bytes.size()),
                    s.fill(*dd, 0xff), s.fill(*bias, 0)})
    if (!st)
      return st.error().text();

  std::string failed;
  auto check = [&](cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS && failed.empty())
      failed = fmt::format("{}: cuBLAS status {}", what, static_cast<int>(status));
  };
  cublasLtMatmulDesc_t desc = nullptr;
  cublasLtMatrixLayout_t la = nullptr, lb = nullptr, ld = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  check(lt.desc_create(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), "descriptor");
  check(lt.desc_set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue), "epilogue");
  if (epilogue & CUBLASLT_EPILOGUE_BIAS) {
    void* pointer = reinterpret_cast<void*>(bias->at());
    check(lt.desc_set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &pointer, sizeof pointer), "bias");
  }
  check(lt.layout_create(&la, data_type(type), k_rows, k_inner, k_rows), "layout");
  check(lt.layout_create(&lb, data_type(type), k_inner, k_columns, k_inner), "layout");
  check(lt.layout_create(&ld, data_type(type), k_rows, k_columns, k_rows), "layout");
  check(lt.preference_create(&preference), "preference");
  check(lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &k_workspace, sizeof k_workspace), "workspace");
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  if (failed.empty())
    check(lt.heuristic(handle, desc, la, lb, ld, ld, preference, 1, &found, &count), "no algorithm");
  if (failed.empty() && count == 0)
    failed = "the library has no algorithm for this type and epilogue";
  if (failed.empty()) {
    float alpha = 1, beta = 0;
    auto at = [](const Memory& m) { return reinterpret_cast<void*>(m.at()); };
    check(lt.matmul(handle, desc, &alpha, at(*da), la, at(*db), lb, &beta, at(*dd), ld, at(*dd), ld, &found.algo,
                    at(*workspace), k_workspace, nullptr),
          "matmul");
  }
  if (failed.empty())
    if (Status st = s.synchronize(); !st)
      failed = st.error().text();
  if (failed.empty())
    if (Status st = s.download(d_bytes.data(), *dd, d_bytes.size()); !st)
      failed = st.error().text();
  lt.preference_destroy(preference);
  for (cublasLtMatrixLayout_t l : {la, lb, ld})
    if (l)
      lt.layout_destroy(l);
  if (desc)
    lt.desc_destroy(desc);
  if (!failed.empty())
    return failed;
  std::vector<float> all = from_bytes(d_bytes, type);
  out.y.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k_rows));
  return "";
}

} // namespace

void probe_cublaslt(Session& session, std::vector<ProbeRun>& runs) {
  ProbeRun blank;
  blank.product = "cuBLASLt";
  blank.entry = "CUBLASLT_EPILOGUE_GELU";
  void* lib = open_library({"libcublasLt.so.13", "libcublasLt.so.12"});
  Lt lt{};
  bool complete = lib != nullptr;
  auto bind = [&](auto& to, const char* name) {
    to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(lib ? ::dlsym(lib, name) : nullptr);
    complete = complete && to;
  };
  bind(lt.create, "cublasLtCreate");
  bind(lt.destroy, "cublasLtDestroy");
  bind(lt.version, "cublasLtGetVersion");
  bind(lt.desc_create, "cublasLtMatmulDescCreate");
  bind(lt.desc_destroy, "cublasLtMatmulDescDestroy");
  bind(lt.desc_set, "cublasLtMatmulDescSetAttribute");
  bind(lt.layout_create, "cublasLtMatrixLayoutCreate");
  bind(lt.layout_destroy, "cublasLtMatrixLayoutDestroy");
  bind(lt.preference_create, "cublasLtMatmulPreferenceCreate");
  bind(lt.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  bind(lt.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  bind(lt.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  bind(lt.matmul, "cublasLtMatmul");
  cublasLtHandle_t handle = nullptr;
  if (!complete || lt.create(&handle) != CUBLAS_STATUS_SUCCESS) {
    blank.failure = !lib ? "libcublasLt.so was not found" : "cuBLASLt did not start";
    runs.push_back(blank);
    return;
  }
  size_t v = lt.version();
  blank.product = fmt::format("cuBLASLt {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
  struct Entry {
    const char* name;
    cublasLtEpilogue_t value;
  };
  for (Entry e : {Entry{"CUBLASLT_EPILOGUE_GELU", CUBLASLT_EPILOGUE_GELU},
                  Entry{"CUBLASLT_EPILOGUE_GELU_BIAS", CUBLASLT_EPILOGUE_GELU_BIAS}})
    for (Type t : {Type::f16, Type::bf16, Type::f32}) {
      ProbeRun r = blank;
      r.entry = e.name;
      r.type = t;
      r.failure = run(session, lt, handle, e.value, t, r);
      runs.push_back(std::move(r));
    }
  lt.destroy(handle);
}

} // namespace gelint::verify::cuda

#else

namespace gelint::verify::cuda {
void probe_cublaslt(Session&, std::vector<ProbeRun>& runs) {
  ProbeRun r;
  r.product = "cuBLASLt";
  r.entry = "CUBLASLT_EPILOGUE_GELU";
  r.failure = "built without cublasLt.h";
  runs.push_back(r);
}
} // namespace gelint::verify::cuda

#endif
