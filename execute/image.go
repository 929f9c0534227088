package execute

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// ErrImage is wrapped by the error of Start for an executable in which something of the
// program's would run before the runtime does.
var ErrImage = exit.New(exit.Input, errors.New("the program has code that would run while it is loaded, before a run begins"),
	"functions in .preinit_array and resolvers of functions (ifunc) cannot be mutated: leave them out of the build for winnow")

// checkImage looks whether the runtime's is the first function of an executable that
// is called: that the system's dynamic linker loads it, with libraries of the system
// alone, and finds nothing to call in it before that. So a server never executes a line
// of the program's.
func checkImage(binary io.ReaderAt, sanitized bool) error {
	f, err := elf.NewFile(binary)
	if err != nil {
		return fmt.Errorf("reading the meta-mutant: %w (is the executable linked with winnow's runtime?)", err)
	}
	defer f.Close()
	for _, check := range []func(*elf.File, bool) error{checkLoader, checkFirst, checkResolvers} {
		if err := check(f, sanitized); err != nil {
			return err
		}
	}
	return nil
}

func checkLoader(f *elf.File, _ bool) error {
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		raw, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
		if err != nil {
			return fmt.Errorf("reading the meta-mutant: %w", err)
		}
		name := strings.TrimRight(string(raw), "\x00")
		if !strings.HasPrefix(name, "/lib/") && !strings.HasPrefix(name, "/lib64/") && !strings.HasPrefix(name, "/usr/lib") || strings.Contains(name, "..") {
			return fmt.Errorf("%w: it is loaded by %s", ErrImage, name)
		}
	}
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH, elf.DT_AUDIT, elf.DT_DEPAUDIT, elf.DT_FILTER, elf.DT_AUXILIARY} {
		if found, err := f.DynValue(tag); err == nil && len(found) > 0 {
			return fmt.Errorf("%w: it says where libraries are (%v)", ErrImage, tag)
		}
	}
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return fmt.Errorf("reading the meta-mutant: %w", err)
	}
	for _, name := range libraries {
		if strings.Contains(name, "/") {
			return fmt.Errorf("%w: it is linked with %s", ErrImage, name)
		}
	}
	return nil
}

// checkFirst counts what the dynamic linker calls before all else: the runtime's entry,
// and before it the address sanitizer's.
func checkFirst(f *elf.File, sanitized bool) error {
	sizes, err := f.DynValue(elf.DT_PREINIT_ARRAYSZ)
	if err != nil || len(sizes) == 0 {
		return fmt.Errorf("%w: it does not begin in the runtime (is the executable linked with winnow's runtime?)", errProtocol)
	}
	entries := uint64(1)
	if sanitized {
		entries = 2
	}
	if word := uint64(8); len(sizes) != 1 || sizes[0] != entries*word {
		return fmt.Errorf("%w: a function in .preinit_array", ErrImage)
	}
	return nil
}

// checkResolvers looks for functions that choose other functions (ifunc), which the
// dynamic linker calls while it binds names.
func checkResolvers(f *elf.File, _ bool) error {
	symbols, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return fmt.Errorf("reading the meta-mutant: %w", err)
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC && s.Section != elf.SHN_UNDEF {
			return fmt.Errorf("%w: the resolver of %s", ErrImage, s.Name)
		}
	}
	for _, section := range f.Sections {
		if section.Type != elf.SHT_RELA {
			continue
		}
		raw, err := section.Data()
		if err != nil {
			return fmt.Errorf("reading the meta-mutant: %w", err)
		}
		for ; len(raw) >= 24; raw = raw[24:] { // offset, info, addend
			kind := uint32(f.ByteOrder.Uint64(raw[8:]))
			if f.Machine == elf.EM_X86_64 && kind == uint32(elf.R_X86_64_IRELATIVE) || f.Machine == elf.EM_AARCH64 && kind == uint32(elf.R_AARCH64_IRELATIVE) {
				return fmt.Errorf("%w: a resolver of a function (ifunc)", ErrImage)
			}
		}
	}
	return nil
}
