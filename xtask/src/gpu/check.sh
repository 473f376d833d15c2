#!/usr/bin/env bash
# The checks that need a GPU. Run this script in the folder of its programs. It writes figures into
# the given folder. Without a GPU, each step prints a line that begins with `skipped:`, and the
# script succeeds.
set -uo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
figures="${1:?expected a folder for figures}"
mkdir -p "$figures"
failed=0

step() { # NAME COMMAND…
    local name="$1"; shift
    printf '\n== %s\n' "$name"
    "$@" || { printf 'failed: %s\n' "$name"; failed=1; }
}

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

# Compares counters with nvidia-smi's, and records a trace that the tests can replay.
devices() {
    has_gpu || { echo "skipped: no nvidia-smi, or no device that it lists"; return 0; }
    nvidia-smi | tee "$figures/nvidia-smi.txt"
    "$here/memprof" gpu | tee "$figures/devices.txt" || return 1
    "$here/memprof" gpu record "$figures/trace.jsonl" --for 5s --every 100ms --force || return 1
    "$here/memprof" gpu record "$figures/trace-10ms.jsonl" --for 5s --every 10ms --force || return 1
    python3 "$here/compare.py" "$here/memprof" "$figures"
}

step "devices beside nvidia-smi" devices
step "CUDA's driver" bash -c '"$1/cuda_check" | tee "$2/cuda_check.txt"; exit "${PIPESTATUS[0]}"' _ "$here" "$figures"
step "what a wrapper costs" "$here/wrapper" ${WRAPPER_OPTIONS:---quick} \
    --output "$figures/wrapper" --markdown "$figures/wrapper.md"
exit "$failed"
