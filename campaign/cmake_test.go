package campaign

import (
	"testing"

	"github.com/winnow-mutants/winnow/project"
)

func TestAProjectThatCMakeBuildsRunsWithTheTestsOfCTest(t *testing.T) {
	folder := recordedCMake(t)
	if _, err := project.Init(t.Context(), folder, project.InitOptions{Tools: toolchain(t)}); err != nil {
		t.Fatal(err)
	}
	run, _ := runOne(t, folder, RunOptions{})
	if run.Tests != 3 || run.Killed < run.Mutants/2 || run.Unknown != 0 {
		t.Errorf("%+v", run)
	}
}
