package exit

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
)

func TestDocumentOfExitCodesIsTheListOfExitCodes(t *testing.T) {
	golden.Check(t, "../../docs/exit-codes.md", []byte(Markdown()))
}

func TestEveryCodeConstantIsInTheListAndHasADocComment(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "exit.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, decl := range f.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.CONST {
			continue
		}
		for _, spec := range gen.Specs {
			v := spec.(*ast.ValueSpec)
			names = append(names, strings.ToLower(v.Names[0].Name))
			if v.Doc == nil {
				t.Errorf("%s has no doc comment", v.Names[0].Name)
			}
		}
	}
	var listed []string
	for _, e := range List() {
		listed = append(listed, e.Name)
	}
	if !slices.Equal(names, listed) {
		t.Errorf("constants %q\nlist      %q", names, listed)
	}
	if !slices.IsSortedFunc(List(), func(a, b Entry) int { return int(a.Code - b.Code) }) {
		t.Error("the list is not in ascending order")
	}
}

func TestOfFindsTheCodeOfAnError(t *testing.T) {
	coded := New(Input, errors.New("prog.c does not compile"), "fix it")
	tests := []struct {
		name string
		err  error
		want Code
	}{
		{"no error", nil, Done},
		{"a coded error", coded, Input},
		{"a coded error, wrapped", fmt.Errorf("rank: %w", coded), Input},
		{"a coded error that a caller knows better", New(Baseline, coded, ""), Baseline},
		{"one of several", errors.Join(errors.New("other"), coded), Input},
		{"interrupted", fmt.Errorf("run: %w", context.Canceled), Interrupted},
		{"out of time", fmt.Errorf("run: %w", context.DeadlineExceeded), Timeout},
		{"a file that does not exist", &fs.PathError{Op: "open", Path: "x.c", Err: fs.ErrNotExist}, Input},
		{"a full disk", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, System},
		{"a rename that fails", &os.LinkError{Op: "rename", Err: syscall.EXDEV}, System},
		{"an error that nobody classified", errors.New("odd"), Internal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Of(tt.err); got != tt.want {
				t.Errorf("Of(%v) = %v, want %v", tt.err, got, tt.want)
			}
		})
	}
}

func TestHintOfIsTheOutermostHint(t *testing.T) {
	inner := New(Tool, errors.New("clang-14 not found"), "apt-get install clang-14")
	if got := HintOf(fmt.Errorf("compiling: %w", New(Input, inner, ""))); got != "apt-get install clang-14" {
		t.Errorf("an outer error without a hint hides the inner one: %q", got)
	}
	if got := HintOf(New(Input, inner, "outer")); got != "outer" {
		t.Errorf("HintOf = %q, want the outer hint", got)
	}
	if got := HintOf(errors.New("plain")); got != "" {
		t.Errorf("HintOf(plain) = %q", got)
	}
}

func TestNewOfNoErrorIsNoError(t *testing.T) {
	if err := New(Input, nil, "hint"); err != nil {
		t.Errorf("New(Input, nil) = %v", err)
	}
}

func TestHelpNamesTheCommandsOwnCodesAndTheUniversalOnes(t *testing.T) {
	got := Help(Tool)
	for _, want := range []string{"    0  ", "    1  ", "    6  ", "   70  ", "  130  "} {
		if !strings.Contains(got, want) {
			t.Errorf("Help(Tool) lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "    4  ") {
		t.Errorf("Help(Tool) names a code that the command cannot end with:\n%s", got)
	}
}
