package confine

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ErrUnavailable is wrapped where this kernel, or the container around it, lacks what
// was asked for.
var ErrUnavailable = errors.New("not available on this machine")

// Paths are the files that may be used: everything else is refused, whatever path leads
// to it. What does not exist is left out.
type Paths struct {
	// Read are files and folders that may be read, with all that is below them, and
	// executed.
	Read []string
	// Write are files that may also be written, and folders in which plain files may
	// also be made, written and removed; folders, links and devices cannot be made.
	Write []string
	// Own are folders in which all may be done, but for devices.
	Own []string
}

const (
	mayRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	mayWrite = mayRead | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	devices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK
	// ofFiles are the rights that a rule on a file, not a folder, may speak of.
	ofFiles = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// rulesetOf is what a version of Landlock can refuse. Signals and abstract sockets that
// lead out of the domain are refused as well, and TCP.
func rulesetOf(version int) (attr unix.LandlockRulesetAttr, size uintptr) {
	attr.Access_fs = 1<<13 - 1 // all of the first version
	size = unsafe.Sizeof(attr.Access_fs)
	if version >= 2 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.Access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(attr.Access_net)
	}
	if version >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		size += unsafe.Sizeof(attr.Scoped)
	}
	return attr, size
}

// LandlockVersion is the version of Landlock that this kernel has; 0 is none.
func LandlockVersion() int {
	version, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if failed != 0 {
		return 0
	}
	return int(version)
}

// Rules are a file that stands for the paths, to bound processes to with the kernel's call
// landlock_restrict_self.
func Rules(paths Paths) (*os.File, error) {
	version := LandlockVersion()
	if version == 0 {
		return nil, fmt.Errorf("bounding files (Landlock): %w", ErrUnavailable)
	}
	attr, size := rulesetOf(version)
	fd, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if failed != 0 {
		return nil, fmt.Errorf("bounding files (Landlock): %w", failed)
	}
	rules := os.NewFile(fd, "rules") // the kernel has it closed when another program is executed
	for _, group := range []struct {
		paths  []string
		rights uint64
	}{{paths.Read, mayRead & attr.Access_fs}, {paths.Write, mayWrite & attr.Access_fs}, {paths.Own, attr.Access_fs &^ devices}} {
		for _, path := range group.paths {
			if err := allow(int(fd), path, group.rights); err != nil {
				rules.Close()
				return nil, err
			}
		}
	}
	return rules, nil
}

// Landlock bounds this thread, and all that it starts, to files. It cannot be taken
// back. The thread must have given up new privileges (NoNewPrivileges).
func Landlock(paths Paths) error {
	rules, err := Rules(paths)
	if err != nil {
		return err
	}
	defer rules.Close()
	if _, _, failed := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules.Fd(), 0, 0); failed != 0 {
		return fmt.Errorf("bounding files (Landlock): %w", failed)
	}
	return nil
}

func allow(rules int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) || errors.Is(err, unix.ENOTDIR) {
		return nil // what cannot be reached need not be allowed
	}
	if err != nil {
		return fmt.Errorf("bounding files: opening %s: %w", path, err)
	}
	defer unix.Close(fd)
	var about unix.Stat_t
	if err := unix.Fstat(fd, &about); err != nil {
		return fmt.Errorf("bounding files: looking at %s: %w", path, err)
	}
	if about.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= ofFiles
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, failed := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); failed != 0 {
		return fmt.Errorf("bounding files: allowing %s: %w", path, failed)
	}
	return nil
}

// NoNewPrivileges has this thread, and all that it starts, never gain a privilege by
// executing a file.
func NoNewPrivileges() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	return nil
}
