package command_test

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
)

// A test that only writes files, and is content whatever is in them, tells mutants by these.
func TestFilesThatATestWritesAreCompared(t *testing.T) {
	p := build(t, false)
	p.write(t, "base/writes.sh", "#!/bin/sh\nmkdir out && for x in -5 0 3 10 99; do ./rank clamp $x 0 10 > out/$x.txt; done; ln -s /proc out/link; mkfifo out/pipe; true\n")
	p.write(t, "base/prints.sh", "#!/bin/sh\nfor x in -5 0 3 10 99; do ./rank clamp $x 0 10; done; true\n")
	writes, prints := p.script("writes.sh"), p.script("prints.sh")
	writes.Files, prints.Compare.Stdout = []string{"out/*.txt", "out/link/*", "out/pipe", "none/*"}, true
	_, result := p.run(t, []command.Test{writes, prints}, true, command.Options{Matrix: true})
	killed := 0
	for m := range p.mutants {
		if result.Killed[m].Has(0) != result.Killed[m].Has(1) {
			t.Errorf("mutant %s: %v by files, %v by what is printed", p.mutants[m].ID, result.Verdict(m, 0), result.Verdict(m, 1))
		}
		if result.Verdict(m, 0) == execute.Killed {
			killed++
		}
	}
	if killed < 10 {
		t.Errorf("%d mutants are killed", killed)
	}
}
