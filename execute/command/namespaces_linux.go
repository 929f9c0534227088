package command

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// namespaces are the ways to start a worker, the best first: as the same user, with every
// privilege in namespaces of its own and none outside of them; and where a machine allows
// no namespaces of users, for root, whose worker gives its privileges up before anything
// runs (dropPrivileges).
func namespaces() []*syscall.SysProcAttr {
	const others = unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	user, group := os.Geteuid(), os.Getegid()
	ways := []*syscall.SysProcAttr{{
		Cloneflags:  unix.CLONE_NEWUSER | others,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: user, HostID: user, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: group, HostID: group, Size: 1}},
		// For a user who is not root they would be lost when the worker is executed.
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_KILL},
		Setsid:      true,
	}}
	if user == 0 {
		ways = append(ways, &syscall.SysProcAttr{Cloneflags: others, Setsid: true})
	}
	return ways
}
