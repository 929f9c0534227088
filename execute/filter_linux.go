package execute

import (
	"math"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/internal/confine"
)

// harmless are the calls of a filter or calculator, and those with which libc starts.
var harmless = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64,
	unix.SYS_PREADV, unix.SYS_PWRITEV, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_DUP, unix.SYS_DUP3,
	unix.SYS_PIPE2, unix.SYS_FSTAT, newfstatat, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
	unix.SYS_FACCESSAT, unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR,
	unix.SYS_FCHDIR, unix.SYS_UMASK, unix.SYS_FTRUNCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
	unix.SYS_FADVISE64, unix.SYS_FLOCK, unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_BRK,
	unix.SYS_MSYNC, unix.SYS_MINCORE,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING,
	unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
	unix.SYS_SETITIMER, unix.SYS_GETITIMER, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP,
	unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETRUSAGE,
	unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETUID,
	unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETGROUPS, unix.SYS_UNAME,
	unix.SYS_SYSINFO, unix.SYS_GETCPU, unix.SYS_GETRANDOM, unix.SYS_SETRLIMIT, unix.SYS_GETRLIMIT,
	unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// serverCalls are the server's own, which it makes with its key (runtime/sandbox.c); to signal is
// a run's, too, that signals itself.
var (
	serverCalls = []uint32{unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_PRCTL, unix.SYS_MEMFD_CREATE}
	signalCalls = []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_TKILL}
)

// keyPlace is the argument in which the kernel looks for nothing: none of these calls has a sixth.
const keyPlace = 5

const (
	changing   = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC | 0o20000000 // O_TMPFILE without its O_DIRECTORY
	tcgets     = 0x5401
	fAddSeals  = 1033
	fDupfdExec = 1030
	fSetlkw    = 7
)

// serverFilter is an allow-list of what a server and its runs may ask of the kernel.
// Refused calls fail with EPERM, so that a mutant that tries goes on. No run can change
// the file system: files open for reading only, but for runs that may write to their
// folder, where Landlock keeps them. What the server's own calls are passed for is its key.
// Where the server is alone with its run in a process namespace, a run may signal any process but
// the server, which is itself; elsewhere its own filter says which one that is.
func serverFilter(writable, alone bool, key uint64) *confine.Filter {
	f := confine.NewFilter()
	for _, call := range append(slices.Clone(serverCalls), signalCalls...) {
		f.Pass(call, confine.Argument{Place: keyPlace, Value: key})
	}
	for _, call := range signalCalls {
		if alone {
			f.Between(call, 0, 2, math.MaxInt32, unix.ESRCH)
		}
	}
	// A runner has a filter to install, and a run that is started from the file does what the
	// server did for the others. These can be given back by nobody.
	f.Pass(unix.SYS_PRCTL, confine.Argument{Value: unix.PR_SET_SECCOMP})
	f.Pass(unix.SYS_PRCTL, confine.Argument{Value: unix.PR_SET_PDEATHSIG}, confine.Argument{Place: 1, Value: uint64(unix.SIGKILL)})
	f.Pass(unix.SYS_PRCTL, confine.Argument{Value: unix.PR_SET_DUMPABLE}, confine.Argument{Place: 1})
	f.Refuse(unix.EPERM, serverCalls...)
	if writable {
		// An open for reading that truncates is refused: older kernels do not ask
		// Landlock about it.
		f.Allow(unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2).Allow(olderWrites...)
		for call, flags := range opens {
			f.WritesTold(call, flags)
		}
	}
	f.Allow(harmless...).Allow(olderHarmless...)
	for call, flags := range opens {
		f.UnlessBits(call, flags, changing, unix.EROFS)
	}
	// Another process's limits could be the server's.
	f.OnlyIf(unix.SYS_PRLIMIT64, 0, 0, unix.EPERM)
	f.OnlyIf(unix.SYS_IOCTL, 1, tcgets, unix.ENOTTY)
	// Descriptor flags and locks, but no F_SETOWN: it sends signals.
	f.UpTo(unix.SYS_FCNTL, 1, fSetlkw, unix.EPERM, fDupfdExec, fAddSeals)
	f.Allow(signalCalls...)
	// libc falls back to an older call only when a new one does not exist.
	f.Refuse(unix.ENOSYS, unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_FACCESSAT2)
	return f.Otherwise(unix.EPERM)
}
