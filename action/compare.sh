#!/usr/bin/env bash
# Compares the memory of a program before and after a change: builds HEAD and the commit where it left
# the base, runs each several times in turns, and writes `memprof diff --runs --markdown`.
#
#   BASE=origin/main RUN='target/release/server --once' action/compare.sh
#
#   BASE     the branch or commit that HEAD is based on; HEAD is compared with their merge base
#   RUN      the shell command whose memory is compared, in a checkout of each commit
#   BUILD    the command that builds it [default: cargo build --release --locked]
#   RUNS     the number of runs of each commit [default: 5]
#   LIMITS   limits of growth, one a line, such as `peak=5%` [default: none]
#   OUT      the file for the table [default: memprof.md]
#   MEMPROF  the command `memprof` [default: memprof]
#
# Both commands run in the folder of the checkout that corresponds to the current one. Each checkout
# has its own target folder, so RUN must be a relative path, and an absolute `build.target-dir` in a
# configuration file of cargo is not supported.
#
# The exit code is 1 if the growth exceeds a limit, and 2 if the comparison failed.
set -euo pipefail
trap 'exit 2' ERR

fail() {
    echo "memprof: $1" >&2
    exit 2
}
[[ -n ${BASE:-} ]] || fail "BASE is not set; set it to the branch or commit to compare with"
[[ -n ${RUN:-} ]] || fail "RUN is not set; set it to the command whose memory is compared"
git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null ||
    fail "this repository has no commit \`$BASE\`; fetch it, or set BASE to another one"
# Later commits of the base are not part of the change.
base=$(git merge-base "$BASE" HEAD) ||
    fail "\`$BASE\` and HEAD have no common commit here; fetch the history with \`git fetch --unshallow\`, \
or \`fetch-depth: 0\` in actions/checkout"
build=${BUILD:-cargo build --release --locked}
runs=${RUNS:-5}
out=$(realpath -m "${OUT:-memprof.md}")
memprof=${MEMPROF:-memprof}

# Lines of call sites cost nothing at run time.
export CARGO_PROFILE_RELEASE_DEBUG=${CARGO_PROFILE_RELEASE_DEBUG:-line-tables-only}

# A target folder for both commits would leave one program to compare with itself.
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR

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
    if [[ $side == base ]]; then commit=$base; fi
    git worktree add --quiet --detach "$work/$side" "$commit"
    git -C "$work/$side" submodule --quiet update --init --recursive
    (cd "$work/$side/$folder" && bash -euo pipefail -c "$build") ||
        fail "the build of $(git -C "$work/$side" rev-parse --short HEAD) failed"
done

# In turns, so that a change of the machine affects both.
for ((run = 1; run <= runs; run++)); do
    for side in base head; do
        echo "memprof: run $run of $runs, $side"
        (cd "$work/$side/$folder" && "$memprof" run --output-dir "$work/runs/$side" -- bash -c "$RUN") \
            >"$work/output" 2>&1 || {
            cat "$work/output" >&2
            fail "\`$RUN\` failed in $side"
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
