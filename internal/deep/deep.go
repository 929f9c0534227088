// Package deep says how much slow tests do. A comparison of a fast path with its slow
// twin, or of winnow with a compiler, is the better the more it is given; on every run of
// "make test" such tests take a sample, the same one each time, and with WINNOW_DEEP=1
// ("make check-deep", of which continuous integration runs some for each commit) everything.
//
// A test asks for a sample of what it goes through, so that it never skips and so that
// both ways run the same code. Only this package reads the variable, and only tests use this
// package: by that "make check-deep" (internal/testgate) finds the tests that do more than
// "make test" did, and runs no other.
package deep

import (
	"os"
	"testing"
)

// Asked says whether tests do everything.
func Asked() bool { return os.Getenv("WINNOW_DEEP") == "1" }

// Sample returns n of the items, evenly spread, in their order; all of them where
// everything is asked for or there are not more.
func Sample[T any](t testing.TB, n int, items []T) []T {
	t.Helper()
	if Asked() {
		return items
	}
	return Spread(t, n, items)
}

// Spread is a sample though everything is asked for, of that which is too much even then:
// what goes through the rest has a command of its own.
func Spread[T any](t testing.TB, n int, items []T) []T {
	t.Helper()
	if n < 1 {
		t.Fatalf("a sample of %d tests nothing", n)
	}
	if len(items) <= n {
		return items
	}
	out := make([]T, n)
	for i := range out {
		out[i] = items[i*len(items)/n]
	}
	return out
}

// Count returns the number of times to do something: few, or all where everything is
// asked for.
func Count(few, all int) int {
	if Asked() {
		return all
	}
	return few
}
