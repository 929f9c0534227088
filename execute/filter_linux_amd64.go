package execute

import "golang.org/x/sys/unix"

const newfstatat = unix.SYS_NEWFSTATAT

// The older names, which aarch64 never had.
var (
	olderHarmless = []uint32{
		unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS, unix.SYS_DUP2,
		unix.SYS_PIPE, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_ALARM, unix.SYS_PAUSE, unix.SYS_TIME,
		unix.SYS_ARCH_PRCTL, unix.SYS_GETPGRP,
	}
	olderWrites = []uint32{unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_CREAT}
	// opens holds by call the place of its flags.
	opens = map[uint32]int{unix.SYS_OPEN: 1, unix.SYS_OPENAT: 2}
)
