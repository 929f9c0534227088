package confine

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Descriptors with which this process was started are not handed on: not to a
// compiler, not to a build, and least of all to a mutant. What winnow opens itself is
// never handed on but where it says so.
func init() { keepDescriptors(3) }

// keepDescriptors has the descriptors from first on end with this program.
func keepDescriptors(first uint) {
	if unix.CloseRange(first, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return
	}
	// Before Linux 5.11.
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // there is nothing else to try
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd >= int(first) {
			unix.CloseOnExec(fd)
		}
	}
}
