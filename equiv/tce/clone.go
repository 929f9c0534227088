package tce

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// template is a function as text, from which a mutant is made by replacing a
// few lines.
type template struct {
	*printer
	f *llir.Func
	// before and after are the first line, around the function's name.
	before, after string
	// lines are the texts of the body: a block's label, its instructions and
	// its terminator.
	lines []string
	// at is the line of an instruction, a block's terminator or a label.
	at map[any]int
	// users are the instructions and terminators that use a value.
	users map[value.Value][]any
	// needs are the globals that the body names.
	needs []string
}

// newTemplate prints a function, or fails for one that cannot be moved to
// another module by its text.
func newTemplate(f *llir.Func, p *printer) (*template, error) {
	t := &template{printer: p, f: f, at: map[any]int{}, users: map[value.Value][]any{}}
	t.before, t.after = signature(f, p.strict())
	for _, b := range f.Blocks {
		t.put(b, strings.TrimPrefix(b.Ident(), "%")+":\n")
		for _, inst := range b.Insts {
			if readsMetadata(inst) {
				return nil, fmt.Errorf("%s reads metadata", f.Ident())
			}
			t.put(inst, p.instruction(inst, nil))
			t.use(inst, inst)
		}
		t.put(b.Term, p.terminator(b.Term, nil))
		t.use(b.Term, b.Term)
	}
	body := strings.Join(t.lines, "")
	if strings.Contains(body, "blockaddress(") {
		return nil, fmt.Errorf("%s takes the address of a label", f.Ident())
	}
	t.needs = globalsIn(t.before + t.after + body)
	return t, nil
}

func (t *template) put(what any, text string) {
	t.at[what] = len(t.lines)
	t.lines = append(t.lines, text)
}

func (t *template) use(what any, operands value.User) {
	for _, slot := range operands.Operands() {
		v := ir.Unwrap(*slot)
		t.users[v] = append(t.users[v], what)
	}
}

// signature is the first line of a clone's definition, before and after its
// name.
func signature(f *llir.Func, strict bool) (before, after string) {
	own := llir.NewFunc("winnow", f.Sig.RetType, slices.Clone(f.Params)...)
	own.Sig.Variadic = f.Sig.Variadic
	own.CallingConv, own.AddrSpace = f.CallingConv, f.AddrSpace
	own.ReturnAttrs, own.FuncAttrs = f.ReturnAttrs, safeAttributes(flatten(f.FuncAttrs))
	if strict {
		own.FuncAttrs = append(own.FuncAttrs, enum.FuncAttrNullPointerIsValid)
		own.ReturnAttrs = passingReturn(own.ReturnAttrs)
		for i, p := range own.Params {
			param := *p
			param.Attrs = passing(p.Attrs)
			own.Params[i] = &param
		}
	}
	text := strings.TrimPrefix(own.LLString(), "declare")
	before, after, _ = strings.Cut(text, "@winnow(")
	return "define" + before, "(" + after + " {\n"
}

// body is the text of the function with some lines replaced.
func (t *template) body(replaced map[int]string) string {
	var text strings.Builder
	for i, l := range t.lines {
		if r, ok := replaced[i]; ok {
			l = r
		}
		text.WriteString(l)
	}
	text.WriteString("}\n")
	return text.String()
}

// define is the definition of a clone with that body.
func (t *template) define(name, body string) string { return t.before + name + t.after + body }

// prefix starts the names of a mutant's new results. It is the same for all:
// equal changes then have equal texts, and need no optimiser.
const prefix = "winnow.m"

// mutate is the body of the function with a mutant's change made, and the
// globals that the change names.
func (t *template) mutate(m *mutant.Mutant) (body string, needs []string, err error) {
	code := &mutant.Code{Prefix: prefix}
	replaced := map[int]string{}
	var written string
	switch edit := m.Edit.(type) {
	case mutant.Redirect:
		term := edit.Emit(code)
		written = t.print(code) + t.terminator(term, nil)
		at, ok := t.at[edit.Term]
		if !ok {
			return "", nil, t.misplaced(m)
		}
		replaced[at] = written
	case mutant.Rewrite:
		var result value.Value
		if edit.Emit != nil {
			result = edit.Emit(code)
		}
		original, isValue := edit.Replaced().(value.Value)
		if isValue && result != nil {
			written = t.rewriteUsers(replaced, original, result)
		}
		for _, inst := range edit.Insts {
			at, ok := t.at[inst]
			if !ok {
				return "", nil, t.misplaced(m)
			}
			replaced[at] = ""
		}
		printed := t.print(code)
		replaced[t.at[edit.Insts[0]]] = printed
		written += printed
	}
	return t.body(replaced), globalsIn(written), nil
}

func (t *template) misplaced(m *mutant.Mutant) error {
	return fmt.Errorf("mutant %s changes code that is not in %s: the module is not the one it was generated from", m.ID, t.f.Ident())
}

// rewriteUsers replaces the lines that use a value by ones that use another.
func (t *template) rewriteUsers(replaced map[int]string, old, instead value.Value) string {
	with := map[value.Value]value.Value{old: instead}
	var written strings.Builder
	for _, user := range t.users[old] {
		var text string
		switch user := user.(type) {
		case llir.Instruction:
			text = t.instruction(user, with)
		case llir.Terminator:
			text = t.terminator(user, with)
		}
		replaced[t.at[user]] = text
		written.WriteString(text)
	}
	return written.String()
}

func (t *template) print(code *mutant.Code) string {
	var text strings.Builder
	for _, inst := range code.Insts {
		text.WriteString(t.instruction(inst, nil))
	}
	return text.String()
}
