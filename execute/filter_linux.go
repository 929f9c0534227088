package execute

import (
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

// serverCalls are the server's own: its child takes them away (runtime/sandbox.c).
var serverCalls = []uint32{
	unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_TKILL, unix.SYS_PRCTL,
	unix.SYS_MEMFD_CREATE, unix.SYS_SETPGID,
}

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
// folder, where Landlock keeps them.
func serverFilter(writable bool) *confine.Filter {
	f := confine.NewFilter()
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
	f.Allow(serverCalls...)
	// libc falls back to an older call only when a new one does not exist.
	f.Refuse(unix.ENOSYS, unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_FACCESSAT2)
	return f.Otherwise(unix.EPERM)
}
