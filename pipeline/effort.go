package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// effort is what an import costs: CPU seconds of winnow and of all that it
// started (compiler, optimiser, programs under test), and seconds on the clock.
type effort struct {
	CPU   float64 `json:"cpu_seconds"`
	Clock float64 `json:"seconds"`
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

// addTo adds what was spent since the moment to the history's effort.
func (m moment) addTo(history string) (effort, error) {
	var sum effort
	// Where every subject was left out there is no folder yet.
	if err := os.MkdirAll(history, 0o755); err != nil {
		return sum, fmt.Errorf("noting the effort: %w", err)
	}
	file := filepath.Join(history, effortFile)
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &sum)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sum, fmt.Errorf("reading the effort so far: %w", err)
	}
	end := now()
	sum.CPU += end.cpu - m.cpu
	sum.Clock += end.clock.Sub(m.clock).Seconds()
	if text, err = json.Marshal(sum); err != nil {
		return sum, err
	}
	if err := atomicfile.Write(file, append(text, '\n')); err != nil {
		return sum, fmt.Errorf("noting the effort: %w", err)
	}
	return sum, nil
}
