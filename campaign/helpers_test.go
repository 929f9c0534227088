package campaign

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/report"
)

func runOne(t *testing.T, project string, opts RunOptions) (*report.Run, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	runs, err := Run(t.Context(), clangtest.Tools(t), []string{project}, out, opts)
	if err != nil {
		t.Fatal(err)
	}
	return runs[0], out
}
