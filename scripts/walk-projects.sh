#!/bin/sh
# What each of winnow's users does, from the sources of a package to the result, on projects that
# are not ours: PROJECTS names packages of Debian 12. A tester, a coding agent, a team, a
# researcher and a job of continuous integration, to whom a change is given that no test notices:
# the first survivor of the tester's list. Prints a table in Markdown for each project
# (docs/results/walks.md); the screens are in build/walks.
#
# Needs the network, apt-get, dpkg-source (package dpkg-dev) and what the projects need to be built;
# SOURCES names a folder with unpacked sources instead.
set -eu
cd "$(dirname "$0")/.."
winnow=$PWD/build/winnow
work=$PWD/build/walks
mkdir -p "$work"
export XDG_CACHE_HOME="$work/cache"

# step WHO PATTERN COMMAND...: runs one command of winnow's, and adds a row to the table with the
# first line of its screen that the pattern matches.
step() {
	who=$1 pattern=$2
	shift 2
	steps=$((steps + 1))
	screen=$screens/$steps.txt
	shown=$(for word in winnow "$@"; do case $word in *' '*) echo "'$word'" ;; *) echo "$word" ;; esac; done | tr '\n' ' ' | sed "s|$place/||g; s| $||")
	start=$(date +%s%N)
	status=0
	"$winnow" "$@" >"$screen" 2>"$screen.err" </dev/null || status=$?
	took=$((($(date +%s%N) - start) / 10000000))
	line=$(grep -m 1 -e "$pattern" "$screen" || tail -n 1 "$screen.err")
	printf '| %s | `%s` | %d.%02d | %d | %s |\n' "$who" "$shown" $((took / 100)) $((took % 100)) $status "$(echo "$line" | sed "s|$place/||g; s/|/\\\\|/g; s/  */ /g" | cut -c 1-160)"
}

for project in ${PROJECTS:-libcsv tinycdb cjson jansson}; do
	from=${SOURCES:-$work/src}
	if ! ls -d "$from/$project"-*/ >/dev/null 2>&1; then
		. scripts/debian-source.sh
		debian_source "$work" "$project"
	fi
	place=$work/$project screens=$work/$project/screens steps=0
	rm -rf "$place"
	mkdir -p "$screens"
	cp -a "$(ls -d "$from/$project"-*/ | head -n 1)" "$place/$project"
	cd "$place/$project"
	as='-c user.name=walk -c user.email=walk@example.org'
	git init -q
	git add -A
	git $as commit -qm 'As it is published'

	printf '\n### %s\n\n| who | command | s | status | what it says |\n|---|---|--:|--:|---|\n' "$(basename "$(ls -d "$from/$project"-*/ | head -n 1)")"
	step tester '^mutate' init
	step tester 'mutants survive' run . --progress silent --budget "${BUDGET:-1m}" --out "$place/run"
	step tester '^1 ' rank "$place/run/$(ls "$place/run")" --top 5
	step tester '^[^ ].*more to look at' next "$place/run" --project .
	step tester '^wrote' report "$place/run" --html "$place/report.html"
	step agent 'unprotected' mcp "$place/run" --project . --call next --input '{"k": 1}'
	id=$(sed -n 's/.*"id": "\([0-9a-f]*\)".*/\1/p' "$screens/$steps.txt" | head -n 1)
	step agent 'verdict' mcp "$place/run" --project . --call check --input "{\"id\": \"$id\"}"
	step team 'added as' dataset add "$place/history" "$place/run"
	step team 'killable' dataset stats "$place/history"
	step researcher '^wrote' dataset export "$place/history" --out "$place/mutants.csv" --features complexity

	# The change that no test notices, and a comment after it.
	step tester '^+[^+]' show "$place/run" "$id"
	sed -n '/^--- a/,/^[A-Z].*:/p' "$screens/$steps.txt" | sed '$d' >"$place/change.diff"
	git add winnow.toml
	git $as commit -qm 'What winnow mutates'
	patch -s -p1 <"$place/change.diff"
	file=$(sed -n 's|^+++ b/||p' "$place/change.diff")
	step job 'can become' ci --diff HEAD --budget 5m --progress silent --sarif "$place/winnow.sarif"
	echo '/* the end */' >>"$file"
	step job 'mutants were run' ci --diff HEAD --budget 5m --progress silent
	cd "$OLDPWD"
done
