package execute

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// A volume is an empty file system of its own size (tmpfs), for what a run writes: whatever
// that does, removed files that it keeps open among it, ends there. It is mounted nowhere;
// it goes with the descriptors that lead to it, and so with this process, however that
// ends. Who is not root makes one in namespaces of a moment's own.

// volumeName is the name under which this executable makes a volume, and writes its
// descriptor to descriptor 3.
const volumeName = "winnow: maker of a volume"

func init() {
	if len(os.Args) == 3 && os.Args[0] == volumeName {
		if giveVolume(os.Args[1], os.Args[2]) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// size is how much a volume holds.
type size struct{ bytes, files int64 }

// volumeFolder is the folder of a volume in which runs take place: what lies above it is not
// theirs, as with any folder.
const volumeFolder = "run"

// newVolume makes a volume and opens its folder.
func newVolume(s size) (*os.File, error) {
	mount, err := mountVolume(s)
	if err != nil {
		if mount, err = askVolume(s); err != nil {
			return nil, fmt.Errorf("making a file system for runs: %w", err)
		}
	}
	defer unix.Close(mount)
	err = unix.Mkdirat(mount, volumeFolder, 0o755)
	fd := -1
	if err == nil {
		fd, err = unix.Openat(mount, volumeFolder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("opening a file system for runs: %w", err)
	}
	return os.NewFile(uintptr(fd), "/proc/self/fd/"+strconv.Itoa(fd)), nil
}

// mountVolume needs the right to mount.
func mountVolume(s size) (int, error) {
	system, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, err
	}
	defer unix.Close(system)
	for key, value := range map[string]string{"size": strconv.FormatInt(s.bytes, 10), "nr_inodes": strconv.FormatInt(s.files, 10), "mode": "0755"} {
		if err := unix.FsconfigSetString(system, key, value); err != nil {
			return -1, err
		}
	}
	if err := unix.FsconfigCreate(system); err != nil {
		return -1, err
	}
	return unix.Fsmount(system, unix.FSMOUNT_CLOEXEC, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC)
}

// askVolume has a process make one that has the right to, in namespaces of its own.
func askVolume(s size) (int, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	defer unix.Close(pair[0])
	theirs := os.NewFile(uintptr(pair[1]), "maker")
	maker := exec.Cmd{
		Path:       "/proc/self/exe",
		Args:       []string{volumeName, strconv.FormatInt(s.bytes, 10), strconv.FormatInt(s.files, 10)},
		Env:        []string{},
		ExtraFiles: []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{
			Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}},
			AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
			Pdeathsig:   syscall.SIGKILL,
		},
	}
	err = maker.Run()
	theirs.Close()
	if err != nil {
		return -1, err
	}
	rights := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(pair[0], make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
	if err != nil {
		return -1, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil || len(messages) != 1 {
		return -1, errors.Join(errProtocol, err)
	}
	given, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(given) != 1 {
		return -1, errors.Join(errProtocol, err)
	}
	return given[0], nil
}

// giveVolume is the maker's work.
func giveVolume(bytes, files string) error {
	var s size
	var err error
	if s.bytes, err = strconv.ParseInt(bytes, 10, 64); err != nil {
		return err
	}
	if s.files, err = strconv.ParseInt(files, 10, 64); err != nil {
		return err
	}
	mount, err := mountVolume(s)
	if err != nil {
		return err
	}
	return unix.Sendmsg(3, []byte{0}, unix.UnixRights(mount), nil, 0)
}
