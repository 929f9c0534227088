#!/bin/sh
# What winnow's own continuous integration has winnow do: of each example the lines that have
# changed since BASE (a commit; HEAD~20, or the first one that this clone has) are mutated, and
# the 20 best of these mutants run. A new survivor fails, as it does for a user: whoever changes
# an example also gives it the tests. An example that has not changed costs nothing. WINNOW is
# the command.
set -eu
cd "$(dirname "$0")/.."

base=${BASE:-$(git rev-list --first-parent --max-count 21 HEAD | tail -n 1)}
status=0
changed=0
for project in examples/*/winnow.toml; do
    folder=${project%/winnow.toml}
    git diff --quiet "$base" -- "$folder/*.c" "$folder/*.h" ":!$folder/faults" && continue
    changed=$((changed + 1))
    "${WINNOW:-build/winnow}" ci "$folder" --diff "$base" --top 20 --cache '' --progress silent || status=1
done
echo "examples that have changed since $(git rev-parse --short "$base"): $changed"
exit $status
