package ranges_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

func factsOf(f *llir.Func) (*ranges.Facts, *defuse.Code) {
	code, g := defuse.Of(f), cfg.New(f)
	return ranges.Of(op.Lower(code), g, loop.Of(g, dominance.Dominators(g)), dataflow.Of(code, g)), code
}

// seen is, by its first argument, the range of the second argument of each call
// of see in a function.
func seen(t *testing.T, f *llir.Func) map[int64]ranges.Interval {
	t.Helper()
	facts, code := factsOf(f)
	out := map[int64]ranges.Interval{}
	for _, item := range code.Items {
		call, ok := item.Inst.(*llir.InstCall)
		if !ok || call.Callee.Ident() != "@see" {
			continue
		}
		id := call.Args[0].(*llir.Arg).Value.(*constant.Int).X.Int64()
		x, ok := facts.Value(call.Args[1])
		if !ok {
			t.Fatalf("see %d shows no integer", id)
		}
		out[id] = x
		if !facts.Reachable(item.Block) {
			out[id] = ranges.Empty // numbers are not
		} else if x.IsEmpty() {
			t.Errorf("see %d shows nothing in a block that runs", id)
		}
	}
	return out
}

const header = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <ctype.h>\nvoid see(int id, long x) __attribute__((const));\nvoid change(int *);\nint known(void);\n"

func TestRangesAreWhatAReaderOfTheCodeKnows(t *testing.T) {
	const any, most = "any", math.MaxInt32
	is := func(lo, hi int64) string { return fmt.Sprintf("%d..%d", lo, hi) }
	cases := []struct{ what, body, want string }{
		{"a number", "see(0, 7);", is(7, 7)},
		{"a parameter", "see(0, n);", any},
		{"an assigned variable", "int x = 3; x = x * 2 + 1; see(0, x);", is(7, 7)},
		{"both arms of a branch", "int x = 1; if (n) x = 5; see(0, x);", is(1, 5)},
		{"a condition", "if (n > 3 && n <= 9) see(0, n);", is(4, 9)},
		{"a condition that is turned round", "if (10 > n && !(n < 0)) see(0, n);", is(0, 9)},
		{"the other side of a condition", "if (n < 3 || n > 9) return; see(0, n);", is(3, 9)},
		{"a sum in a condition", "if (n + 2 < 10 && n - 1 >= 0) see(0, n);", is(1, 7)},
		{"a variable that is written after its test", "if (n > 3) { n = 1; see(0, n); }", is(1, 1)},
		{"what another function may have changed", "if (n > 3) { change(&n); see(0, n); }", any},
		{"what a library function reads", "if (n > 3) { printf(\"%d\", n); see(0, n); }", is(4, most)},
		{"what scanf writes", "int x = 1; scanf(\"%d\", &x); see(0, x);", any},
		{"a counter in its loop", "for (int i = 0; i < 10; i++) see(0, i);", is(0, 9)},
		{"and after", "int i; for (i = 0; i < 10; i++) known(); see(0, i);", is(10, 10)},
		{"a counter to an unknown bound", "for (int i = 0; i < n; i++) see(0, i);", is(0, most-1)},
		{"one that goes down", "for (int i = 9; i >= 0; i--) see(0, i);", is(0, 9)},
		{"one in an inner loop", "for (int i = 0; i < 10; i++) for (int j = i; j < 20; j++) see(0, j);", is(0, 19)},
		{"the outer one in an inner loop", "for (int i = 0; i < 10; i++) for (int j = i; j < n; j++) see(0, i);", is(0, 9)},
		{"a loop with two conditions", "int i = 0; while (i < 10 && known()) { see(0, i); i++; }", is(0, 9)},
		{"a loop with either of two", "int i = 20; while (i > 10 || i == 3) { see(0, i); i--; }", is(3, 20)},
		{"a test of what a decrement leaves", "n = 5; while (n--) see(0, n);", is(0, 4)},
		{"an assignment in a condition", "int c; while ((c = getchar()) != -1) see(0, c);", is(0, 255)},
		{"a remainder", "see(0, n % 7);", is(-6, 6)},
		{"a remainder of what is not negative", "if (n >= 0) see(0, n % 7);", is(0, 6)},
		{"a mask", "see(0, n & 15);", is(0, 15)},
		{"a length", "char s[99]; gets(s); if (strlen(s) < 9) see(0, strlen(s) + 1);", fmt.Sprintf("%d..%d", 1, int64(math.MaxInt64/2+1))},
		{"a counter below a length", "char s[99]; gets(s); for (int i = 0; i < strlen(s); i++) see(0, i);", is(0, most)},
		{"a character", "unsigned char s[9]; gets(s); see(0, s[1]);", is(0, 255)},
		{"a digit", "char c = getchar(); if (isdigit(n) && c >= '0' && c <= '9') see(0, c - '0');", is(0, 9)},
		{"counts in an array", "int a[26] = {0}; while (known()) a[n]++; see(0, a[2]);", is(0, most)},
		{"an array that starts with numbers", "int a[] = {4, -2, 0, 1}; see(0, a[n]);", is(-2, 4)},
		{"an array that another function fills", "int a[] = {4, -2}; change(a); see(0, a[n]);", any},
		{"a constant array", "static const short a[][2] = {{4, -2}, {0, 1}}; see(0, a[n][1]);", is(-2, 4)},
		{"a choice", "see(0, n > 0 ? 3 : -3);", is(-3, 3)},
		{"a truth value", "see(0, n > 0);", is(0, 1)},
		{"one that is decided", "if (n > 5) see(0, n >= 3);", is(1, 1)},
		{"a switch", "switch (n) { case 3: case 5: see(0, n); }", is(3, 5)},
		{"code that never runs", "if (n > 5 && n < 3) see(0, n);", "0..-1"},
		{"an unsigned counter wraps", "unsigned i = 0; while (known()) i--; see(0, i);", is(0, math.MaxUint32)},
		{"a pointer to it lets everything be", "int x = 1, *p = &x; *p = n; see(0, x);", any},
		{"a division", "if (n > 9 && n < 50) see(0, n / 5);", is(2, 9)},
		{"a goto into a loop", "int i = 0; if (n) goto in; while (i < 10) { i = i + 2; in: see(0, i); }", is(0, 11)},
	}
	source := header
	for k, c := range cases {
		source += fmt.Sprintf("void f%d(int n) { %s }\n", k, c.body)
	}
	functions := analysistest.Module(t, source).Functions()
	for k, c := range cases {
		x := seen(t, functions[k])[0]
		got := fmt.Sprintf("%d..%d", x.Lo, x.Hi)
		if x == (ranges.Interval{Lo: math.MinInt32, Hi: math.MaxInt32}) {
			got = any
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s: %s", c.what, got, c.want, c.body)
		}
	}
}

func TestGlobalsOfMainStartAsTheyAreWritten(t *testing.T) {
	source := header + "int total, a[9]; static char c = 3;\nint main(int argc, char **argv) { see(0, total); see(1, a[argc]); see(2, c); see(3, argc); known(); see(4, total); }\nvoid g(void) { see(0, total); }\n"
	got := fmt.Sprint(seen(t, analysistest.Function(t, source, "main")))
	if want := fmt.Sprintf("map[0:{0 0} 1:{0 0} 2:{3 3} 3:{0 %d} 4:{%d %d}]", math.MaxInt32, math.MinInt32, math.MaxInt32); got != want {
		t.Errorf("main sees %s, want %s", got, want)
	}
	if x := seen(t, analysistest.Function(t, source, "g"))[0]; x != ranges.Full(32) {
		t.Errorf("another function sees %v", x)
	}
}

// TestLargeFunctionsKeepTheVariablesThatAreReadMost compiles a function with more
// variables and blocks than are followed.
func TestLargeFunctionsKeepTheVariablesThatAreReadMost(t *testing.T) {
	var b strings.Builder
	b.WriteString(header + "void f(int n) {\n int often = 1;\n")
	for i := range 400 {
		fmt.Fprintf(&b, " int x%d = n; if (x%d > often) see(1, x%d);\n", i, i, i)
	}
	b.WriteString(" see(0, often);\n}\n")
	if x := seen(t, analysistest.Function(t, b.String(), "f"))[0]; x != ranges.Exactly(1) {
		t.Errorf("often is %v", x)
	}
}
