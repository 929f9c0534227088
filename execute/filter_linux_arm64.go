package execute

import "golang.org/x/sys/unix"

const newfstatat = unix.SYS_NEWFSTATAT

var (
	olderHarmless, olderWrites []uint32
	// opens holds by call the place of its flags.
	opens = map[uint32]int{unix.SYS_OPENAT: 2}
)
