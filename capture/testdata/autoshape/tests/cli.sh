#!/bin/sh
test "$GREETING" = 'hello there' || exit 99
test "$($srcdir/calc 4 3)" = '7 1'
