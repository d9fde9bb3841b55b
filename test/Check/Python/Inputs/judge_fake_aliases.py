# judge_fake_aliases.py FILE COUNT SEED COMMAND...: writes COUNT operators with kernels and random fakes to FILE. Each is run
# eagerly and by torch.compile, and opsig's findings about the fakes are compared with the results.
import json
import random
import subprocess
import sys
import warnings

# Statements on `y`, which begins as the argument.
STEPS = {
    "same": ["y = y", "y = y.contiguous()", "y = y.to(torch.float32)", "y = y.flatten(0, 0)", "y = torch.positive(y)",
             "y = y.resolve_conj()", "y = y.resolve_neg()", "y = torch.real(y)", "y = y.to(y.device)",
             "y = y.type_as(x)", "y = y.float()", "y = y.type(torch.float32)", "y = torch.atleast_1d(y)", "y = y.sum_to_size(y.shape)",
             "y = torch.as_tensor(y)", "y = torch.as_tensor(y, dtype=torch.float32)", "y = +y", "y = y.real", "y = y.cpu()",
             "y = torch.flatten(y, 1, 1)", "y = torch.atleast_2d(y)", "y = torch.nn.functional.dropout(y, 0.5, False)",
             "y = torch.nn.functional.feature_alpha_dropout(y, training=False)"],
    "view": ["y = y.view(y.shape)", "y = y.detach()", "y = y[:]", "y = y.expand(2, 3)", "y = y.unsqueeze(0).squeeze(0)",
             "y = y.transpose(0, 1).transpose(0, 1)", "y = y.reshape(y.shape)", "y = y.flatten().view(2, 3)", "y = y.data",
             "y = torch.atleast_3d(y).squeeze(-1)", "y = torch.flatten(y, 0, 1).view(2, 3)"],
    "new": ["y = torch.empty_like(y)", "y = y.clone()", "y = y.new_empty(y.shape)", "y = y * 2", "y = -y", "y = y.half().float()",
            "y = torch.as_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])", "y = torch.as_tensor([1.0] * 6).view(2, 3)",
            "y = y.double().type_as(x)", "y = torch.nn.functional.dropout(y)", "y = torch.nn.functional.dropout(y, 0.5, True)",
            "y = y.half().type(torch.float32)"],
}  # fmt: skip
ENDS = {
    "Tensor": ["return y"] * 3 + ["if x.dim() == 2:\n        return y\n    return torch.empty_like(x)"]
    + ["if x.dim() == 3:\n        return y\n    return torch.empty_like(x)", "return y if x.dim() == 2 else x.clone()"],
    "(Tensor, Tensor)": ["return y, torch.empty_like(x)", "return torch.empty_like(x), y", "return y, y",
                         "z = torch.empty_like(y)\n    return z, z", "z = y * 2\n    return z, z", "z = y.clone()\n    return z, z.contiguous()[:]"],
    "Tensor[]": ["return [y]", "return [torch.empty_like(x), y]"],
}  # fmt: skip
RESULTS = {"Tensor": "x * 3", "(Tensor, Tensor)": "(x * 3, x * 5)", "Tensor[]": "[x * 3, x * 5][:{n}]"}


def written(rng, number):
    returned = rng.choice(["Tensor", "Tensor", "(Tensor, Tensor)", "Tensor[]"])
    end = rng.choice(ENDS[returned])
    steps = [rng.choice(STEPS[rng.choice(["same", "same", "same", "view", "new"])]) for _ in range(rng.randint(0, 2))]
    body = "\n    ".join(["y = x", *steps, end])
    result = RESULTS[returned].format(n=2 if "[torch" in end else 1)
    return f"""lib.define("f{number}(Tensor x) -> {returned}")
lib.impl("f{number}", lambda x: {result}, "CPU")


@torch.library.register_fake("judge_fakes::f{number}")
def fake{number}(x):
    {body}


"""


def differs(torch, number):
    """Of the fake the results under torch.compile, against eager ones."""
    op = getattr(torch.ops.judge_fakes, f"f{number}")

    def total(x):
        result = op(x)
        parts = [result] if isinstance(result, torch.Tensor) else list(result)
        for place, part in enumerate(parts):
            x = x + part * 10 ** (place + 1) + x * 0
        return x, parts

    def used_later(x):
        return total(x)[0] + x

    eager = used_later(torch.ones(2, 3))
    torch._dynamo.reset()
    return not torch.equal(eager, torch.compile(used_later, backend="aot_eager")(torch.ones(2, 3)))


def main():
    path, count, seed, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    warnings.simplefilter("ignore")
    import torch

    if not hasattr(torch.library, "register_fake"):
        return print(f"PyTorch {torch.__version__} is not judged: it has no register_fake")
    rng = random.Random(seed)
    text = 'import torch\n\nlib = torch.library.Library("judge_fakes", "DEF")\n'
    text += "".join(written(rng, number) for number in range(count))
    with open(path, "w") as file:
        file.write(text)
    exec(compile(text, path, "exec"), {"__name__": "judged"})
    run = subprocess.run([*command, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        sys.exit(run.stderr[-2000:])
    said = {}
    for line in run.stdout.splitlines():
        hit = json.loads(line)
        if hit["id"] == "opsig-fake-alias":
            said.setdefault(int(hit["operator"].rpartition("::f")[2]), set()).add(hit["confidence"])
    wrong = [number for number in range(count) if differs(torch, number)]
    bad = 0
    for number in range(count):
        levels = said.get(number, set())
        if (number in wrong and not levels) or (number not in wrong and "certain" in levels):
            bad += 1
            print(f"f{number}: {'wrong' if number in wrong else 'right'} results; opsig: {levels or 'nothing'}")
    certain = sum("certain" in levels for levels in said.values())
    likely = [number for number, levels in said.items() if levels == {"likely"}]
    right = len(set(likely) - set(wrong))
    print(f"{count} fakes, {len(wrong)} with wrong results, {certain} certain, {len(likely)} likely, {right} of them with right results; {bad} disagreements")


if __name__ == "__main__":
    main()
