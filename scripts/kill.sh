#!/bin/sh
# Kills a run at fifty random moments (or as many as $1 says), goes on with it each
# time, and compares the record with that of a run made in one go. Ten minutes.
set -eu
WINNOW_KILLS=${1:-50} go test ./campaign -count=1 -timeout 120m -v -run 'TestARunThatIsKilledAtAnyMomentGoesOnWithNothingLost'
