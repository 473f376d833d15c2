#!/usr/bin/env bash
# Compares the memory of a program before and after a change: builds both commits, runs each several
# times in turns, and writes `memprof diff --runs --markdown`.
#
#   BASE=origin/main RUN='target/release/server --once' action/compare.sh
#
#   BASE     the commit to compare with
#   RUN      the command whose memory is compared, in a checkout of each commit; HEAD is the other one
#   BUILD    the command that builds it [default: cargo build --release --locked]
#   RUNS     the number of runs of each commit [default: 5]
#   LIMITS   limits of growth, one a line, such as `peak=5%` [default: none]
#   OUT      the file for the table [default: memprof.md]
#   MEMPROF  the command `memprof` [default: memprof]
#
# The exit code is 1 if the growth exceeds a limit, and another one if the comparison failed.
set -euo pipefail

: "${BASE:?name the commit to compare with}" "${RUN:?name the command to run}"
build=${BUILD:-cargo build --release --locked}
runs=${RUNS:-5}
out=$(realpath -m "${OUT:-memprof.md}")
memprof=${MEMPROF:-memprof}

# Lines of call sites cost nothing at run time.
export CARGO_PROFILE_RELEASE_DEBUG=${CARGO_PROFILE_RELEASE_DEBUG:-line-tables-only}

# Programs allocate their paths, so both commits are checked out in folders with names of one length.
folder=$(git rev-parse --show-prefix)
work=$(mktemp -d)
remove() {
    rm -rf "$work"
    git worktree prune
}
trap remove EXIT
for side in base head; do
    commit=HEAD
    if [[ $side == base ]]; then commit=$BASE; fi
    git worktree add --quiet --detach "$work/$side" "$commit"
    # One target folder for both commits would leave one program to compare with itself.
    export CARGO_TARGET_DIR=$work/$side/target
    (cd "$work/$side/$folder" && bash -euo pipefail -c "$build") || {
        echo "memprof: the build of $(git -C "$work/$side" rev-parse --short HEAD) failed" >&2
        exit 2
    }
done

# In turns, so that a change of the machine affects both.
for ((run = 1; run <= runs; run++)); do
    for side in base head; do
        echo "memprof: run $run of $runs, $side"
        export CARGO_TARGET_DIR=$work/$side/target
        (cd "$work/$side/$folder" && "$memprof" run --output-dir "$work/runs/$side" -- bash -c "exec $RUN") \
            >"$work/output" 2>&1 || {
            cat "$work/output" >&2
            echo "memprof: \`$RUN\` failed in $side" >&2
            exit 2
        }
    done
done

limits=()
while read -r limit; do
    if [[ -n $limit ]]; then limits+=(--fail-if-grows "$limit"); fi
done <<<"${LIMITS:-}"
code=0
"$memprof" diff --runs --markdown ${limits[@]+"${limits[@]}"} "$work/runs/base" "$work/runs/head" \
    >"$work/table" 2>"$work/growth" || code=$?
cat "$work/growth" >&2
[[ $code -le 1 ]] || exit 2
{
    printf '### Memory\n\n'
    # The limits that were exceeded, as a list.
    sed 's/^memprof: /- /' "$work/growth"
    [[ ! -s $work/growth ]] || echo
    cat "$work/table"
} >"$out"
exit "$code"
