package main

import (
	"errors"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/ci"
	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/compdb"
	"github.com/winnow-mutants/winnow/project/discover"
)

// hints say what to do about errors of libraries, which know no flags: the first whose
// kind an error is, and whose command, where it names one, was given.
var hints = []struct {
	kind    error
	command string
	text    string
}{
	{exit.ErrExists, "winnow mutate", "name another folder with --out"},
	{exit.ErrExists, "winnow init", "allow it to be replaced with --force"},
	{discover.ErrNoSuite, "winnow init", "name a command that tests what the build makes: winnow init --test 'echo 6*7 | ./calculator | grep -x 42'; winnow rank FILE.c needs no tests"},
	{exit.ErrExists, "winnow import mart", importedTwice},
	{exit.ErrExists, "winnow import elements", importedTwice},
	{exit.ErrExists, "winnow import mull", importedTwice},
	{exit.ErrExists, "winnow import dextool", importedTwice},
	{exit.ErrExists, "", "name another folder, go on with the runs in it (--resume), or allow it to be replaced (--force)"},
	{campaign.ErrSlowTests, "", "give it some times what its tests take, with --budget"},
	{campaign.ErrLargeSource, "", "give it more with --budget, or name a few --functions"},
	{campaign.ErrTimeIsUp, "", "go on with --resume"},
	{campaign.ErrUnfinished, "", "finish it with winnow run --resume"},
	{campaign.ErrOtherMutants, "", "rank the program as it is now, with the same --operators"},
	{campaign.ErrSelection, "", "give what winnow rank --format json wrote, or ids of mutants, one a line"},
	{ci.ErrBaseline, "", "write it with winnow ci --write-baseline"},
	{coverage.ErrTool, "", "the rest of the run is recorded; --resume tries the tool again"},
	{dataset.ErrNoHistory, "", "record a history first with winnow run --faults or winnow import"},
	{dataset.ErrOtherColumns, "", "winnow import --renew-features"},
	{experiment.ErrLearnedFrom, "", "leave --model out to cross-validate, or judge the model on another history"},
	{experiment.ErrUnprobed, "", "record the history with this version of winnow import, without --no-probe, or name static features"},
	{experiment.ErrOtherFeatures, "", "learn from --features static, or farm, or all"},
	{importer.ErrLeft, "", "give the --operators that they were recorded with, or remove their folders and import them again"},
	{importer.ErrNoneMade, "", "the sources below --project must be those that the report was made of; more --operators make more mutants; without --match all are taken over"},
	{importer.ErrNoRuns, "", "name the history with --out"},
	{output.ErrBusy, "winnow ci", "wait for the end of the other job, or give this one a folder of its own with --cache"},
	{output.ErrBusy, "", "wait for its end, or give another folder with --out"},
	{project.ErrNoProject, "winnow rank", "name a .c file; or let winnow init write winnow.toml from what is in the folder, or bear -- make a compile_commands.json"},
	{project.ErrNoProject, "winnow mutate", "name a .c file, or write a compile_commands.json with bear -- make, with CMake's -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or with Meson"},
	{project.ErrNoProject, "", "winnow init writes winnow.toml from what is in the folder; docs/usage.md says how to write it by hand"},
	{project.ErrNoFaults, "", "add one with [[faults]], or run the program itself without --faults"},
	{command.ErrNoNamespaces, "", "allow them (user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or of a container its seccomp profile), or name sources and tests in winnow.toml, which needs none"},
	{compdb.ErrSeveralWays, "", "winnow mutates one configuration at a time: choose with --entry FILE=N"},
}

// importedTwice is the hint for an import whose run folder is there.
const importedTwice = "name another history with --out, or the program with --program"

// hintOf returns what the user of a command can do about an error, or "".
func hintOf(command string, err error) string {
	for _, h := range hints {
		if errors.Is(err, h.kind) && (h.command == "" || h.command == command) {
			return h.text
		}
	}
	return exit.HintOf(err)
}
