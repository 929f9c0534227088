package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// lockFile is held by the import that writes to a history, for as long as its
// process lives. It stays there when it is not held, and holds the last one's
// process number.
const lockFile = ".import-lock"

// lockHistory makes a history's folder, and sees that nobody else imports into it
// until release is called or the process ends, whatever ends it.
func lockHistory(history string) (release func(), err error) {
	if err := os.MkdirAll(history, 0o755); err != nil {
		return nil, fmt.Errorf("making the history: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(history, lockFile), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("locking the history: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder, _ := os.ReadFile(f.Name()) // it only says who
		f.Close()
		return nil, exit.Mark(exit.Output, ErrBusy, fmt.Errorf("another import is writing to %s (process %s)", history, strings.TrimSpace(string(holder))))
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = fmt.Fprintln(f, os.Getpid())
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking the history: %w", err)
	}
	return func() { f.Close() }, nil
}
