package confine

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Filter is a system call filter in the making. A rule decides about the calls of one
// number and ends their way through the filter; the first rule on a number decides.
type Filter struct{ code []unix.SockFilter }

// Offsets in struct seccomp_data, and the first number of x86-64's other calling
// convention.
const (
	atNumber  = 0
	atArch    = 4
	atArgs    = 16
	otherCall = 0x40000000
)

// NewFilter begins a filter, which refuses calls of any other architecture with EPERM.
func NewFilter() *Filter {
	arch := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		arch = unix.AUDIT_ARCH_AARCH64
	}
	f := &Filter{}
	f.load(atArch)
	f.jump(unix.BPF_JEQ, arch, 1, 0)
	f.refuse(unix.EPERM)
	f.load(atNumber)
	f.jump(unix.BPF_JGE, otherCall, 0, 1)
	f.refuse(unix.EPERM)
	return f
}

func (f *Filter) add(code uint16, yes, no uint8, k uint32) {
	f.code = append(f.code, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

func (f *Filter) load(at uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, at) }

func (f *Filter) jump(how uint16, k uint32, yes, no uint8) {
	f.add(unix.BPF_JMP|how|unix.BPF_K, yes, no, k)
}

func (f *Filter) pass() { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, unix.SECCOMP_RET_ALLOW) }

func (f *Filter) refuse(with unix.Errno) {
	f.add(unix.BPF_RET|unix.BPF_K, 0, 0, unix.SECCOMP_RET_ERRNO|uint32(with))
}

// Allow lets calls through.
func (f *Filter) Allow(calls ...uint32) *Filter {
	for _, call := range calls {
		f.jump(unix.BPF_JEQ, call, 0, 1)
		f.pass()
	}
	return f
}

// Refuse has calls fail with an error.
func (f *Filter) Refuse(with unix.Errno, calls ...uint32) *Filter {
	for _, call := range calls {
		f.jump(unix.BPF_JEQ, call, 0, 1)
		f.refuse(with)
	}
	return f
}

// loadArgument loads the low half of an argument: both architectures are little endian.
func (f *Filter) loadArgument(argument int) { f.load(atArgs + 8*uint32(argument)) }

// OnlyIf lets a call through when an argument is a value.
func (f *Filter) OnlyIf(call uint32, argument int, value uint32, otherwise unix.Errno) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, 4)
	f.loadArgument(argument)
	f.jump(unix.BPF_JEQ, value, 0, 1)
	f.pass()
	f.refuse(otherwise)
	return f
}

// Argument is a value that an argument of a call has, by its place.
type Argument struct {
	Place int
	Value uint64
}

// Pass lets a call through when some of its arguments have these values, whatever other rules
// on its number say, which decide about the rest.
func (f *Filter) Pass(call uint32, when ...Argument) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, uint8(4*len(when)+2))
	for i, a := range when {
		others := uint8(4 * (len(when) - i - 1))
		f.loadArgument(a.Place)
		f.jump(unix.BPF_JEQ, uint32(a.Value), 0, others+3)
		f.load(atArgs + 8*uint32(a.Place) + 4)
		f.jump(unix.BPF_JEQ, uint32(a.Value>>32), 0, others+1)
	}
	f.pass()
	f.load(atNumber)
	return f
}

// Between lets a call through when an argument is at least and at most some values.
func (f *Filter) Between(call uint32, argument int, least, most uint32, otherwise unix.Errno) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, 5)
	f.loadArgument(argument)
	f.jump(unix.BPF_JGE, least, 0, 2)
	f.jump(unix.BPF_JGT, most, 1, 0)
	f.pass()
	f.refuse(otherwise)
	return f
}

// UnlessBits lets a call through when an argument has none of some bits.
func (f *Filter) UnlessBits(call uint32, argument int, bits uint32, otherwise unix.Errno) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, 4)
	f.loadArgument(argument)
	f.jump(unix.BPF_JSET, bits, 1, 0)
	f.pass()
	f.refuse(otherwise)
	return f
}

// UpTo lets a call through when an argument is at most a value, or one of others.
func (f *Filter) UpTo(call uint32, argument int, most uint32, otherwise unix.Errno, others ...uint32) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, uint8(len(others)+4))
	f.loadArgument(argument)
	f.jump(unix.BPF_JGT, most, 0, uint8(len(others)+1))
	for i, other := range others {
		f.jump(unix.BPF_JEQ, other, uint8(len(others)-i), 0)
	}
	f.refuse(otherwise)
	f.pass()
	return f
}

// WritesTold lets an open through whose flags say what it does to the file: one for
// reading that truncates is refused.
func (f *Filter) WritesTold(call uint32, flags int) *Filter {
	f.jump(unix.BPF_JEQ, call, 0, 6)
	f.loadArgument(flags)
	f.jump(unix.BPF_JSET, unix.O_WRONLY|unix.O_RDWR, 0, 1)
	f.pass()
	f.jump(unix.BPF_JSET, unix.O_TRUNC, 0, 1)
	f.refuse(unix.EROFS)
	f.pass()
	return f
}

// Otherwise ends the filter: other calls fail with an error, or pass where it is 0.
func (f *Filter) Otherwise(with unix.Errno) *Filter {
	if with == 0 {
		f.pass()
	} else {
		f.refuse(with)
	}
	return f
}

// program is the filter as the kernel takes it.
func (f *Filter) program() *unix.SockFprog {
	return &unix.SockFprog{Len: uint16(len(f.code)), Filter: &f.code[0]}
}

// install makes one call of the kernel and allocates nothing, so that the next may be
// the last that the filter allows.
func install(program *unix.SockFprog) unix.Errno {
	_, _, failed := unix.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(program)), 0, 0, 0)
	return failed
}

// Install puts this thread, and all that it starts, under the filter for ever.
func (f *Filter) Install() error {
	if failed := install(f.program()); failed != 0 {
		return fmt.Errorf("filtering system calls: %w", failed)
	}
	return nil
}

// InstallAndExecute installs the filter and executes a program, with nothing between
// the two that the filter would have to allow. It executes with a sixth argument, which the kernel
// ignores and the filter may ask for. It returns only when one of them fails.
func (f *Filter) InstallAndExecute(path string, argv, environment []string, sixth uint64) error {
	name, err := unix.BytePtrFromString(path)
	if err != nil {
		return err
	}
	words, err := syscall.SlicePtrFromStrings(argv)
	if err != nil {
		return err
	}
	variables, err := syscall.SlicePtrFromStrings(environment)
	if err != nil {
		return err
	}
	program := f.program()
	if failed := install(program); failed != 0 {
		return fmt.Errorf("filtering system calls: %w", failed)
	}
	_, _, failed := unix.RawSyscall6(unix.SYS_EXECVE, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&words[0])), uintptr(unsafe.Pointer(&variables[0])), 0, 0, uintptr(sixth))
	return fmt.Errorf("executing %s: %w", path, failed)
}
