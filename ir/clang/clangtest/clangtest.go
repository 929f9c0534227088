// Package clangtest finds the compiler for tests.
package clangtest

import (
	"testing"

	"github.com/winnow-mutants/winnow/ir/clang"
)

// Tools is the toolchain that is installed; a test without one fails.
func Tools(t testing.TB) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}
