package tce

import (
	"fmt"
	"io"
	"slices"
	"strconv"
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
	// entry is the function's first block, succs says which blocks come after an end.
	entry *llir.Block
	succs func(llir.Terminator) []*llir.Block
	// window is the part of the function that is printed; nil for all of it.
	window *window
	// before and after are the first line, around the function's name; kind is
	// the type of a pointer to it.
	before, after, kind string
	// lines are the texts of the body: a block's label, its instructions and
	// its terminator.
	lines []string
	// at is the line of an instruction, a block's terminator or a label.
	at map[any]int
	// in is the block of an instruction or terminator.
	in map[any]*llir.Block
	// users are the instructions and terminators that use a value.
	users map[value.Value][]any
	// reached are the blocks that control can come to, once somebody asks.
	reached map[*llir.Block]bool
	// needs are the globals that the body names, size is its length.
	needs []string
	size  int
}

// newTemplate prints a function, or fails for one that cannot be moved to
// another module by its text.
func newTemplate(f *llir.Func, p *printer) (*template, error) {
	t := &template{printer: p, f: f, entry: f.Blocks[0], succs: llir.Terminator.Succs, at: map[any]int{}, in: map[any]*llir.Block{}, users: map[value.Value][]any{}}
	t.before, t.after, t.kind = signature(f, p.strict())
	t.fill(f.Blocks)
	return t, t.finish()
}

// fill adds the text of blocks.
func (t *template) fill(blocks []*llir.Block) {
	for _, b := range blocks {
		t.put(b, b, strings.TrimPrefix(b.Ident(), "%")+":\n")
		for _, inst := range b.Insts {
			t.put(inst, b, t.code(inst, b, nil, t.tag()))
			t.use(inst, inst)
		}
		t.put(b.Term, b, t.code(b.Term, b, nil, t.tag()))
		t.use(b.Term, b.Term)
	}
}

// tag is a name of its own for the next line.
func (t *template) tag() string { return strconv.Itoa(len(t.lines)) }

// finish notes what the text needs, and fails for what cannot be seen through.
func (t *template) finish() error {
	body := strings.Join(t.lines, "")
	if strings.Contains(body, "blockaddress(") {
		return &opaqueError{hiddenLabels}
	}
	t.needs, t.size = globalsIn(t.before+t.after+body), len(body)
	return t.check(t.needs)
}

// check fails for names that cannot be seen through.
func (t *template) check(names []string) error {
	if why := t.header.hidden(names); why != "" {
		return &opaqueError{why}
	}
	return nil
}

func (t *template) put(what any, b *llir.Block, text string) {
	t.at[what], t.in[what] = len(t.lines), b
	t.lines = append(t.lines, text)
}

func (t *template) use(what any, operands value.User) {
	for _, slot := range operands.Operands() {
		v := ir.Unwrap(*slot)
		t.users[v] = append(t.users[v], what)
	}
}

// signature is the first line of a clone's definition, before and after its
// name, and the type of a pointer to it. More parameters follow the function's
// own. Nobody but the table of clones knows a clone, so that it can be merged
// with another.
func signature(f *llir.Func, strict bool, more ...*llir.Param) (before, after, kind string) {
	own := llir.NewFunc("winnow", f.Sig.RetType, slices.Concat(f.Params, more)...)
	own.Sig.Variadic = f.Sig.Variadic
	own.Linkage, own.UnnamedAddr = enum.LinkageInternal, enum.UnnamedAddrUnnamedAddr
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
	return "define" + before, "(" + after + " ", own.Type().String()
}

// body is the text of the function with some lines replaced.
func (t *template) body(replaced map[int]string) string {
	var text strings.Builder
	size := t.size + len("}\n")
	for _, r := range replaced {
		size += len(r)
	}
	text.Grow(size)
	for i, l := range t.lines {
		if r, ok := replaced[i]; ok {
			l = r
		}
		text.WriteString(l)
	}
	text.WriteString("}\n")
	return text.String()
}

// define writes the definition of a clone with that body. Functions with different
// attributes are not merged, so that a clone is merged within its unit only.
func (t *template) define(to io.StringWriter, name, unit, body string) {
	for _, part := range []string{t.before, name, t.after, strconv.Quote("winnow"), "=", strconv.Quote(unit), " {\n", body} {
		to.WriteString(part) // to memory, which does not fail
	}
}

// prefix starts the names of a mutant's new results. It is the same for all:
// equal changes then have equal texts, and need no optimiser.
const prefix = "winnow.m"

// mutate is the body of the function with a mutant's change made, and the
// globals that the change names. It fails with an opaqueError where the change
// cannot be seen through.
func (t *template) mutate(m *mutant.Mutant) (body string, needs []string, err error) {
	code := &mutant.Code{Prefix: prefix}
	replaced := map[int]string{}
	var written string
	at := t.in[placeOf(m)]
	if at == nil {
		return "", nil, t.misplaced(m)
	}
	switch edit := m.Edit.(type) {
	case mutant.Redirect:
		term := edit.Emit(code)
		if why := t.opaqueEnd(term, lastIn(code.Insts)); why != "" {
			return "", nil, &opaqueError{why}
		}
		written = t.print(code, at) + t.code(term, at, nil, "m.end")
		replaced[t.at[edit.Term]] = written
	case mutant.Rewrite:
		var result value.Value
		if edit.Emit != nil {
			result = edit.Emit(code)
		}
		if why := t.opaqueChange(edit, at, code.Insts); why != "" {
			return "", nil, &opaqueError{why}
		}
		printed := t.print(code, at)
		original, isValue := edit.Replaced().(value.Value)
		if isValue && result != nil {
			var text strings.Builder
			if t.window != nil && t.window.isElsewhere(result, at) {
				result = t.fetch(&text, result, "m.result")
			}
			if t.window != nil && t.window.shared[original] {
				t.keep(&text, original, result)
			}
			printed += text.String()
			written = t.rewriteUsers(replaced, original, result)
		}
		for _, inst := range edit.Insts {
			k, ok := t.at[inst]
			if !ok {
				return "", nil, t.misplaced(m)
			}
			replaced[k] = ""
		}
		replaced[t.at[edit.Insts[0]]] = printed
		written += printed
	}
	needs = globalsIn(written)
	return t.body(replaced), needs, t.check(needs)
}

func (t *template) misplaced(m *mutant.Mutant) error {
	return fmt.Errorf("mutant %s changes code that is not in %s: the module is not the one it was generated from", m.ID, t.f.Ident())
}

// rewriteUsers replaces the lines that use a value by ones that use another.
func (t *template) rewriteUsers(replaced map[int]string, old, instead value.Value) string {
	with := map[value.Value]value.Value{old: instead}
	var written strings.Builder
	for _, user := range t.users[old] {
		b := t.in[user]
		if t.window != nil && t.window.isElsewhere(old, b) {
			continue // it reads what the register's memory holds
		}
		text := t.code(user.(value.User), b, with, strconv.Itoa(t.at[user]))
		replaced[t.at[user]] = text
		written.WriteString(text)
	}
	return written.String()
}

func (t *template) print(code *mutant.Code, b *llir.Block) string {
	var text strings.Builder
	for i, inst := range code.Insts {
		text.WriteString(t.code(inst.(value.User), b, nil, "m."+strconv.Itoa(i)))
	}
	return text.String()
}
