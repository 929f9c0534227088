package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/report"
)

// effort is what an import costs: CPU seconds of winnow and of all that it
// started (compiler, optimiser, programs under test), and seconds on the clock.
type effort struct {
	CPU   float64 `json:"cpu_seconds"`
	Clock float64 `json:"seconds"`
	// HandedOn counts the runs that the fastest tier left to a safer one, and
	// Failures those that no tier could make, by reason: they have no verdict.
	HandedOn int            `json:"handed_on,omitempty"`
	Failures map[string]int `json:"failures,omitempty"`
}

// effortFile keeps a history's effort from import to import.
const effortFile = "effort.json"

// moment is when an effort began.
type moment struct {
	cpu   float64
	clock time.Time
}

func now() moment {
	var cpu float64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if syscall.Getrusage(who, &used) == nil { // it cannot fail for these two
			cpu += time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
		}
	}
	return moment{cpu, time.Now()}
}

// meter adds what an import costs to its history's effort, each time that a subject
// is done: an import that is killed loses the effort of the subjects in hand only.
type meter struct {
	history string

	mu   sync.Mutex
	last moment
}

func newMeter(history string) *meter { return &meter{history: history, last: now()} }

// note adds what was spent since the last note, and what became of a subject's
// runs; run may be nil.
func (m *meter) note(run *report.Run) (effort, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := effort{}
	file := filepath.Join(m.history, effortFile)
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &sum)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sum, fmt.Errorf("reading the effort so far: %w", err)
	}
	end := now()
	sum.CPU += end.cpu - m.last.cpu
	sum.Clock += end.clock.Sub(m.last.clock).Seconds()
	if run != nil {
		sum.HandedOn += run.HandedOn
		for reason, n := range run.Failures {
			if sum.Failures == nil {
				sum.Failures = map[string]int{}
			}
			sum.Failures[reason] += n
		}
	}
	if text, err = json.Marshal(sum); err != nil {
		return sum, err
	}
	err = atomicfile.MakeFolder(m.history) // nothing may be recorded yet
	if err == nil {
		err = atomicfile.Write(file, append(text, '\n'))
	}
	if err != nil {
		return sum, fmt.Errorf("noting the effort: %w", err)
	}
	m.last = end
	return sum, nil
}
