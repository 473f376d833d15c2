"""Runs a fixed script of allocations in PyTorch and writes the statistics after each step.

torch_trace.py FILE: writes one JSON object per line. The first is the head. Each other has `action`
(`alloc`, `free`, `empty_cache`), `id`, `bytes`, and the `torch.cuda.memory_stats` after the action.
"""

import json
import random
import sys

import torch

STATS = {
    "allocated": "allocated_bytes.all.current",
    "reserved": "reserved_bytes.all.current",
    "requested": "requested_bytes.all.current",
    "inactive_split": "inactive_split_bytes.all.current",
    "segments": "segment.all.current",
}


def main(path):
    torch.cuda.init()
    torch.cuda.empty_cache()
    chance = random.Random(1)
    live = {}
    with open(path, "w") as out:
        head = {
            "format": "torch allocator trace",
            "torch": torch.__version__,
            "cuda": torch.version.cuda,
            "device": torch.cuda.get_device_name(0),
        }
        out.write(json.dumps(head) + "\n")

        def step(action, number, size):
            stats = torch.cuda.memory_stats()
            sizes = {name: stats[key] for name, key in STATS.items()}
            out.write(json.dumps({"action": action, "id": number, "bytes": size, **sizes}) + "\n")

        for number in range(2000):
            if live and chance.random() < 0.45:
                gone = chance.choice(sorted(live))
                free(live, gone, step)
            else:
                size = int(2 ** chance.uniform(4, 27))
                live[number] = torch.empty(size, dtype=torch.uint8, device="cuda:0")
                step("alloc", number, size)
            if number % 500 == 499:
                torch.cuda.empty_cache()
                step("empty_cache", None, None)
        for number in sorted(live):
            free(live, number, step)
        torch.cuda.empty_cache()
        step("empty_cache", None, None)
    print(f"written to {path}; {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}")


def free(live, number, step):
    size = live.pop(number).numel()
    step("free", number, size)


if __name__ == "__main__":
    main(sys.argv[1])
