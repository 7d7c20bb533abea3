#pragma once
// Two hand-made reports that every writer is tested with: one with findings and hostile text, one clean. The rule ids
// are ones that no rule has, so that the goldens do not change with the texts of the rules.

#include "report/report.h"

#include <cmath>

namespace gelint::report {

/// What a hostile file can put into a name: markup, table and command syntax, terminal control, broken UTF-8.
inline const std::string k_hostile =
    "a|b`c`<script>alert(1)</script>&\"'%::,]]>\x1b[31m\xE2\x80\xAE\xFF*_[x](javascript:1)";

inline Provenance sample_provenance() {
  Provenance p;
  p.gelint = "0.1.0";
  p.commit = "0123456789ab";
  p.libclang = "clang version 19.1.7";
  p.transformers = "5.24.0";
  p.codebase = "engine";
  p.codebase_commit = "89abcdef0123";
  p.inventories = {"engine/inventory.yaml"};
  return p;
}

inline scan::Site sample_site() {
  scan::Site s;
  s.id = "00000000000000a1";
  s.place = {"src/mlp.cc", 12, 19};
  s.end_column = 30;
  s.kind = scan::SiteKind::call;
  s.symbol = "gelu_approx";
  s.enclosing = "model::Mlp::forward";
  s.formula = formula::Formula::gelu_erf;
  s.known_by = scan::KnownBy::evaluated;
  s.deviation = 2.5e-16;
  s.nearest = formula::Formula::gelu_erf;
  s.precision = formula::Precision::f32;
  s.backend = scan::Backend::cpu;
  s.tier = scan::Tier::ast;
  s.expr = "x:f32; t1 = erf:f32 x; return t1";
  s.reason = "gelu_approx computes gelu_erf";
  s.definition = scan::Place{"src/ops.cc", 7, 7};
  s.callees = {"ops::gelu_approx"};
  s.claimed = formula::Formula::gelu_tanh;
  s.claimed_by = "gelu_approx";
  return s;
}

inline hf::Slot sample_slot() {
  hf::Slot s;
  s.slot = "text.mlp";
  s.component = "text";
  s.model_type = "starcoder2";
  s.config_path = "hidden_act";
  s.declared = "gelu_pytorch_tanh";
  s.default_value = "gelu_pytorch_tanh";
  s.name = "gelu_pytorch_tanh";
  s.formula = formula::Formula::gelu_tanh;
  s.source = hf::SlotSource::declared;
  s.reader = {"models/starcoder2/modeling_starcoder2.py", 60, "transformers 5.24.0"};
  s.default_reader = {"models/starcoder2/configuration_starcoder2.py", 71, "transformers 5.24.0"};
  s.verdict = hf::SlotVerdict::ok;
  s.reason = "hidden_act declares gelu_pytorch_tanh";
  s.line = 4;
  s.column = 3;
  return s;
}

inline hf::ModelReport sample_model() {
  hf::ModelReport m;
  m.path = "models/starcoder2-3b";
  m.config_file = "models/starcoder2-3b/config.json";
  m.model_type = "starcoder2";
  m.architecture = "Starcoder2ForCausalLM";
  m.transformers = "5.24.0";
  m.written_by = "4.37.0";
  m.slots = {sample_slot()};
  return m;
}

inline decide::Row sample_row() {
  decide::Row r;
  r.id = "starcoder2.text.mlp/starcoder2-3b";
  r.group = "Language models";
  r.family = "StarCoder2";
  r.model_type = "starcoder2";
  r.checkpoint = "models/starcoder2-3b/config.json";
  r.slot = sample_slot();
  r.has_site = true;
  r.site = sample_site();
  r.implemented = formula::Formula::gelu_erf;
  r.required = formula::Formula::gelu_tanh;
  r.reason = "hidden_act declares gelu_pytorch_tanh (config.json:4), gelu_approx at src/mlp.cc:12 computes gelu_erf";
  r.verdict = decide::Verdict::mismatch;
  r.max_abs_diff = 4.73e-4;
  r.max_abs_diff_at = -2.7;
  r.severity = "medium";
  decide::PortDivergence port;
  port.port = "mlx-lm 0.32.2";
  port.formula = formula::Formula::gelu_erf;
  port.file = "mlx_lm/models/starcoder2.py";
  port.line = 88;
  r.ports = {port};
  return r;
}

inline Report sample_findings() {
  using formula::Formula;
  Report report;
  report.command = Command::audit;
  report.provenance = sample_provenance();
  report.models = {sample_model()};

  decide::Row mismatch = sample_row();
  decide::Row match = sample_row();
  match.id = "gemma3.vision.mlp/gemma-3-4b";
  match.group = "Vision towers";
  match.family = "Gemma 3";
  match.model_type = "gemma3";
  match.checkpoint = "models/gemma-3-4b/config.json";
  match.slot.slot = "vision.mlp";
  match.slot.config_path = "vision_config.hidden_act";
  match.slot.declared.reset();
  match.slot.source = hf::SlotSource::class_default;
  match.site.place = {"src/vision.cc", 30, 5};
  match.site.symbol = "gelu_tanh_f32";
  match.site.formula = match.implemented = Formula::gelu_tanh;
  match.site.hazards = {{formula::HazardKind::exp_overflow, "exp overflows above 88.7", 88.7}};
  match.hazard = "GL402";
  match.reason = "vision_config.hidden_act is omitted, the class default is gelu_pytorch_tanh";
  match.verdict = decide::Verdict::match;
  match.max_abs_diff = match.max_abs_diff_at = 0;
  match.severity = "none";
  match.ports.clear();
  decide::Row conflict = sample_row();
  conflict.id = "gemma.text.mlp/gemma-2b";
  conflict.family = "Gemma";
  conflict.model_type = "gemma";
  conflict.checkpoint = "models/gemma-2b/config.json";
  conflict.verdict = decide::Verdict::conflict;
  conflict.reason = "hidden_act says gelu, hidden_activation is null: the answer depends on the release";
  conflict.waiver = {{"served through the old release", "2027-01-01", false}};
  conflict.notes = {"both keys are in the file"};
  decide::Row unbound = sample_row();
  unbound.id = "unbound/00000000000000b2";
  unbound.group = "";
  unbound.family = unbound.model_type = unbound.checkpoint = "";
  unbound.slot = {};
  unbound.site.id = "00000000000000b2";
  unbound.site.place = {"src/odd name.cc", 3, 1};
  unbound.site.symbol = k_hostile;
  unbound.site.enclosing = "f<T>";
  unbound.required = Formula::unknown;
  unbound.implemented = Formula::other;
  unbound.site.formula = Formula::other;
  unbound.site.nearest = Formula::gelu_quick;
  unbound.site.distance = 0.0123;
  unbound.site.near_miss = true;
  unbound.verdict = decide::Verdict::unbound;
  unbound.reason = "no binding names this site: " + k_hostile;
  unbound.max_abs_diff = unbound.max_abs_diff_at = 0;
  unbound.severity = "";
  unbound.ports.clear();
  report.rows = {mismatch, match, conflict, unbound};

  scan::ScanResult& scan = report.scan;
  scan.root = "engine";
  scan.compile_database = "engine/build/compile_commands.json";
  scan.files_seen = 9;
  scan.files_with_needles = 4;
  scan.units_parsed = 3;
  scan.sites = {mismatch.site, match.site, unbound.site};
  scan::NameTable table;
  table.id = "00000000000000c3";
  table.symbol = "k_activations";
  table.place = {"src/names.cc", 5, 1};
  table.entries = {{"gelu", "ACT_GELU_TANH", Formula::gelu_tanh, {"src/names.cc", 6, 4}},
                   {k_hostile, "ACT_SILU", Formula::silu, {"src/names.cc", 7, 4}}};
  table.fallback_kind = scan::FallbackKind::silent;
  table.fallback = Formula::silu;
  table.fallback_place = scan::Place{"src/names.cc", 12, 3};
  table.config_key = "hidden_act";
  table.tier = scan::Tier::ast;
  scan.tables = {table};
  scan.failures = {{"src/broken.cc", "unknown type name 'nonsense'"}};
  scan.notes = {"compile database: engine/build/compile_commands.json"};
  scan.ledger = {12, 3, 4, 1, 2, 0, 1, 1, {{"src/broken.cc", 9, 14}}};

  auto finding = [&](const char* rule, decide::Level level, std::string message, std::string path, int line,
                     int column, int end) {
    decide::Finding f;
    f.rule = rule;
    f.level = level;
    f.message = std::move(message);
    f.path = std::move(path);
    f.line = line;
    f.column = column;
    f.end_column = end;
    report.findings.push_back(f);
    return &report.findings.back();
  };
  decide::Finding* f = finding("GL921", decide::Level::error, mismatch.reason, "src/mlp.cc", 12, 19, 30);
  f->row = mismatch.id;
  f->config_path = "hidden_act";
  f->anchor = "model::Mlp::forward|gelu_approx|text.mlp";
  f->related = {{"models/starcoder2-3b/config.json", 4, 3, "the key that decides"},
                {"src/ops.cc", 7, 7, "the code that computes"}};
  f = finding("GL923", decide::Level::warning, unbound.reason, "src/odd name.cc", 3, 1, 0);
  f->row = unbound.id;
  finding("GL901", decide::Level::warning, "a needle is not accounted for", "src/broken.cc", 9, 14, 18);
  f = finding("GL914", decide::Level::warning, "hidden_act and hidden_activation disagree; keep one",
              "models/starcoder2-3b/config.json", 4, 3, 15);
  f->model = "models/starcoder2-3b";
  f->config_path = "hidden_act";
  f = finding("GL933", decide::Level::note, "unknown names fall back to silu in silence", "src/names.cc", 12, 3, 9);
  f->waived = true;
  f->waiver_reason = "the caller validates";
  f = finding("GL942", decide::Level::note, "exp overflows above 88.7", "src/vision.cc", 30, 5, 18);
  f->in_baseline = true;
  decide::finish_findings(report.findings);
  summarize(report);
  return report;
}

inline Report sample_clean() {
  Report report;
  report.command = Command::audit;
  report.provenance = sample_provenance();
  report.models = {sample_model()};
  decide::Row row = sample_row();
  row.implemented = row.site.formula = formula::Formula::gelu_tanh;
  row.verdict = decide::Verdict::match;
  row.reason = "hidden_act declares gelu_pytorch_tanh, the code computes it";
  row.max_abs_diff = row.max_abs_diff_at = 0;
  row.severity = "none";
  row.ports.clear();
  report.rows = {row};
  report.scan.root = ".";
  report.scan.files_seen = report.scan.files_with_needles = report.scan.units_parsed = 1;
  report.scan.sites = {row.site};
  report.scan.ledger = {1, 1, 0, 0, 0, 0, 0, 0, {}};
  summarize(report);
  return report;
}

/// The findings report as the other commands carry it.
inline Report sample_scan() {
  Report report = sample_findings();
  report.command = Command::scan;
  report.rows.clear();
  report.models.clear();
  std::erase_if(report.findings, [](const decide::Finding& f) { return f.rule != "GL901"; });
  summarize(report);
  return report;
}

inline Report sample_lint() {
  Report report = sample_findings();
  report.command = Command::lint;
  report.rows.clear();
  report.scan = {};
  std::erase_if(report.findings, [](const decide::Finding& f) { return f.rule != "GL914"; });
  summarize(report);
  return report;
}

inline Report sample_verify() {
  Report report;
  report.command = Command::verify;
  report.provenance = sample_provenance();
  VerifyRow v;
  v.id = "starcoder2.text.mlp/starcoder2-3b";
  v.backend = "cuda";
  v.dtype = "bf16";
  v.inputs = 65536;
  v.exhaustive = true;
  v.max_abs_diff = 1.5625e-2;
  v.max_abs_diff_at = -2.703125;
  v.max_ulp = 1;
  v.differing = 405;
  v.argmax = -2.703125;
  v.verdict = "differs";
  v.reason = "405 of 65536 inputs round differently";
  v.seconds = 0.25;
  v.implemented = "gelu_tanh in f32";
  v.required = "gelu_erf";
  v.plot.x0 = -8;
  v.plot.x1 = 8;
  v.plot.x = {-7, -3, NAN, 3, 7};
  v.plot.required = {0, -0.004, NAN, 2.996, 7};
  v.plot.implemented = {0, -0.0036, NAN, 2.996, NAN};
  v.plot.ulp = {0, 26, NAN, 0.25, INFINITY};
  v.plot.every_input = true;
  report.verify_rows = {v};
  ImpactRow i;
  i.id = v.id;
  i.model = "starcoder2-3b";
  i.layer = "model.layers.0";
  i.dtype = "bf16";
  i.implemented = v.implemented;
  i.required = v.required;
  i.normed = true;
  i.hidden = 3072;
  i.intermediate = 12288;
  i.inputs = 32;
  i.relative_error = 1.25e-3;
  i.activation_error = 1.5e-3;
  i.rounding_error = 2.5e-3;
  i.max_abs_diff = 0.0625;
  i.seconds = 1.5;
  report.impact = {i};
  CostRow c;
  c.id = v.id;
  c.backend = "cuda";
  c.dtype = "bf16";
  c.implemented = v.implemented;
  c.required = v.required;
  c.shape = "4096 x 12288";
  c.elements = 4096 * 12288;
  c.runs = 24;
  c.implemented_ms = 0.05;
  c.required_ms = 0.051;
  c.difference_ms = 0.001;
  c.difference_low = -0.0005;
  c.difference_high = 0.0025;
  c.difference_percent = 2;
  c.null_low = -0.002;
  c.null_high = 0.002;
  c.verdict = "none";
  c.reason = "the difference lies in the null arm's range";
  report.cost = {c};
  summarize(report);
  return report;
}

} // namespace gelint::report
