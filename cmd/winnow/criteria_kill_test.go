//go:build linux && (amd64 || arm64)

package main

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

// Acceptance tests F2.4 and F2.5 of Muteria's specification, of a process: killed while other
// tools build and measure, it leaves the project's folder as it was, and given again it ends with
// the same bytes as one that nobody killed.
func TestARunKilledWhileCriteriaAreMeasuredLeavesTheSourcesAndGoesOn(t *testing.T) {
	m := newMaterial(t)
	var c writing
	for _, one := range writingCommands {
		if one.name == "run --criteria" {
			c = one
		}
	}
	sources := testfile.Below(t, filepath.Join(m.folder, "project"))
	out := m.prepare(t, c)
	before, begun := result(t, out), time.Now()
	m.must(t, c.with(out)...)
	took, after := time.Since(begun), result(t, out)
	killed := false
	// Where the machine has become faster since, all of three may come too late.
	for i, part := range []time.Duration{3, 5, 7, 2, 1} {
		if killed && i >= 3 {
			break
		}
		killed = m.kill(t, c, took*part/10, before, after) || killed
		if now := testfile.Below(t, filepath.Join(m.folder, "project")); !maps.Equal(now, sources) {
			t.Errorf("killed after %d tenths, the project's folder is another", part)
		}
	}
	if !killed {
		t.Error("no kill came in time")
	}
}
