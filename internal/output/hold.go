// Package output is where commands leave their results: folders that one command at a
// time writes to, and that are whole or absent.
//
// Hold takes a folder for a command: the second command that is given the same one gets
// ErrBusy, not half of each other's files. Who holds a folder is a lock of the kernel's on
// a file beside it, so that it ends with the process, whatever ends that; a file that was
// left behind is in nobody's way. Who takes a folder also clears up after commands that
// were killed: drafts that nobody will finish, and a folder that was about to be replaced.
//
// A Draft is a folder beside the one that it becomes, under another name until Commit.
// Single files are package atomicfile's.
package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// ErrBusy is the kind of a folder that another command is writing to.
var ErrBusy = errors.New("another command is writing to the folder")

// Held is a folder that this process may write to.
type Held struct {
	path string
	lock *os.File
	// remove says that the lock is a file of its own, and not the folder itself.
	remove bool
	// made are the folders above it that there were not, the lowest first.
	made []string
}

// Hold takes the folder of a path, which need not exist, until Release is called or the
// process ends.
func Hold(path string) (*Held, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("locking the output folder: %w", err)
	}
	h := &Held{path: path}
	if err := h.makeAbove(); err != nil {
		return nil, err
	}
	for h.lock == nil {
		if err := h.take(); err != nil {
			h.removeAbove()
			return nil, err
		}
	}
	if err := ClearUp(path); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

func (h *Held) makeAbove() error {
	for above := filepath.Dir(h.path); ; above = filepath.Dir(above) {
		if _, err := os.Lstat(above); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		h.made = append(h.made, above)
	}
	if err := atomicfile.MakeFolder(filepath.Dir(h.path)); err != nil {
		return fmt.Errorf("making the folder of %s: %w", h.path, err)
	}
	return nil
}

// removeAbove takes makeAbove back where nothing was written.
func (h *Held) removeAbove() {
	for _, above := range h.made {
		if os.Remove(above) != nil {
			return
		}
	}
}

// lockMark ends the name of the file that is locked for a folder.
const lockMark = ".winnow-lock"

// State is the folder in a project where commands keep what they go on with: nothing of the project's.
const State = ".winnow"

func lockOf(path string) string { return beside(path, lockMark) }

// Beside says whether a name is that of something of this package's that lies beside an
// output folder for a while: who looks at what a folder holds leaves it out.
func Beside(name string) bool {
	if !strings.HasPrefix(name, ".") {
		return false
	}
	at := strings.LastIndex(name, draftMark)
	return strings.HasSuffix(name, lockMark) || at > 0 && isDraft(name[at+len(draftMark):])
}

// beside is the beginning of the name of what lies beside a folder and belongs to it.
func beside(path, what string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+what)
}

// take locks. It leaves h.lock nil where the file that it has locked is the path's no
// more: whoever held it has removed it meanwhile.
func (h *Held) take() error {
	name := lockOf(h.path)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	h.remove = err == nil
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		// Beside it nothing can be written, as when a folder is all that a container
		// was given. Where there is no folder either, it says so who makes it.
		name = h.path
		f, err = os.Open(h.path)
	}
	if err != nil {
		return fmt.Errorf("locking the output folder %s: %w", h.path, err)
	}
	if err := lock(f); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return exit.Mark(exit.Output, ErrBusy, fmt.Errorf("another command is writing to %s%s", h.path, h.holder()))
		}
		return fmt.Errorf("locking the output folder %s: %w", h.path, err)
	}
	if h.remove {
		if !same(f, name) {
			return f.Close()
		}
		if err := errors.Join(f.Truncate(0), write(f, fmt.Sprintln(os.Getpid()))); err != nil {
			return errors.Join(fmt.Errorf("locking the output folder %s: %w", h.path, err), os.Remove(name), f.Close())
		}
	}
	h.lock = f
	return nil
}

// patience is how long a lock may outlive its process: until what that was just starting
// is executed.
const patience = time.Second

func lock(f *os.File) error {
	for began := time.Now(); ; time.Sleep(patience / 100) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Since(began) > patience {
			return err
		}
	}
}

// holder says who holds the folder, as far as that can be read.
func (h *Held) holder() string {
	text, err := os.ReadFile(lockOf(h.path))
	if pid := strings.TrimSpace(string(text)); h.remove && err == nil && pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}

func write(f *os.File, text string) error {
	_, err := f.WriteAt([]byte(text), 0)
	return err
}

// same says whether a path still leads to a file.
func same(f *os.File, path string) bool {
	ours, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(ours, named)
}

// Release lets others have the folder, and leaves nothing of its own behind. Calls after
// the first do nothing.
func (h *Held) Release() {
	if h.lock == nil {
		return
	}
	if h.remove {
		os.Remove(lockOf(h.path)) // while it is locked: one that stays is taken over
	}
	h.lock.Close()
	h.lock = nil
	h.removeAbove()
}
