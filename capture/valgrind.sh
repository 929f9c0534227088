#!/bin/sh
# Starts what valgrind is told to start, as it is. Where it is not asked to check memory, and where it is asked of
# itself, it is valgrind.
for word do
    case $word in
        --tool=memcheck) ;;
        --tool=* | --version | --help* | -h) exec 'VALGRIND' "$@" ;;
        -*) ;;
        *) break ;;
    esac
done
while test $# -gt 0; do
    case $1 in
        -*) shift ;;
        *) break ;;
    esac
done
exec "$@"
