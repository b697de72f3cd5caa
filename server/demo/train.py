"""A small training in plain Python: softmax regression on three made-up flower species.

EPOCHS and LR come from the environment; a file name as argument is read instead of the made-up data.
"""
import csv
import math
import os
import random
import sys
import time

epochs, lr = int(os.environ.get("EPOCHS", "12")), float(os.environ.get("LR", "0.1"))
rng = random.Random(7)
if len(sys.argv) > 1:
    print("reading", sys.argv[1])
    with open(sys.argv[1]) as f:
        rows = [([float(v) for v in r[:-1]], r[-1]) for r in csv.reader(f)]
else:
    centres = {"setosa": (5.0, 3.4, 1.5, 0.2), "versicolor": (5.9, 2.8, 4.3, 1.3), "virginica": (6.6, 3.0, 5.6, 2.0)}
    rows = [([rng.gauss(m, 0.35) for m in c], name) for name, c in centres.items() for _ in range(80)]
print(f"{len(rows)} rows, {epochs} epochs, learning rate {lr}")
names = sorted({y for _, y in rows})
columns = list(zip(*(x for x, _ in rows)))
mean = [sum(c) / len(c) for c in columns]
spread = [math.sqrt(sum((v - m) ** 2 for v in c) / len(c)) or 1.0 for c, m in zip(columns, mean)]
data = [([1.0] + [(v - m) / s for v, m, s in zip(x, mean, spread)], names.index(y)) for x, y in rows]
weights = [[0.0] * len(data[0][0]) for _ in names]
for epoch in range(1, epochs + 1):
    rng.shuffle(data)
    loss = right = 0
    for n, (x, y) in enumerate(data, 1):
        scores = [sum(w * v for w, v in zip(row, x)) for row in weights]
        top = max(scores)
        p = [math.exp(s - top) for s in scores]
        p = [v / sum(p) for v in p]
        loss -= math.log(max(p[y], 1e-12))
        right += p.index(max(p)) == y
        for k, row in enumerate(weights):
            for j, v in enumerate(x):
                row[j] -= lr * (p[k] - (k == y)) * v
        if n % 20 == 0 or n == len(data):
            done = 24 * n // len(data)
            sys.stdout.write(f"\repoch {epoch}/{epochs}: {100 * n // len(data):3d}%|{'█' * done:<24}| {n}/{len(data)}")
            sys.stdout.flush()
            time.sleep(0.01)
    print(f"\nepoch {epoch} loss {loss / len(data):.4f} accuracy {right / len(data):.4f}")
    if epoch == 3:
        print("WARNING: the learning rate is constant; a schedule may do better", file=sys.stderr)
print("finished: accuracy", f"{right / len(data):.4f}")
