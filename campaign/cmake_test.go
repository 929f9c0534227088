package campaign

import (
	"testing"

	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/project/discover"
	"github.com/winnow-mutants/winnow/project/discover/discovertest"
)

func TestAProjectThatCMakeBuildsRunsWithTheTestsOfCTest(t *testing.T) {
	folder := discovertest.CMake(t)
	if _, err := discover.Init(t.Context(), folder, discover.Options{Tools: clangtest.Tools(t)}); err != nil {
		t.Fatal(err)
	}
	run, _ := runOne(t, folder, RunOptions{})
	if run.Tests != 3 || run.Killed < run.Mutants/2 || run.Unknown != 0 {
		t.Errorf("%+v", run)
	}
}
