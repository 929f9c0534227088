package execute

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/winnow-mutants/winnow/internal/confine"
)

// A server is not started but launched: this very executable is started once more as
// the launcher, in the server's namespaces and as its user, takes from itself every
// right that a run shall not have, and then executes the meta-mutant, whose first
// instruction is confined like its last. What the launcher could do it says on the pipe
// for replies, before there is anybody else who could write there.

// launcherName is the name under which this executable is the launcher.
const launcherName = "winnow: launcher of runs"

// The descriptors of a server, as in runtime/winnow.h.
const (
	fdRequest = 3
	fdReply   = 4
	fdBinary  = 5
	fdFolder  = 6
)

// orders are what the launcher is to do.
type orders struct {
	Writable bool
	// Open: neither filter nor Landlock (tests of the weaker sandbox).
	Open bool
	// Key is what the server makes its own calls with.
	Key uint64
	// Read are files and folders that a run may read, beside its own folder.
	Read []string
}

// The orders stand before all else on the pipe for requests, behind their length.
func (o orders) write(w io.Writer) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

func readOrders(r io.Reader) (o orders, err error) {
	var length uint32
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return o, err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return o, err
	}
	return o, json.Unmarshal(text, &o)
}

const (
	heldAddresses = 1 << iota // addresses are not randomised
	heldFiles                 // Landlock bounds which files runs may use
)

// launchReport is the launcher's word.
type launchReport struct {
	Magic uint64
	Held  uint32
	// Failed is the number of the step that failed, and the server was not started.
	Failed uint32
}

const launchMagic = 0x31636e6c6e6977 // "winlnc1"

// The launcher is one before anything else of the executable has begun, so that no
// program that starts engines need know of it.
func init() {
	if len(os.Args) == 1 && os.Args[0] == launcherName {
		os.Exit(launch())
	}
}

// launch confines this thread, the process's first, and becomes the server.
func launch() int {
	report := launchReport{Magic: launchMagic}
	say := func(failed uint32) int {
		report.Failed = failed
		raw, _ := binary.Append(nil, binary.LittleEndian, report) // fixed-size: cannot fail
		if _, err := unix.Write(fdReply, raw); err != nil {
			return 1
		}
		return int(failed)
	}
	o, err := readOrders(os.NewFile(fdRequest, "orders"))
	if err != nil {
		return say(1)
	}
	for _, fd := range []int{fdRequest, fdReply, fdFolder} { // package confine keeps all others
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
			return say(2)
		}
	}
	const noRandom = 0x0040000
	if _, _, failed := unix.Syscall(unix.SYS_PERSONALITY, noRandom, 0, 0); failed == 0 {
		report.Held |= heldAddresses
	}
	if confine.NoNewPrivileges() != nil {
		return say(3)
	}
	if !o.Open && confine.Landlock(o.paths()) == nil {
		report.Held |= heldFiles
	}
	for resource, most := range map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: 64} {
		if unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}) != nil {
			return say(4)
		}
	}
	if say(0) != 0 {
		return 1
	}
	path, argv := fmt.Sprintf("/proc/self/fd/%d", fdBinary), []string{"program"}
	if o.Open {
		_ = syscall.Exec(path, argv, serverEnvironment)
		return 1
	}
	_ = serverFilter(o.Writable, os.Getpid() == 1, o.Key).InstallAndExecute(path, argv, serverEnvironment, o.Key)
	return 1
}

// system are what programs find of the system: libraries, locales, time zones, what
// libc asks about the machine. The launcher's own entry in /proc will be the server's,
// which reads its memory map there.
var system = []string{
	"/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
	"/etc/locale.alias", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu",
	"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/filesystems", "/proc/sys/vm/overcommit_memory",
}

func (o orders) paths() confine.Paths {
	folder := fmt.Sprintf("/proc/self/fd/%d", fdFolder)
	p := confine.Paths{Read: append(append([]string{folder}, system...), o.Read...)}
	if o.Writable {
		p.Write = []string{folder}
	}
	return p
}

// readLaunch reads the launcher's report.
func readLaunch(r io.Reader) (held uint32, err error) {
	var report launchReport
	if err := binary.Read(r, binary.LittleEndian, &report); err != nil {
		return 0, fmt.Errorf("waiting for the launcher: %w", err)
	}
	if report.Magic != launchMagic {
		return 0, fmt.Errorf("%w: the launcher's report %+v", errProtocol, report)
	}
	if report.Failed != 0 {
		return 0, fmt.Errorf("%w (step %d of the launcher)", errNotConfined, report.Failed)
	}
	return report.Held, nil
}

// named are the files and folders outside of a run's own that tests name in their
// arguments.
func named(tests []Test) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range tests {
		for _, arg := range t.Args {
			if !filepath.IsAbs(arg) || seen[arg] {
				continue
			}
			seen[arg] = true
			if _, err := os.Stat(arg); err == nil {
				out = append(out, arg)
			}
		}
	}
	return out
}
