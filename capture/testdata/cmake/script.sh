#!/bin/sh
test "$MODE" = full || exit 5
test -f CMakeLists.txt && "$1" push "$DEPTH" | grep -q "depth $DEPTH"
