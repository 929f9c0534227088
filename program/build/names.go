package build

import (
	"debug/elf"
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

// heap are the names by which a program replaces the heap of its C library, which then
// uses the program's itself: these mean the same in both, or nothing works.
var heap = map[string]bool{"malloc": true, "calloc": true, "realloc": true, "free": true}

// namesOf are the names that the runtime's objects define for others, or use of others:
// the C library's. What is the runtime's alone begins with schemata.Own.
func namesOf(objects []string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, object := range objects {
		f, err := elf.Open(object)
		if err != nil {
			return nil, fmt.Errorf("reading the runtime: %w", err)
		}
		symbols, err := f.Symbols()
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return nil, fmt.Errorf("reading the runtime: %w", err)
		}
		for _, s := range symbols {
			if elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Name != "main" && !heap[s.Name] {
				names[s.Name] = true
			}
		}
	}
	return names, nil
}

// apart gives what the program calls like something of the runtime's, or of the C
// library that the runtime uses, a name of its own in all units.
func (b *Builder) apart(p *program.Program) (restore func(), err error) {
	names, err := namesOf(b.Runtime)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, u := range p.Units {
		schemata.Defined(u.Module, func(name string) { own[name] = names[name] })
	}
	var undo []func()
	for _, u := range p.Units {
		undo = append(undo, schemata.Apart(u.Module, func(name string) bool { return own[name] || strings.HasPrefix(name, schemata.Own) }))
	}
	return func() {
		for _, back := range undo {
			back()
		}
	}, nil
}
