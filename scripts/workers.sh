#!/bin/sh
# Records an example twenty times (or as often as $1 says) with one worker and with
# two, and compares the tables byte for byte. Some minutes.
set -eu
WINNOW_DEEP=1 WINNOW_REPEATS=${1:-20} go test ./campaign -count=1 -timeout 120m -v -run 'TestTheTablesOfARunDoNotDependOnTheNumberOfWorkers'
