package confine

import (
	"math"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// filtered makes calls on a thread of its own, which is under a filter and ends with them.
func filtered(t *testing.T, f *Filter, calls func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		err := NoNewPrivileges()
		if err == nil {
			err = f.Install()
		}
		if err == nil {
			calls()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestACallPassesWithItsWholeKeyAlone(t *testing.T) {
	const key = 0x1234_5678_9abc_def0
	f := NewFilter().Pass(unix.SYS_GETPPID, Argument{Place: 5, Value: key}, Argument{Place: 1, Value: 7}).
		Refuse(unix.EPERM, unix.SYS_GETPPID).Otherwise(0)
	filtered(t, f, func() {
		for _, c := range []struct {
			key, second uint64
			want        unix.Errno
		}{
			{key, 7, 0}, {key ^ 1, 7, unix.EPERM}, {key ^ 1<<31, 7, unix.EPERM}, {key ^ 1<<32, 7, unix.EPERM}, {key ^ 1<<63, 7, unix.EPERM},
			{0, 7, unix.EPERM}, {key, 6, unix.EPERM}, {key, 7 + 1<<32, unix.EPERM},
		} {
			if _, _, got := unix.RawSyscall6(unix.SYS_GETPPID, 0, uintptr(c.second), 0, 0, 0, uintptr(c.key)); got != c.want {
				t.Errorf("with key %x and %d: %v, want %v", c.key, c.second, got, c.want)
			}
		}
		if _, _, got := unix.RawSyscall(unix.SYS_GETPID, 0, 0, 0); got != 0 {
			t.Errorf("another call: %v", got)
		}
	})
}

func TestACallPassesBetweenTwoValues(t *testing.T) {
	f := NewFilter().Between(unix.SYS_GETPPID, 0, 2, math.MaxInt32, unix.ESRCH).Otherwise(0)
	filtered(t, f, func() {
		minus := int64(-5)
		for first, want := range map[uint64]unix.Errno{
			0: unix.ESRCH, 1: unix.ESRCH, 2: 0, 1000: 0, math.MaxInt32: 0, math.MaxInt32 + 1: unix.ESRCH, uint64(minus): unix.ESRCH,
		} {
			if _, _, got := unix.RawSyscall(unix.SYS_GETPPID, uintptr(first), 0, 0); got != want {
				t.Errorf("of %d: %v, want %v", first, got, want)
			}
		}
	})
}
