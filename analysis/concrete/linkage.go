package concrete

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// definedBy is what modules define for others, by its name; nil under a name that two of them define,
// since it is not known which of them a program is linked with.
func definedBy(modules []*llir.Module) map[string]value.Value {
	out := map[string]value.Value{}
	add := func(name string, linkage enum.Linkage, v value.Value) {
		if linkage == enum.LinkageInternal || linkage == enum.LinkagePrivate || name == "main" {
			return
		}
		if _, twice := out[name]; twice {
			v = nil
		}
		out[name] = v
	}
	for _, m := range modules {
		for _, f := range m.Funcs {
			if len(f.Blocks) > 0 {
				add(f.Name(), f.Linkage, f)
			}
		}
		for _, g := range m.Globals {
			if g.Init != nil {
				add(g.Name(), g.Linkage, g)
			}
		}
	}
	return out
}

// linked is what a name stands for that a module only declares: what another defines, or else the first
// declaration.
func (p *program) linked(v value.Value) value.Value {
	if !p.exact {
		return v
	}
	name := ""
	switch v := v.(type) {
	case *llir.Func:
		if len(v.Blocks) == 0 {
			name = v.Name()
		}
	case *llir.Global:
		if v.Init == nil {
			name = v.Name()
		}
	}
	if name == "" {
		return v
	}
	of, known := p.defined[name]
	if !known {
		p.defined[name] = v
	}
	if of == nil {
		return v
	}
	return of
}
