"""What the CPU time and the memory of winnow's stages grow with (make bench-scale): run and
rank on made-up programs, train and evaluate on copies of a history of the examples, each as
a process of its own, for each number of mutants. A stage whose last size took more than
LIMIT seconds is not asked for the next. Prints a table; the last column is the exponent of
the growth of the time since the line before: 1 is linear.

    python3 scripts/bench_scale.py WINNOW FOLDER SIZE...
"""

import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

LIMIT = 300
FUNCTION = """int f{0}(int a, int b) {{
  int sum = {0} % 7;
  for (int i = a % 5; i < b % 9; i++) sum += i * a - (b ^ {0});
  return a > b ? sum - a : sum + b / 3;
}}
"""
PER_FUNCTION = 500  # mutants, about
LEAST = 10_000  # mutants of a history: fewer are of one problem, which nobody learns from


def measured(*command):
    """Runs a command and returns its CPU seconds and its most memory, with its children."""
    text = ["/usr/bin/time", "-f", "%U %S %M", *map(str, command)]
    done = subprocess.run(text, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(text)}\n{done.stderr}")
    user, system, kilobytes = done.stderr.strip().splitlines()[-1].split()
    return float(user) + float(system), int(kilobytes) >> 10


def program(folder, size):
    """Writes a project of so many mutants, which its tests reach."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tests").mkdir(parents=True)
    count = max(1, size // PER_FUNCTION)
    calls = "".join(f"  s ^= f{i}(a, b);\n" for i in range(count))
    main = f"int main(void) {{ int a, b, s = 0; if (scanf(\"%d %d\", &a, &b) != 2) return 1;\n{calls}  printf(\"%d\\n\", s); return 0; }}\n"
    text = "#include <stdio.h>\n" + "".join(FUNCTION.format(i) for i in range(count)) + main
    (folder / "p.c").write_text(text)
    for i, line in enumerate(["3 8", "40 2", "-7 -7"]):
        (folder / "tests" / f"{i}.in").write_text(line + "\n")
    (folder / "winnow.toml").write_text('program = "p"\nsources = ["p.c"]\n[tests]\ndir = "tests"\n')


def mutants(manifest):
    return json.loads(manifest.read_text())["counts"]["mutants"]


def copies(seed, folder, size):
    """Makes a history of so many mutants, of links to the tables of another one."""
    shutil.rmtree(folder, ignore_errors=True)
    total, copy, runs = 0, 0, sorted(seed.rglob("manifest.json"))
    while total < size:
        for run in runs:
            about = json.loads(run.read_text())
            about["program"] = about["problem"] = f"{about['program']}-{about['fault']}-{copy}"
            to = folder / about["program"] / about["fault"]
            to.mkdir(parents=True)
            for table in run.parent.glob("*.parquet"):
                os.link(table, to / table.name)
            (to / "manifest.json").write_text(json.dumps(about))
            total += about["counts"]["mutants"]
            if total >= size:
                break
        copy += 1
    return total


def main(winnow, folder, sizes):
    folder = pathlib.Path(folder)
    seed = folder / "seed"
    record = [winnow, "run", "--faults", "--resume", "--progress", "silent", "--out", seed, "examples/justify"]
    subprocess.run(record, check=True, stdout=subprocess.DEVNULL)
    print("| stage | mutants | CPU seconds | MB | exponent |\n|---|--:|--:|--:|--:|")
    last = {}

    def line(stage, count, cost):
        cpu, memory = cost
        before = last.get(stage)
        exponent = f"{math.log(cpu / before[1]) / math.log(count / before[0]):.2f}" if before else ""
        last[stage] = (count, cpu)
        print(f"| {stage} | {count:,} | {cpu:.1f} | {memory} | {exponent} |", flush=True)

    def wanted(stage):
        return stage not in last or last[stage][1] < LIMIT / 10

    for size in sizes:
        project, out, history = folder / f"p-{size}", folder / f"out-{size}", folder / f"history-{size}"
        if wanted("run"):
            program(project, size)
            cost = measured(winnow, "run", project, "--force", "--progress", "silent", "--out", out)
            manifest = next(out.rglob("manifest.json"))
            line("run", mutants(manifest), cost)
            line("rank", mutants(manifest), measured(winnow, "rank", manifest.parent, "--format", "json"))
        if size >= LEAST and wanted("train"):
            count = copies(seed, history, size)
            model = ("--rounds", 20, "--folds", 3, "--repetitions", 5, "--progress", "silent")
            line("train", count, measured(winnow, "train", history, "--force", "--out", folder / "model", *model))
            line("evaluate", count, measured(winnow, "evaluate", history, *model))


main(sys.argv[1], sys.argv[2], [int(size) for size in sys.argv[3:]])
