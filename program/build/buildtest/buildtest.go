// Package buildtest makes builders for tests.
package buildtest

import (
	"testing"

	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/program/build"
)

// Builder works in a folder that goes with the test.
func Builder(t testing.TB) *build.Builder {
	t.Helper()
	b, err := build.New(t.Context(), clangtest.Tools(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
}
