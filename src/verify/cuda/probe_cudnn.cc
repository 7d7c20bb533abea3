// cuDNN's pointwise modes through its backend API: one operation from X to Y.

#include "verify/cuda/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>

#if __has_include(<cudnn.h>)
#include <cudnn.h>

namespace gelint::verify::cuda {

namespace {

using formula::Type;

struct Dnn {
  decltype(&cudnnCreate) create;
  decltype(&cudnnDestroy) destroy;
  decltype(&cudnnGetVersion) version;
  decltype(&cudnnGetErrorString) error_string;
  decltype(&cudnnBackendCreateDescriptor) desc_create;
  decltype(&cudnnBackendDestroyDescriptor) desc_destroy;
  decltype(&cudnnBackendSetAttribute) set;
  decltype(&cudnnBackendGetAttribute) get;
  decltype(&cudnnBackendFinalize) finalize;
  decltype(&cudnnBackendExecute) execute;
};

/// Descriptors, destroyed together; the first failure is kept and stops what follows.
class Graph {
public:
  explicit Graph(const Dnn& d) : d_(d) {}
  ~Graph() {
    for (auto it = made_.rbegin(); it != made_.rend(); ++it)
      d_.desc_destroy(*it);
  }
  cudnnBackendDescriptor_t make(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t desc = nullptr;
    if (check(d_.desc_create(type, &desc), "descriptor"))
      made_.push_back(desc);
    return desc;
  }
  template <class T>
  void set(cudnnBackendDescriptor_t desc, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T* v,
           int64_t n = 1) {
    if (failed_.empty())
      check(d_.set(desc, name, type, n, v), "attribute");
  }
  void finalize(cudnnBackendDescriptor_t desc, const char* what) {
    if (failed_.empty())
      check(d_.finalize(desc), what);
  }
  bool check(cudnnStatus_t status, const char* what) {
    if (status != CUDNN_STATUS_SUCCESS && failed_.empty())
      failed_ = fmt::format("{}: {}", what, d_.error_string(status));
    return status == CUDNN_STATUS_SUCCESS;
  }
  const std::string& failed() const { return failed_; }
  void fail(std::string why) {
    if (failed_.empty())
      failed_ = std::move(why);
  }

private:
  const Dnn& d_;
  std::vector<cudnnBackendDescriptor_t> made_;
  std::string failed_;
};

cudnnDataType_t data_type(Type t) {
  return t == Type::f16 ? CUDNN_DATA_HALF : t == Type::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

std::string run(Session& s, const Dnn& d, cudnnHandle_t handle, cudnnPointwiseMode_t mode, Type type, ProbeRun& out) {
  out.x = probe_inputs(type);
  std::vector<unsigned char> in = to_bytes(out.x, type), result(in.size());
  Result<Memory> dx = s.allocate(in.size()), dy = s.allocate(in.size());
  if (!dx)
    return dx.error().text();
  if (!dy)
    return dy.error().text();
  for (Status st : {s.upload(*dx, in.data(), in.size()), s.fill(*dy, 0xff)})
    if (!st)
      return st.error().text();

  Graph g(d);
  auto tensor = [&](int64_t id) {
    cudnnBackendDescriptor_t t = g.make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    cudnnDataType_t dt = data_type(type);
    int64_t dims[] = {1, 256, 256}, strides[] = {65536, 256, 1}, alignment = 16;
    g.set(t, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, &dt);
    g.set(t, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, dims, 3);
    g.set(t, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides, 3);
    g.set(t, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, &id);
    g.set(t, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, &alignment);
    g.finalize(t, "tensor");
    return t;
  };
  cudnnBackendDescriptor_t x = tensor(1), y = tensor(2);
  cudnnBackendDescriptor_t pw = g.make(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  g.set(pw, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, &mode);
  g.set(pw, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, &compute);
  g.finalize(pw, "pointwise mode");
  cudnnBackendDescriptor_t op = g.make(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  g.set(op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_TYPE_BACKEND_DESCRIPTOR, &pw);
  g.set(op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, &x);
  g.set(op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, &y);
  g.finalize(op, "operation");
  cudnnBackendDescriptor_t graph = g.make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  g.set(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, &op);
  g.set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, &handle);
  g.finalize(graph, "operation graph");
  cudnnBackendDescriptor_t heuristics = g.make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  cudnnBackendHeurMode_t heuristic_mode = CUDNN_HEUR_MODE_A;
  g.set(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, &graph);
  g.set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &heuristic_mode);
  g.finalize(heuristics, "heuristics");
  cudnnBackendDescriptor_t config = g.make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  int64_t found = 0;
  if (g.failed().empty())
    g.check(d.get(heuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &found, &config), "engines");
  if (g.failed().empty() && found == 0)
    g.fail("the library has no engine for this mode and type");
  cudnnBackendDescriptor_t plan = g.make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  g.set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, &handle);
  g.set(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, &config);
  g.finalize(plan, "execution plan");
  int64_t workspace_bytes = 0, n = 0;
  if (g.failed().empty())
    g.check(d.get(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &n, &workspace_bytes), "workspace");
  Result<Memory> workspace = s.allocate(static_cast<size_t>(std::max<int64_t>(workspace_bytes, 16)));
  if (!workspace)
    return workspace.error().text();
  void* pointers[] = {reinterpret_cast<void*>(dx->at()), reinterpret_cast<void*>(dy->at())};
  void* scratch = reinterpret_cast<void*>(workspace->at());
  int64_t ids[] = {1, 2};
  cudnnBackendDescriptor_t pack = g.make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  g.set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers, 2);
  g.set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids, 2);
  g.set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, &scratch);
  g.finalize(pack, "variant pack");
  if (g.failed().empty())
    g.check(d.execute(handle, plan, pack), "execution");
  if (!g.failed().empty())
    return g.failed();
  if (Status st = s.synchronize(); !st)
    return st.error().text();
  if (Status st = s.download(result.data(), *dy, result.size()); !st)
    return st.error().text();
  out.y = from_bytes(result, type);
  return "";
}

} // namespace

void probe_cudnn(Session& session, std::vector<ProbeRun>& runs) {
  ProbeRun blank;
  blank.product = "cuDNN";
  blank.entry = "CUDNN_POINTWISE_GELU_FWD";
  void* lib = open_library({"libcudnn.so.9"});
  // The backend API may live in the graph library that libcudnn.so loads.
  void* graph = open_library({"libcudnn_graph.so.9"});
  Dnn d{};
  bool complete = lib != nullptr;
  auto bind = [&](auto& to, const char* name) {
    void* f = lib ? ::dlsym(lib, name) : nullptr;
    if (!f && graph)
      f = ::dlsym(graph, name);
    to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(f);
    complete = complete && f;
  };
  bind(d.create, "cudnnCreate");
  bind(d.destroy, "cudnnDestroy");
  bind(d.version, "cudnnGetVersion");
  bind(d.error_string, "cudnnGetErrorString");
  bind(d.desc_create, "cudnnBackendCreateDescriptor");
  bind(d.desc_destroy, "cudnnBackendDestroyDescriptor");
  bind(d.set, "cudnnBackendSetAttribute");
  bind(d.get, "cudnnBackendGetAttribute");
  bind(d.finalize, "cudnnBackendFinalize");
  bind(d.execute, "cudnnBackendExecute");
  cudnnHandle_t handle = nullptr;
  if (!complete || d.create(&handle) != CUDNN_STATUS_SUCCESS) {
    blank.failure = !lib ? "libcudnn.so.9 was not found" : "cuDNN did not start";
    runs.push_back(blank);
    return;
  }
  size_t v = d.version();
  blank.product = fmt::format("cuDNN {}.{}.{}", v / 10000, v / 100 % 100, v % 100);
  struct Entry {
    const char* name;
    cudnnPointwiseMode_t value;
  };
  for (Entry e : {Entry{"CUDNN_POINTWISE_GELU_FWD", CUDNN_POINTWISE_GELU_FWD},
                  Entry{"CUDNN_POINTWISE_GELU_APPROX_TANH_FWD", CUDNN_POINTWISE_GELU_APPROX_TANH_FWD},
                  Entry{"CUDNN_POINTWISE_SWISH_FWD", CUDNN_POINTWISE_SWISH_FWD}})
    for (Type t : {Type::f16, Type::bf16, Type::f32}) {
      ProbeRun r = blank;
      r.entry = e.name;
      r.type = t;
      r.failure = run(session, d, handle, e.value, t, r);
      runs.push_back(std::move(r));
    }
  d.destroy(handle);
}

} // namespace gelint::verify::cuda

#else

namespace gelint::verify::cuda {
void probe_cudnn(Session&, std::vector<ProbeRun>& runs) {
  ProbeRun r;
  r.product = "cuDNN";
  r.entry = "CUDNN_POINTWISE_GELU_FWD";
  r.failure = "built without cudnn.h";
  runs.push_back(r);
}
} // namespace gelint::verify::cuda

#endif
