"""Stage B on small trees: each trap of reading an activation out of modeling code."""
import unittest

from support import extract

CONFIG = ('class XConfig(PreTrainedConfig):\n    model_type = "x"\n    hidden_act: str = "gelu"\n'
          '    use_swiglu_ffn: bool = False\n    afn: str = "gelu"\n    gelu_activation: bool = True\n')
MLP = "class XMLP(nn.Module):\n    def __init__(self, {args}):\n        {store}\n    def forward(self, x):\n        {body}\n"
MODEL = "class XModel(PreTrainedModel):\n    config_class = XConfig\n    def __init__(self, config: XConfig):\n        super().__init__(config)\n        {body}\n"


def document(model: str, config: str = CONFIG, mapping=None) -> dict:
    return extract({"x": (config, model)}, mapping or {"x": "XConfig"})


def slots(model: str, config: str = CONFIG, cls: str = "XConfig") -> dict:
    return document(model, config)["configs"][cls].get("slots", {})


class Reading(unittest.TestCase):
    def test_key_and_position(self):
        s = slots(MLP.format(args="config", store='self.act = ACT2FN[config.hidden_act]', body="return self.act(x)")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s["mlp"]["read"], "hidden_act")
        self.assertEqual((s["mlp"]["class"], s["mlp"]["line"], s["mlp"]["gating"]), ("XMLP", 9, "none"))

    def test_bare_parameter_followed_to_two_callers(self):
        # Idefics2MLP: one class, several slots with different keys.
        config = CONFIG + '    projector_hidden_act: str = "silu"\n'
        s = slots(MLP.format(args="act", store="self.act = ACT2FN[act]", body="return self.act(x)")
                  + "class XConnector(nn.Module):\n    def __init__(self, config):\n        self.mlp = XMLP(config.projector_hidden_act)\n"
                  + MODEL.format(body="self.mlp = XMLP(act=config.hidden_act)\n        self.connector = XConnector(config)"), config)
        self.assertEqual(s["mlp"]["read"], "hidden_act")
        self.assertEqual(s["projector"]["read"], "projector_hidden_act")

    def test_getattr_fallback(self):
        s = slots(MLP.format(args="config", store='self.act = ACT2FN[getattr(config, "conv_act", "tanh")]', body="return self.act(x)")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual((s["mlp"]["read"], s["mlp"]["fallback"]), ("conv_act", "tanh"))

    def test_local_registry_redefines_a_name(self):
        # openai-gpt: "gelu" is gelu_new in its own dictionary.
        s = slots('ACT_FNS = {"relu": nn.ReLU(), "gelu": gelu_new}\n'
                  + MLP.format(args="config", store="self.act = ACT_FNS[config.afn]", body="return self.act(x)")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s["mlp"]["names"], {"relu": "relu", "gelu": "gelu_tanh"})

    def test_key_the_class_does_not_have_is_no_slot(self):
        s = slots(MLP.format(args="config", store="self.act = ACT2FN[config.nonlinear_act]", body="return self.act(x)")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s, {})

    def test_attribute_nobody_calls_is_no_slot(self):
        s = slots(MLP.format(args="config", store="self.spare = ACT2FN[config.hidden_act]", body="return x")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s, {})

    def test_config_changed_by_the_model(self):
        # Gemma 4.47 stores into its configuration, clipseg into a copy: the stored value decides.
        s = slots(MLP.format(args="config", store='config.hidden_act = "relu"\n        self.act = ACT2FN[config.hidden_act]',
                             body="return self.act(x)") + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s["mlp"]["formula"], "relu")

    def test_gemma_null_rule(self):
        config = CONFIG + "    hidden_activation: str | None = None\n"
        s = slots(MLP.format(args="config", store='if config.hidden_activation is None:\n            act = "gelu_pytorch_tanh"\n'
                             '        else:\n            act = config.hidden_activation\n        self.act = ACT2FN[act]',
                             body="return self.act(self.g(x)) * self.u(x)") + MODEL.format(body="self.mlp = XMLP(config)"), config)
        self.assertEqual(s["mlp"]["read"], "hidden_activation")
        self.assertEqual(s["mlp"]["when"], {"key": "hidden_activation", "not_null": True})
        self.assertEqual(s["mlp:null"]["formula"], "gelu_tanh")
        self.assertEqual(s["mlp"]["gating"], "glu")


class HardCoded(unittest.TestCase):
    def one(self, store: str, body: str) -> dict:
        s = slots(MLP.format(args="config", store=store, body=body) + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(len(s), 1, s)
        return next(iter(s.values()))

    def test_torch_modules_and_functions(self):
        self.assertEqual(self.one("self.act = nn.GELU()", "return self.act(x)")["formula"], "gelu_erf")
        self.assertEqual(self.one('self.act = nn.GELU(approximate="tanh")', "return self.act(x)")["formula"], "gelu_tanh")
        self.assertEqual(self.one("pass", 'return F.gelu(x, approximate="tanh")')["formula"], "gelu_tanh")
        self.assertEqual(self.one("pass", "return gelu(x)")["formula"], "gelu_erf")
        self.assertEqual(self.one("self.act = gelu_new", "return self.act(x)")["formula"], "gelu_tanh")
        self.assertEqual(self.one('self.act = ACT2FN["quick_gelu"]', "return self.act(x)")["formula"], "gelu_quick")

    def test_algebra_in_place(self):
        r = self.one("self.alpha = 1.702", "g = self.fc(x)\n        return g * torch.sigmoid(g * self.alpha)")
        self.assertEqual(r["formula"], "gelu_quick")

    def test_local_function_by_what_it_computes(self):
        s = slots("def gelu_fast(x):\n    return x * 0.5 * (1.0 + torch.erf(x / 1.4142135623730951))\n"
                  + MLP.format(args="config", store="pass", body="return gelu_fast(x)") + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(s["mlp"]["formula"], "gelu_erf")

    def test_class_handed_down(self):
        s = slots(MLP.format(args="act_layer=nn.GELU", store="self.act = act_layer()", body="return self.act(self.fc(x))")
                  + MODEL.format(body="self.mlp = XMLP(act_layer=nn.SiLU)"))
        self.assertEqual(s["mlp"]["formula"], "silu")

    def test_applied_twice(self):
        r = self.one("self.act = nn.GELU()", "x = self.act(self.a(x))\n        return self.act(self.b(x))")
        self.assertEqual(r["modifiers"], ["twice"])

    def test_gates_are_kept_apart(self):
        d = document(MLP.format(args="config", store="self.act = ACT2FN[config.hidden_act]",
                                body="return self.act(x) * torch.sigmoid(self.g(x))") + MODEL.format(body="self.mlp = XMLP(config)"))
        c = d["configs"]["XConfig"]
        self.assertEqual(list(c["slots"]), ["mlp"])
        self.assertEqual([g["formula"] for g in c["gates"].values()], ["sigmoid"])


class Conditions(unittest.TestCase):
    def test_exclusive_alternatives(self):
        # dinov2: use_swiglu_ffn makes the key unread.
        s = slots(MLP.format(args="config", store="self.act = ACT2FN[config.hidden_act]", body="return self.act(x)")
                  + "class XSwiGLUFFN(nn.Module):\n    def forward(self, x):\n        a, b = self.w(x).chunk(2)\n        return F.silu(a) * b\n"
                  + MODEL.format(body="if config.use_swiglu_ffn:\n            self.mlp = XSwiGLUFFN()\n        else:\n            self.mlp = XMLP(config)"))
        self.assertEqual(s["mlp"]["when"], {"key": "use_swiglu_ffn", "equals": False})
        self.assertEqual(s["mlp:swiglu_ffn"]["when"], {"key": "use_swiglu_ffn", "equals": True})
        self.assertEqual(s["mlp:swiglu_ffn"]["gating"], "glu")

    def test_flag_chooses_a_function(self):
        s = slots(MLP.format(args="config", store="self.act = gelu if config.gelu_activation else F.relu", body="return self.act(x)")
                  + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(sorted((r["formula"], r["when"]["equals"]) for r in s.values()), [("gelu_erf", True), ("relu", False)])

    def test_string_check_of_the_bert_family(self):
        s = slots(MLP.format(args="config", store="if isinstance(config.hidden_act, str):\n            self.act = ACT2FN[config.hidden_act]\n"
                             "        else:\n            self.act = config.hidden_act", body="return self.act(x)") + MODEL.format(body="self.mlp = XMLP(config)"))
        self.assertEqual(list(s), ["mlp"])
        self.assertNotIn("when", s["mlp"])


class Owners(unittest.TestCase):
    CONFIG = ('class XVisionConfig(PreTrainedConfig):\n    model_type = "xv"\n    hidden_act: str = "gelu"\n'
              'class XConfig(PreTrainedConfig):\n    model_type = "x"\n    sub_configs = {"vision_config": XVisionConfig, "text_config": AutoConfig}\n'
              '    vision_config: dict | None = None\n    text_config: dict | None = None\n')

    def test_slot_belongs_to_the_sub_configuration(self):
        d = document(MLP.format(args="config", store="self.act = ACT2FN[config.hidden_act]", body="return self.act(x)")
                     + "class XProjector(nn.Module):\n    def __init__(self, config):\n        self.act = ACT2FN[config.text_config.hidden_act]\n"
                       "    def forward(self, x):\n        return self.act(x)\n"
                     + MODEL.format(body="self.vision = XMLP(config.vision_config)\n        self.projector = XProjector(config)"),
                     self.CONFIG, {"x": "XConfig", "xv": "XVisionConfig"})
        self.assertEqual(d["configs"]["XVisionConfig"]["slots"]["mlp"]["read"], "hidden_act")
        p = d["configs"]["XConfig"]["slots"]["projector"]
        self.assertEqual((p["read"], p["component"]), ("text_config.hidden_act", "projector"))
        self.assertEqual(list(d["configs"]["XConfig"]["slots"]), ["projector"])


class Many(unittest.TestCase):
    def test_no_model_loses_its_slots_to_another(self):
        # Instances of a file that is done are freed and their identities used again: nothing may depend on them.
        model = (MLP.format(args="config", store="self.act = ACT2FN[config.hidden_act]", body="return self.act(x)")
                 + MODEL.format(body="self.mlp = XMLP(config)\n        self.layers = nn.ModuleList([XMLP(config) for _ in range(2)])"))
        models = {f"m{i}": (CONFIG.replace("XConfig", f"M{i}Config").replace('"x"', f'"m{i}"'),
                            model.replace("XConfig", f"M{i}Config").replace("XM", f"M{i}M")) for i in range(40)}
        d = extract(models, {f"m{i}": f"M{i}Config" for i in range(40)})
        self.assertEqual([k for k, c in d["configs"].items() if list(c.get("slots", {})) != ["mlp"]], [])


if __name__ == "__main__":
    unittest.main()
