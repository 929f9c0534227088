"""XGBoost's half of make bench-train: the same data, rounds, depth and threads as
cmd/benchtrain, one line of JSON in the same form. The time includes what
turns numbers into bins, as ours does, and not the reading of the file."""

import json
import resource
import sys
import time

import numpy
import xgboost


def read(path, columns):
    table = numpy.fromfile(path, dtype="<f4").reshape(-1, columns + 1)
    return table[:, 1:], table[:, 0]


def cpu():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


def auc(scores, labels):
    order = numpy.argsort(scores, kind="stable")
    positive = labels[order] == 1
    below = numpy.cumsum(~positive)
    return float(below[positive].sum()) / (positive.sum() * (~positive).sum())


def main():
    path, columns, rounds, depth, threads = sys.argv[1], *map(int, sys.argv[2:6])
    x, y = read(path, columns)
    tx, ty = read(path + ".test", columns)
    wall, used = time.time(), cpu()
    data = xgboost.DMatrix(x, y, nthread=threads)
    settings = {
        "objective": "binary:logistic", "tree_method": "hist", "max_bin": 255, "eta": 0.1,
        "max_depth": depth, "lambda": 1, "min_child_weight": 1, "nthread": threads, "base_score": 0.5,
    }
    model = xgboost.train(settings, data, num_boost_round=rounds)
    wall, used = time.time() - wall, cpu() - used
    print(json.dumps({
        "tool": "xgboost " + xgboost.__version__, "rows": len(y), "columns": columns, "rounds": rounds,
        "depth": depth, "threads": threads, "wall_seconds": wall, "cpu_seconds": used,
        "auc": auc(model.predict(xgboost.DMatrix(tx)), ty),
    }))


main()
