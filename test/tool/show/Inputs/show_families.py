# show_families.py OPSIG ROOT: compares what `show NAME` says with what `show --all` says of NAME.
import json
import subprocess
import sys

OPSIG, ROOT = sys.argv[1:]
KINDS = ["add_.Tensor", "add.out", "__iand__.Scalar", "__and__.Tensor", "slice_copy.Tensor", "slice_scatter",
         "as_strided_", "_fused_adam", "_fused_adam.out", "expand_copy.out", "native_batch_norm.out"]


def show(*args):
    command = [OPSIG, "show", "--torch-root", ROOT, "--format", "json", *args]
    return subprocess.run(command, capture_output=True, text=True)


reports = {json.loads(line)["op"]: line for line in show("--all").stdout.splitlines()}
names = list(reports)[::40] + [name for name in KINDS if name in reports]
wrong = [name for name in names if show(name).stdout.strip() != reports[name]]
print(len(names), "operators,", len(wrong), "differ", *wrong)
# Nothing of this family: all are read, for the suggestion.
print("unknown:", show("addd").stderr.partition("error: ")[2].strip())
