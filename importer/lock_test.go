package importer

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
)

func TestTwoImportsIntoOneHistoryAtOnceAreRefused(t *testing.T) {
	history := filepath.Join(t.TempDir(), "history")
	held, err := output.Hold(history)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(err error) bool {
		return err != nil && exit.Of(err) == exit.Output && strings.Contains(err.Error(), "another command is writing") &&
			strings.Contains(err.Error(), strconv.Itoa(os.Getpid()))
	}
	if _, err := output.Hold(history); !refused(err) {
		t.Errorf("locked twice: %v", err)
	}
	folder, _ := lookupPair(t)
	if _, err := Pairs(t.Context(), clangtest.Tools(t), folder, history, PairsOptions{}); !refused(err) {
		t.Errorf("pairs: %v", err)
	}
	if _, err := Codeflaws(t.Context(), clangtest.Tools(t), benchmark(t), history, Options{}); !refused(err) {
		t.Errorf("Codeflaws: %v", err)
	}
	held.Release()
	if held, err = output.Hold(history); err != nil {
		t.Fatalf("the lock outlives its holder: %v", err)
	}
	held.Release()
}
