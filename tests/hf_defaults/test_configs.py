"""Stage A on small trees: both styles of configuration class, AutoConfig branches, derived keys."""
import unittest

from support import extract

MODEL = "class XModel(PreTrainedModel):\n    config_class = XConfig\n    def __init__(self, config):\n        self.act = ACT2FN[config.hidden_act]\n    def forward(self, x):\n        return self.act(x)\n"


def configs(text: str, mapping=None, model: str = "") -> dict:
    return extract({"x": (text, model)}, mapping or {"x": "XConfig"})["configs"]


class Styles(unittest.TestCase):
    def test_fields(self):
        c = configs('class XConfig(PreTrainedConfig):\n    model_type = "x"\n    hidden_act: str = "gelu"\n    size: int = 3\n')
        self.assertEqual(c["XConfig"]["keys"], {"hidden_act": {"default": "gelu", "line": 5, "how": "declared"}})
        self.assertEqual(c["XConfig"]["model_type"], "x")

    def test_init_arguments(self):
        c = configs('class XConfig(PreTrainedConfig):\n    model_type = "x"\n    def __init__(self, size=1, hidden_act="quick_gelu", **kwargs):\n'
                    '        self.hidden_act = hidden_act\n        super().__init__(**kwargs)\n')
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"]["default"], "quick_gelu")

    def test_inherited_and_overlaid(self):
        c = configs('class YConfig(PreTrainedConfig):\n    hidden_act: str = "gelu"\n    afn: str = "silu"\n'
                    'class XConfig(YConfig):\n    model_type = "x"\n    hidden_act: str = "relu"\n')
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"], {"default": "relu", "line": 8, "how": "declared"})
        self.assertEqual(c["XConfig"]["keys"]["afn"]["how"], "inherited")

    def test_none_default_is_no_null(self):
        c = configs('class XConfig(PreTrainedConfig):\n    hidden_activation: str | None = None\n')
        self.assertEqual(c["XConfig"]["keys"]["hidden_activation"]["default"], {"py": "None"})


class Derived(unittest.TestCase):
    T5 = ('class XConfig(PreTrainedConfig):\n    model_type = "x"\n    feed_forward_proj: str = "{0}"\n'
          '    def __post_init__(self, **kwargs):\n        act_info = self.feed_forward_proj.split("-")\n'
          '        self.dense_act_fn = act_info[-1]\n        self.is_gated_act = act_info[0] == "gated"\n'
          '        if self.feed_forward_proj == "gated-gelu":\n            self.dense_act_fn = "gelu_new"\n'
          '        super().__post_init__(**kwargs)\n')

    def test_t5_rewrite(self):
        model = ("class XLayer(nn.Module):\n    def __init__(self, config):\n        self.act = ACT2FN[config.dense_act_fn]\n"
                 "    def forward(self, x):\n        return self.act(x)\n"
                 "class XModel(PreTrainedModel):\n    config_class = XConfig\n    def __init__(self, config):\n"
                 "        self.layer = XLayer(config) if config.is_gated_act else XLayer(config)\n")
        keys = configs(self.T5.format("gated-gelu"), model=model)["XConfig"]["keys"]
        self.assertEqual(keys["dense_act_fn"]["default"], "gelu_new")
        self.assertEqual(keys["dense_act_fn"]["how"], "derived")
        self.assertIs(keys["is_gated_act"]["default"], True)
        self.assertEqual(configs(self.T5.format("relu"), model=model)["XConfig"]["keys"]["dense_act_fn"]["default"], "relu")

    def test_unconditional_store_wins_over_the_field(self):
        c = configs('class XConfig(PreTrainedConfig):\n    hidden_act: str = "gelu"\n    def __post_init__(self, **kwargs):\n'
                    '        self.hidden_act = "silu"\n        super().__post_init__(**kwargs)\n')
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"]["default"], "silu")
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"]["how"], "derived")


class Rewritten(unittest.TestCase):
    BODY = ('class XConfig(PreTrainedConfig):\n    hidden_act: str = "gelu_pytorch_tanh"\n    def __post_init__(self, **kwargs):\n        {0}\n'
            '        super().__post_init__(**kwargs)\n')

    def test_one_name_replaced(self):
        # Gemma from 5.24 on: "gelu" in a file ends as the tanh form.
        c = configs(self.BODY.format('if self.hidden_act == "gelu":\n            self.hidden_act = "gelu_pytorch_tanh"'))
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"]["rewrites"], {"gelu": "gelu_pytorch_tanh"})

    def test_every_name_replaced(self):
        c = configs(self.BODY.format('self.hidden_act = "silu"'))
        self.assertEqual(c["XConfig"]["keys"]["hidden_act"]["rewrites"], {"*": "silu"})


CHILD = 'class VConfig(PreTrainedConfig):\n    model_type = "v"\n    hidden_act: str = "quick_gelu"\n'
MAPPING = {"x": "XConfig", "v": "VConfig", "w": "WConfig"}
OTHER = CHILD.replace('"v"', '"w"').replace("VConfig", "WConfig").replace("quick_gelu", "gelu")


class SubConfigs(unittest.TestCase):
    def subs(self, body: str) -> dict:
        return configs(CHILD + OTHER + 'class XConfig(PreTrainedConfig):\n    model_type = "x"\n' + body, MAPPING)["XConfig"]["subs"]

    def test_two_branches_of_auto_config(self):
        # granite4_vision: a dictionary without model_type and a missing one give different classes.
        subs = self.subs('    sub_configs = {"vision_config": AutoConfig}\n    vision_config: dict | None = None\n'
                         '    def __post_init__(self, **kwargs):\n        if isinstance(self.vision_config, dict):\n'
                         '            self.vision_config["model_type"] = self.vision_config.get("model_type", "v")\n'
                         '            self.vision_config = CONFIG_MAPPING[self.vision_config["model_type"]](**self.vision_config)\n'
                         '        elif self.vision_config is None:\n            self.vision_config = CONFIG_MAPPING["w"](hidden_act="relu")\n'
                         '        super().__post_init__(**kwargs)\n')
        self.assertEqual(subs["vision_config"], {"auto": True, "when_missing": "w", "when_no_model_type": "v",
                                                 "missing_overrides": {"hidden_act": "relu"}, "line": 12})

    def test_spec_of_newer_releases(self):
        subs = self.subs('    sub_configs_defaults = {"vision_config": SubConfigSpec(config_class=AutoConfig, model_type="v",'
                         ' init_kwargs={"hidden_act": "silu"}), "other": SubConfigSpec(config_class=WConfig, optional=True)}\n'
                         '    vision_config: dict | None = None\n    other: dict | None = None\n')
        self.assertEqual(subs["vision_config"]["when_missing"], "v")
        self.assertEqual(subs["vision_config"]["missing_overrides"], {"hidden_act": "silu"})
        self.assertEqual(subs["other"], {"class": "WConfig", "optional": True, "line": 13})

    def test_init_style_concrete_class_and_flat_file(self):
        subs = self.subs('    sub_configs = {"text_config": WConfig}\n    def __init__(self, text_config=None, **kwargs):\n'
                         '        if isinstance(text_config, dict):\n            self.text_config = self.sub_configs["text_config"](**text_config)\n'
                         '        elif text_config is None:\n            self.text_config = self.sub_configs["text_config"](**kwargs)\n'
                         '        super().__init__(**kwargs)\n')
        self.assertEqual(subs["text_config"]["class"], "WConfig")
        self.assertIs(subs["text_config"]["flat"], True)

    def test_legacy_dictionary(self):
        subs = self.subs('    def __init__(self, vision_config=None, **kwargs):\n        old = kwargs.pop("vision_config_dict", None)\n'
                         '        self.vision_config = VConfig(**(vision_config or {}))\n        super().__init__(**kwargs)\n')
        self.assertIs(subs["vision_config"]["legacy_dict"], True)


if __name__ == "__main__":
    unittest.main()
