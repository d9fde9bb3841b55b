"""Charts of one run: opsig beside torchgen, the compiler and a copy.

releases x files x operators => figures => an SVG each, and the tables of the same

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

FILE_COUNTS = (1, 4, 16)
OPERATOR_COUNTS = (10, 40, 160)
# Colors for a light page and for a dark one, by the order of the programs.
LIGHT = ("#1f77b4", "#d97706", "#6b7280", "#059669")
DARK = ("#60a5fa", "#fbbf24", "#9ca3af", "#34d399")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 340, 64, 60, 44

SOURCE = """#include <ATen/ATen.h>
#include <torch/library.h>
at::Tensor op{n}(const at::Tensor &x, double by) {{ return x * by; }}
TORCH_LIBRARY_FRAGMENT(measured, m) {{ m.def("op{n}(Tensor x, float by) -> Tensor", &op{n}); }}
"""


def style():
    def colors(palette, text, line):
        rules = [f".s{number} {{ fill: {color} }}" for number, color in enumerate(palette)]
        return " ".join([*rules, f"text {{ fill: {text} }}", f"line {{ stroke: {line} }}"])

    return (
        f"<style>text {{ font: 13px sans-serif }} .title {{ font-weight: bold; font-size: 15px }} "
        f".value {{ font-size: 11px; text-anchor: middle }} {colors(LIGHT, '#1f2937', '#d1d5db')} "
        f"@media (prefers-color-scheme: dark) {{ {colors(DARK, '#e5e7eb', '#4b5563')} }}</style>"
    )


def seconds(value):
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def chart(title, axis, figures):
    """An SVG with groups of bars: figures are {group: {program: seconds}}; the axis is logarithmic."""
    programs = list(dict.fromkeys(program for group in figures.values() for program in group))
    values = [value for group in figures.values() for value in group.values()]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    height = HEIGHT - TOP - BOTTOM

    def y(value):
        return TOP + height * (1 - (math.log10(value) - low) / (high - low))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">', f"<title>{title}</title>"]
    out += [style(), f'<text class="title" x="{LEFT}" y="20">{title}</text>']
    for power in range(low, high + 1):
        at = y(10**power)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{at:.1f}" y2="{at:.1f}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**power:g} s</text>')
    for number, program in enumerate(programs):
        x = LEFT + number * 160
        out.append(f'<rect class="s{number}" x="{x}" y="32" width="12" height="12"/>')
        out.append(f'<text x="{x + 18}" y="43">{program}</text>')
    group_width = (WIDTH - LEFT - 10) / len(figures)
    bar = min(48, group_width * 0.8 / len(programs))
    for index, (group, costs) in enumerate(figures.items()):
        middle = LEFT + (index + 0.5) * group_width
        for number, program in enumerate(programs):
            if program in costs:
                x, top = middle + (number - len(programs) / 2) * bar, y(costs[program])
                out.append(f'<rect class="s{number}" x="{x:.1f}" y="{top:.1f}" width="{bar - 3:.1f}" height="{TOP + height - top:.1f}"/>')
                out.append(f'<text class="value" x="{x + bar / 2:.1f}" y="{top - 4:.1f}">{seconds(costs[program])}</text>')
        out.append(f'<text x="{middle:.1f}" y="{HEIGHT - 24}" text-anchor="middle">{group}</text>')
    out.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{axis}</text>')
    return "\n".join([*out, "</svg>", ""])


def table(axis, figures):
    programs = list(dict.fromkeys(program for group in figures.values() for program in group))
    lines = [f"| {axis} | {' | '.join(programs)} |", "|---" * (len(programs) + 1) + "|"]
    for group, costs in figures.items():
        lines.append(f"| {group} | {' | '.join(seconds(costs[p]) if p in costs else '' for p in programs)} |")
    return "\n".join(lines)


def measured(jobs):
    """{program: CPU seconds}, medians of runs in turn."""
    for turn in range(max(job.runs for job in jobs)):
        for job in jobs:
            if turn < job.runs:
                job.costs.append(job.run())
    return {job.program: job.median()[0] for job in jobs}


def by_release(options, bench, scratch):
    """`gen aten`, every file, with the roots of --torch-root and --chart-root."""
    figures = {}
    for path in [options.torch_root, *options.chart_root]:
        root = bench.TorchRoot(path)
        place = scratch / f"release{len(figures)}"
        place.mkdir()
        env = root.environment(place, front=[root.make_shadow(place)])
        here = ["--torch-root", str(root.path.resolve())]
        jobs = bench.make_aten_jobs(options, bench.opsig, here, dict(os.environ), env, root, place)
        jobs = [job for job in jobs if job.program in ("opsig", "torchgen", "cp -r")]
        figures[".".join(map(str, root.release))] = measured(jobs)
    return figures


def by_files(options, bench, scratch):
    """Sources of an extension: `check` with nothing kept, the same again, and the compiler's reading of them."""
    figures = {}
    flags = subprocess.run([str(bench.project / "utils" / "torch-std")], capture_output=True, text=True, check=True)
    for count in FILE_COUNTS:
        folder, cache = scratch / f"files{count}", scratch / f"cache{count}"
        folder.mkdir()
        names = [str(folder / f"op{n}.cpp") for n in range(count)]
        for n, name in enumerate(names):
            Path(name).write_text(SOURCE.format(n=n))
        check = [bench.opsig, "check", "--scope=unit", "-j", "1"]
        rest = [*names, "--", flags.stdout.strip()]
        compiler = ["/usr/bin/clang++-22", flags.stdout.strip(), "-fsyntax-only", *names]
        jobs = [
            bench.Job("check", "opsig check", [*check, "--no-cache", *rest], dict(os.environ), 1),
            bench.Job("check", "clang++", compiler, dict(os.environ), 1),
            bench.Job("check", "opsig check again", [*check, "--cache", str(cache), *rest], dict(os.environ), 1, is_second=True),
        ]
        figures[str(count)] = measured(jobs)
    return figures


def by_operators(options, bench, scratch):
    """`gen backend` of a YAML with so many operators."""
    root = bench.TorchRoot(options.torch_root)
    here = ["--torch-root", str(root.path.resolve())]
    listed = subprocess.run([bench.opsig, "show", *here, "--all", "--format", "json"], capture_output=True, text=True, check=True)
    shown = [json.loads(line) for line in listed.stdout.splitlines()]
    # What a backend may list: operators with a kernel of the CPU's own, one of each group, that return one tensor. Of others
    # some releases cannot derive the out and inplace forms.
    names = [
        op["op"]
        for op in shown
        if "CPU" in op.get("dispatch", {}) and op["kind"] == "functional" and op["schema"].endswith("-> Tensor")
    ]
    figures = {}
    env = root.environment(scratch, front=[root.make_shadow(scratch)])
    for count in OPERATOR_COUNTS:
        count = min(count, len(names))
        yaml = scratch / f"backend{count}.yaml"
        lines = ["backend: PrivateUse1", "cpp_namespace: measured", "supported:", *(f"- {name}" for name in names[:count])]
        yaml.write_text("\n".join(lines) + "\n")
        into = ["--source_yaml", str(yaml), "--output_dir", "out"]
        jobs = [
            bench.Job("backend", "opsig", [bench.opsig, "gen", "backend", *here, *into], dict(os.environ), options.runs),
            bench.Job("backend", "torchgen", [bench.python, "-P", "-m", "torchgen.gen_backend_stubs", *into], env, options.torchgen_runs),
        ]
        figures[str(count)] = measured(jobs)
    return figures


CHARTS = (
    ("releases", "PyTorch's generated files (gen aten), CPU seconds", "release of PyTorch", by_release),
    ("files", "Checking the sources of an extension, CPU seconds", "files", by_files),
    ("operators", "A backend's generated files (gen backend), CPU seconds", "operators in the YAML", by_operators),
)


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    load = os.getloadavg()[0]
    return f"{model}, {os.cpu_count()} processors, {time.strftime('%Y-%m-%d')}, {load:.1f} other processes wanted them"


def draw(options, bench, scratch):
    """Measures, and writes an SVG for each chart and figures.txt with the tables into the folder --chart."""
    folder = Path(options.chart)
    folder.mkdir(parents=True, exist_ok=True)
    where, tables = machine(), []
    for name, title, axis, measure in CHARTS:
        place = scratch / name
        place.mkdir()
        figures = measure(options, bench, place)
        (folder / f"{name}.svg").write_text(chart(title, axis, figures))
        tables.append(f"{title}:\n\n{table(axis, figures)}")
        print(tables[-1], flush=True)
    (folder / "figures.txt").write_text("\n\n".join([f"Measured on: {where}.", *tables]) + "\n")
    print(f"written: {folder}", file=sys.stderr)
