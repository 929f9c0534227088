package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// stage is the file system that a worker's runs see. Its methods run in the
// worker, which is alone in its mount namespace.
type stage struct {
	setup
	base   *os.File            // the project as it was built
	layers map[string]*os.File // by build
	build  string              // whose layer is mounted
	into   [2]*os.File         // of a worker that makes a layer: the layer, and overlay's own folder
	upper  *os.File            // what runs wrote in the project goes here
	up     []string            // what is mounted, the last last
}

// temporary are the folders that every run finds empty. The first holds the others'
// neighbour, the table of the run (tablePath).
var temporary = []string{"/tmp", "/var/tmp", "/dev/shm"}

// newStage opens the folders while they can still be seen and closes the rest of
// the file system to writing.
func newStage(s setup) (*stage, error) {
	st := &stage{setup: s, layers: map[string]*os.File{}}
	var err error
	if st.base, err = openFolder(s.Base); err != nil {
		return nil, err
	}
	for build, path := range s.Layers {
		if st.layers[build], err = openFolder(path); err != nil {
			return nil, err
		}
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("making the mounts private: %w", err)
	}
	if err := st.closeToWriting(); err != nil {
		return nil, err
	}
	// The processes of this namespace alone; in some containers the kernel refuses,
	// and the outer ones stay visible. It is closed to writing, too: settings of the kernel there are
	// root's by its number alone, whatever privileges it has given up.
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil && !errors.Is(err, unix.EPERM) {
		return nil, fmt.Errorf("mounting /proc: %w", err)
	}
	return st, nil
}

// closeToWriting makes every mount read-only but that of the layer to be made, which
// becomes one of its own for that.
func (s *stage) closeToWriting() error {
	parent := filepath.Dir(s.Into)
	if s.Into != "" {
		if err := unix.Mount(parent, parent, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("mounting the folder of a layer: %w", err)
		}
	}
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &attr); err != nil {
		return fmt.Errorf("closing the file system to writing: %w", err)
	}
	if s.Into == "" {
		return nil
	}
	attr = unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, parent, 0, &attr); err != nil {
		return fmt.Errorf("opening the folder of a layer to writing: %w", err)
	}
	var err error
	for k, path := range []string{s.Into, s.Into + workSuffix} {
		if s.into[k], err = openFolder(path); err != nil {
			return err
		}
	}
	return nil
}

func openFolder(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// handle is a path by which the kernel finds an open folder, hidden or not.
func handle(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

// raise mounts what a run sees: the build's layer over the project, with what the
// run writes on top, in memory or in the layer that is made.
func (s *stage) raise(build string) error {
	if len(s.up) > 0 && s.build == build && s.Into == "" && s.untouched() {
		return nil
	}
	if err := s.lower(); err != nil {
		return err
	}
	lower := handle(s.base)
	if build != "" {
		layer, ok := s.layers[build]
		if !ok {
			return fmt.Errorf("there is no build %q", build)
		}
		lower = handle(layer) + ":" + lower
	}
	upper, work := s.into[0], s.into[1]
	if s.Into == "" {
		var err error
		if upper, work, err = s.writable(); err != nil {
			return err
		}
		defer work.Close()
		s.upper = upper
	}
	s.build = build
	for _, folder := range temporary {
		if err := s.tmpfs(folder); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	if err := os.MkdirAll(s.Base, 0o755); err != nil {
		return fmt.Errorf("making the place of the project: %w", err)
	}
	options := "lowerdir=" + lower + ",upperdir=" + handle(upper) + ",workdir=" + handle(work) + ",userxattr"
	return s.mount("overlay", s.Base, options)
}

func (s *stage) mount(kind, at, options string) error {
	if err := unix.Mount(kind, at, kind, unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mounting %s of a run: %w", at, err)
	}
	s.up = append(s.up, at)
	return nil
}

// writable makes the folders for an overlay's changes in memory, hidden behind the
// temporary folder that is mounted next.
func (s *stage) writable() (upper, work *os.File, err error) {
	if err := s.tmpfs(temporary[0]); err != nil {
		return nil, nil, err
	}
	var made [2]*os.File
	for k, name := range []string{"upper", "work"} {
		dir := filepath.Join(temporary[0], name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, nil, fmt.Errorf("making room for a run: %w", err)
		}
		if made[k], err = openFolder(dir); err != nil {
			return nil, nil, err
		}
	}
	return made[0], made[1], nil
}

func (s *stage) tmpfs(folder string) error {
	return s.mount("tmpfs", folder, fmt.Sprintf("size=%d,mode=1777", s.TmpBytes))
}

// untouched reports whether the last run left nothing behind, so that the next may
// have its place.
func (s *stage) untouched() bool {
	if !s.holdsOnly(handle(s.upper), "") {
		return false
	}
	for _, folder := range temporary {
		if !s.holdsOnly(folder, folder) {
			return false
		}
	}
	return true
}

// holdsOnly reports whether there is nothing in a folder that is not winnow's: the
// table and the way to the project.
func (s *stage) holdsOnly(folder, path string) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		switch {
		case path != "" && (below == tablePath || below == s.Base):
		case path != "" && strings.HasPrefix(s.Base, below+"/") && s.holdsOnly(below, below):
		default:
			return false
		}
	}
	return true
}

// lower takes down what raise mounted.
func (s *stage) lower() error {
	var errs []error
	for n := len(s.up); n > 0; n = len(s.up) {
		if err := unix.Unmount(s.up[n-1], unix.MNT_DETACH); err != nil {
			errs = append(errs, fmt.Errorf("taking %s of a run down: %w", s.up[n-1], err))
		}
		s.up = s.up[:n-1]
	}
	if s.upper != nil {
		errs = append(errs, s.upper.Close())
		s.upper = nil
	}
	return errors.Join(errs...)
}
