#!/bin/sh
# Puts yajl as Debian 12 ships its source into two folders, each with a winnow.toml: its
# test program, which parses each of its cases with three sizes of the buffer, and its
# program that prints JSON anew, with and without white space. What its own script starts by
# the thousand are tests that winnow can run many of in one process. Needs the network,
# apt-get and dpkg-source (package dpkg-dev), and no privileges.
#
#     sh scripts/yajl.sh FOLDER
set -eu

folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. "$(dirname "$0")/debian-source.sh"
debian_source "$work" yajl

# project NAME MAIN writes FOLDER/NAME, of the library's sources and one more.
project() {
    # The library and what uses it find its headers by different names.
    mkdir -p "$folder/$1/api"
    ln -s api "$folder/$1/yajl"
    cp "$work"/src/yajl-*/src/*.[ch] "$work"/src/yajl-*/"$2" "$folder/$1"
    cp "$work"/src/yajl-*/src/api/*.h "$folder/$1/api"
    cp -r "$work"/src/yajl-*/test/parsing/cases "$folder/$1/cases"
    # CMake writes this header.
    sed 's/\${YAJL_M[A-Z]*}/2/' "$work"/src/yajl-*/src/api/yajl_version.h.cmake >"$folder/$1/api/yajl_version.h"
    {
        echo "program = \"$1\""
        echo "sources = [$(cd "$folder/$1" && printf '"%s", ' *.c)]"
        echo 'flags = ["-std=c99", "-w", "-I.", "-lm"]'
        printf '[tests]\ncompare = "both"\n'
    } >"$folder/$1/winnow.toml"
}

# test_case FOLDER NAME FILE ARGS... appends a test that reads a file of yajl's.
test_case() {
    into=$1 name=$2 file=$3
    shift 3
    printf '\n[[tests.command]]\nname = "%s"\nargs = [%s]\ninput = "cases/%s"\n' "$name" "$(printf '"%s", ' "$@")" "$file" >>"$into/winnow.toml"
}

project yajl_test test/parsing/yajl_test.c
project json_reformat reformatter/json_reformat.c
for file in "$folder"/yajl_test/cases/*.json; do
    file=$(basename "$file")
    case $file in
        ac_*) flag=-c ;;
        ag_*) flag=-g ;;
        am_*) flag=-m ;;
        ap_*) flag=-p ;;
        *) flag= ;;
    esac
    for size in 1 7 31; do
        # shellcheck disable=SC2086 # no flag is no argument
        test_case "$folder/yajl_test" "${file%.json}-$size" "$file" $flag -b "$size"
    done
    test_case "$folder/json_reformat" "${file%.json}" "$file" -s
    test_case "$folder/json_reformat" "${file%.json}-short" "$file" -m -e
done
