#!/bin/sh
# What a stranger gets of winnow on C projects as Debian 12 ships them: fetches their
# sources into build/projects/src, and runs cmd/benchprojects on those that PROJECTS
# names (package names; all where it is empty). What was measured before is kept;
# rm build/projects/NAME.json, or AGAIN=1, measures it again. BUDGET is winnow run's,
# PATCHES how many mutants of each project are held to what their patches do.
#
# Needs the network, apt-get and dpkg-source (package dpkg-dev). As root it also installs
# what the projects need to be built; otherwise that must be there:
# apt-get build-dep NAME.
set -eu

. "$(dirname "$0")/debian-source.sh"
all='libcsv mxml yajl mawk bzip2 cmark expat jansson libyaml gzip jq libconfig bc lz4 http-parser hiredis libtommath'
work=build/projects
folders=
for name in ${PROJECTS:-$all}; do
    ls -d "$work/src/$name"-*/ >/dev/null 2>&1 || debian_source "$work" "$name"
    debian_needs "$work" "$name"
    folders="$folders $(ls -d "$work/src/$name"-*/ | head -1)"
done
go build -buildvcs=false -o "$work/benchprojects" ./cmd/benchprojects
# shellcheck disable=SC2086 # folders of packages have no spaces
"$work/benchprojects" -winnow build/winnow -work "$work" -budget "${BUDGET:-5m}" -patches "${PATCHES:-4}" ${AGAIN:+-again} $folders
