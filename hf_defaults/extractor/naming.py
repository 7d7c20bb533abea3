"""Names of slots, from where a module is instantiated and what it is called."""
from __future__ import annotations

import re

# (pattern over one step "Class.attribute" of the instantiation path, name). The step nearest to
# the activation that matches decides; within a step the first matching rule does.
RULES = (
    (r"per_layer", "per_layer_gate"),
    (r"resampler|perceiver|abstractor", "resampler"),
    (r"window\w*merger", "window_merger"),
    (r"downsamplemlp|downsample\w*merger", "downsample_merger"),
    (r"merger|merge_mlp", "merger"),
    (r"projector|connector|aligner|multimodalproj|multi_modal_proj|mm_proj|adaptor\b", "projector"),
    (r"shared_?expert", "shared_experts"),
    (r"expert", "experts"),
    (r"router|topkgate|\.gate$", "router"),
    (r"attentionpool|poolinghead|multiheadattentionpool", "pooling_head"),
    (r"pooler", "pooler"),
    (r"lmhead|predictionhead|mlmhead|lm_head|lmprediction|generatorpredictions|masked|predictions", "lm_head"),
    (r"classificationhead|classifier|forsequenceclass|formultiplechoice|fortokenclass|forimageclass|"
     r"foraudioclass|forquestionanswering|scorehead", "classifier"),
    (r"sequencesummary|summary", "summary"),
    (r"mamba|ssm|^mixer\b", "mamba"),
    (r"deltanet|linear_attn|linearattention|lightning|kimidelta", "linear_attn"),
    (r"rglru|recurrentblock", "recurrent"),
    (r"adapter", "adapter"),
    (r"prompt_?encoder|promptgenerator", "prompt_encoder"),
    (r"maskdecoder|mask_decoder", "mask_decoder"),
    (r"positionalconv|pos_conv", "pos_conv"),
    (r"featureencoder|featureextractor|feature_extractor|groupnormconvlayer|layernormconvlayer", "feature_extractor"),
    (r"convnext", "convnext"),
    (r"conv_?module|convolutionmodule", "conv_module"),
    (r"subsampl|conv\d|convolutional|conv_?stem|stem|conv_?layer|convlayer|conv_?embed|downsampl\w*conv", "conv"),
    (r"mlp|feed_?forward|ffn|intermediate|\bff\b|densegatedact|denseact|densereludense|positionwise", "mlp"),
    (r"conv", "conv"),
    (r"decoder_?layer|encoder_?layer|transformer_?layer|^layer\b|layer$|block$", "mlp"),
    (r"attention|attn", "attention"),
    (r"embed", "embeddings"),
    (r"head", "head"),
)
_COMPILED = tuple((re.compile(p), name) for p, name in RULES)
_STANDALONE = {"projector"}
_GENERIC = {"mlp", "conv", "attention", "head", "embeddings"}
# Names that an enclosing module gives to a plain MLP inside it; a mixer or an attention block does not.
_ENCLOSING = {"per_layer_gate", "resampler", "window_merger", "downsample_merger", "merger", "projector",
              "shared_experts", "experts", "pooling_head", "pooler", "lm_head", "classifier", "adapter",
              "prompt_encoder", "mask_decoder", "router"}


def snake(name: str) -> str:
    for odd, plain in (("SwiGLU", "Swiglu"), ("GeLU", "Gelu"), ("GELU", "Gelu"), ("SiLU", "Silu"),
                       ("ReLU", "Relu"), ("GLU", "Glu"), ("FFN", "Ffn"), ("MLP", "Mlp"), ("MoE", "Moe"),
                       ("QFormer", "Qformer")):
        name = name.replace(odd, plain)
    s = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return s.lower()


def strip_prefix(class_name: str, others: list[str]) -> str:
    """'Idefics2VisionMLP' -> 'MLP' given the other class names of the file (common prefix)."""
    best = class_name
    for prefix in others:
        if prefix and class_name.startswith(prefix) and len(prefix) < len(class_name):
            rest = class_name[len(prefix):]
            if len(rest) < len(best):
                best = rest
    return best


def slot_name(path: list[tuple[str, str]], attr: str, hint: str, prefixes: list[str]) -> str:
    """Name for an activation at the end of `path`, a list of (attribute, class) from the owner down.

    `attr` is where the activation is kept ("" when it is applied in place), `hint` what it is
    applied to. Classes of the model itself (the root) are only asked when nothing below matches.
    """
    branch = re.fullmatch(r"(\w+_branch)", hint or "")
    if branch:
        return branch.group(1)
    if "per_layer" in (hint or ""):
        return "per_layer_gate"
    steps = []
    leaf_class = strip_prefix(path[-1][1], prefixes) if path else ""
    own = f"{leaf_class}.{attr}".lower()
    if hint and not attr:
        own_hint = hint.lower()
        if re.search(r"conv\d?\(|conv\w*\(", own_hint):
            return "conv"
        if re.search(r"(img|image|audio|vision)_projection\w*\(|_projection_(up|down)\(|projector", own_hint):
            return "projector"
    steps.append(own)
    for a, c in reversed(path[1:]):
        steps.append(f"{strip_prefix(c, prefixes)}.{a}".lower())
    generic = None
    for i, step in enumerate(steps[:5]):
        for pattern, name in _COMPILED:
            if pattern.search(step):
                if name in _GENERIC:
                    generic = generic or name
                elif i == 0 or name in _ENCLOSING or generic is None:
                    return name
                break
    if generic:
        return generic
    return snake(leaf_class) or "activation"


def qualifier_of_key(key: str) -> str:
    """'decoder' from decoder_activation_function, '' from hidden_act."""
    k = key.split(".")[-1]
    k = re.sub(r"(_?(hidden_act|hidden_activation|activation_function|activation_fn|activation|act_fn|act|afn))+$", "", k)
    return k.strip("_")


def component_of(name: str) -> str:
    return name if name in _STANDALONE else ""
