package verdict

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
)

func TestTheCauseOfAKillIsWhatToldTheMutantFromTheOriginal(t *testing.T) {
	original := execute.TestBaseline{Outcome: execute.Outcome{Cause: execute.CauseExit, Status: 0}}
	failing := execute.TestBaseline{Outcome: execute.Outcome{Cause: execute.CauseExit, Status: 2}}
	crashing := execute.TestBaseline{Outcome: execute.Outcome{Cause: execute.CauseSignal, Status: 11}}
	const all, none, success = execute.ExitStatus, execute.ExitIgnored, execute.ExitSuccess
	for _, c := range []struct {
		cell   execute.Cell
		base   execute.TestBaseline
		counts execute.ExitComparison
		want   matrix.Cause
	}{
		{execute.Cell{Cause: execute.CauseExit, Status: 0}, original, all, matrix.Output},
		{execute.Cell{Cause: execute.CauseExit, Status: 1}, original, all, matrix.Exit},
		{execute.Cell{Cause: execute.CauseExit, Status: 1}, original, none, matrix.Output},
		{execute.Cell{Cause: execute.CauseExit, Status: 1}, original, success, matrix.Exit},
		{execute.Cell{Cause: execute.CauseExit, Status: 1}, failing, success, matrix.Output},
		{execute.Cell{Cause: execute.CauseExit, Status: 1}, failing, all, matrix.Exit},
		{execute.Cell{Cause: execute.CauseExit, Status: 0}, crashing, none, matrix.Exit},
		{execute.Cell{Cause: execute.CauseSignal, Status: 11}, original, all, matrix.Signal},
		{execute.Cell{Cause: execute.CauseSignal, Status: 11}, crashing, all, matrix.Output},
		{execute.Cell{Cause: execute.CauseSignal, Status: 6}, crashing, all, matrix.Signal},
		{execute.Cell{Cause: execute.CauseTrap}, original, all, matrix.Trap},
		{execute.Cell{Cause: execute.CauseWork}, original, all, matrix.Work},
		{execute.Cell{Cause: execute.CauseTime}, original, all, matrix.Time},
		{execute.Cell{Cause: execute.CauseMemory}, original, all, matrix.Memory},
		{execute.Cell{Cause: execute.CauseOutput}, original, all, matrix.OutputLimit},
		{execute.Cell{Cause: execute.CauseStopped}, original, all, matrix.NotRun},
		{execute.Cell{Cause: execute.CauseFailed}, original, all, matrix.Failed},
	} {
		if got := Cause(c.cell, c.base, c.counts); got != c.want {
			t.Errorf("%v %d after an original that ended by %v %d: %v, want %v", c.cell.Cause, c.cell.Status, c.base.Cause, c.base.Status, got, c.want)
		}
	}
}
