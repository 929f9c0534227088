package command

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// namespaces starts a worker as the same user, with every privilege in namespaces of
// its own and none outside of them.
func namespaces() *syscall.SysProcAttr {
	user, group := os.Geteuid(), os.Getegid()
	return &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: user, HostID: user, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: group, HostID: group, Size: 1}},
		// For a user who is not root they would be lost when the worker is executed.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_KILL},
		Setsid:      true,
	}
}
