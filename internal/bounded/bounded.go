// Package bounded holds readers of files and messages to what their input is worth. A
// small file can claim that millions follow, or nest a million deep; whoever reads it
// says so, within memory and time that depend on how long it is.
//
// Fuzz targets call Check around what they read; a panic they find without it.
package bounded

import (
	"runtime"
	"testing"
	"time"
)

const (
	most    = 768 << 20 // bytes, for any input, parsers and their tables among it
	perByte = 4 << 10   // bytes more for each of the input's
	longest = 20 * time.Second
)

// Check fails the test when read allocates more memory, or takes more time, than an input
// of some bytes is worth.
func Check(t testing.TB, input int, read func()) {
	t.Helper()
	allocated, took := cost(read)
	if limit := uint64(most + perByte*input); allocated > limit {
		t.Errorf("reading %d bytes takes %d MB of memory, more than %d", input, allocated>>20, limit>>20)
	}
	if took > longest {
		t.Errorf("reading %d bytes takes %v", input, took)
	}
}

func cost(f func()) (bytes uint64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	f()
	took = time.Since(began)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}
