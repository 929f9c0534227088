package operator

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// put proposes the mutants that a rule makes of a match.
func (p *Place) put(m *match, r rule.Rule) []Proposal {
	if m.custom != nil {
		return m.custom(r)
	}
	m.mart = p.mart
	with, ok := replacers[r.Replace.Fragment]
	if !ok || !m.fits(r.Match) {
		return nil
	}
	args, ok := p.bind(m, r)
	if !ok || with.Accepts != nil && !with.Accepts(p, args) || !p.mart && p.isPointless(m, with, args) {
		return nil
	}
	if m.slot >= 0 {
		return p.putConstant(m, r, with, args)
	}
	signs := m.signs
	if !with.IsSigned(len(args) > 0 && isFloat(args[0].typ())) {
		signs = signs[:1]
	}
	var out []Proposal
	for _, unsigned := range signs {
		out = append(out, p.putValue(m, with, args, unsigned))
	}
	return out
}

// typ is the type of what the match is worth.
func (m *match) typ() types.Type {
	switch {
	case m.slot >= 0:
		return m.operands[0].typ()
	case m.result != nil:
		return m.result.(value.Value).Type()
	}
	return m.operands[0].typ()
}

// bind finds the arguments of a rule's replacement; a number gets the type of
// the operand beside it.
func (p *Place) bind(m *match, r rule.Rule) ([]operand, bool) {
	args := make([]operand, len(r.Replace.Args))
	t := m.typ()
	for k, a := range r.Replace.Args {
		if a.IsOperand() {
			args[k] = m.operands[a.Operand]
			t = args[k].typ()
		}
	}
	for k, a := range r.Replace.Args {
		if a.IsOperand() {
			continue
		}
		c, ok := numberOf(a.Text, t)
		if !ok {
			return nil, false
		}
		text := p.Face.Of(c)
		if isTruth(t) {
			text = face.Text{C: a.Text, Prec: face.Primary}
		}
		args[k] = p.operandFor(c, text)
	}
	return args, true
}

// numberOf makes a constant of a number in a rule.
func numberOf(text string, t types.Type) (constant.Constant, bool) {
	switch t := t.(type) {
	case *types.PointerType:
		return constant.NewNull(t), text == "0"
	case *types.FloatType:
		x, err := strconv.ParseFloat(text, 64)
		return constant.NewFloat(t, x), err == nil
	case *types.IntType:
		x, ok := new(big.Int).SetString(strings.TrimPrefix(text, "+"), 10)
		if !ok {
			return nil, false
		}
		if t.BitSize == 1 {
			return constant.NewBool(x.Bit(0) != 0), true
		}
		return &constant.Int{Typ: t, X: x}, x.BitLen() < int(t.BitSize)
	}
	return nil, false
}

// isPointless reports mutants that are known to be the original, or to be
// another mutant of the same set, and those that no C program can say.
func (p *Place) isPointless(m *match, with Replacer, args []operand) bool {
	switch {
	case m.repeats && assignedSymbol(with.Name) == "" && with.Name != "OPERAND":
		return true // a[i++] = -a[i++]
	case with.Effect && m.compound != nil:
		return true // x = ++x has no meaning in C
	case (with.Name == "DIV" || with.Name == "MOD") && len(args) == 2 && isInteger(args[1].typ()) && isZero(args[1].value):
		return true // x > 0 as x / 0: the end of the program, as is the statement's trap
	case with.Effect && m.initial:
		return true // ++x has none before x has a value
	case m.slot < 0 && m.result == nil && !with.Effect:
		return true // nobody uses the value: the statement is deleted
	case m.slot < 0 && m.result == nil && strings.Contains(with.Name, m.otherSide()):
		return true // x++ is as ++x
	case with.Name == "OPERAND" && isInteger(args[0].typ()) && isPointer(m.typ()):
		return true // a number for an address
	}
	return false
}

// textOf renders a replacement. One of a binary operator gets the conversions of
// the operands, and of the result, that the surroundings count on, and the
// effects of the operand that is gone.
func (p *Place) textOf(m *match, with Replacer, args []operand) face.Text {
	position := 0
	if len(args) > 0 {
		position = args[0].position
	}
	if position == 0 || with.Name == "OPERAND" {
		return with.Text(p, args)
	}
	shown := slices.Clone(args)
	if with.Result == ofFirst || with.Result == ofMagnitude {
		shown[0].text = shown[0].entering
	}
	text := with.Text(p, shown)
	if len(args) == 1 {
		text = p.Face.Beside(p.Inst, position-1, text)
	}
	switch with.Result {
	case ofTruth:
		text = p.Face.Fit(p.Inst, -1, text)
	case ofMagnitude:
		if t, ok := args[0].typ().(*types.IntType); ok && t.BitSize <= 32 {
			text = p.Face.Fit(p.Inst, -1, text)
		}
	case ofVariable:
		text = p.Face.Fit(p.Inst, position-1, text)
	}
	return text
}

// isFollowed reports an address through which something is read or reached.
func (fn *function) isFollowed(v value.Value) bool {
	for _, user := range fn.users[v] {
		switch u := user.(type) {
		case *llir.InstGetElementPtr:
			return true
		case *llir.InstLoad:
			return true
		case *llir.InstStore:
			if u.Dst == v {
				return true
			}
		case *llir.InstCall:
			if u.Callee == v {
				return true
			}
		}
	}
	return false
}

// otherSide is where a ++ or -- of which nobody uses the value is not put: on
// the side on which none is written.
func (m *match) otherSide() string {
	if m.postfix {
		return "LEFT"
	}
	return "RIGHT"
}

// putValue replaces the value of a match.
func (p *Place) putValue(m *match, with Replacer, args []operand, unsigned bool) Proposal {
	text := p.textOf(m, with, args)
	out := Proposal{Original: m.text, Replacement: p.written(m, with, args, text), at: m.at, touched: m.touched}
	if with.Name == "CONSTVAL" {
		if _, isNull := args[0].value.(*constant.Null); isNull {
			v := m.result.(value.Value)
			out.Replacement = p.Face.Null(v, p.fn.isFollowed(v))
		}
		out.Replacement = p.afterEffects(m, out.Replacement)
	}
	out.Edit = mutant.Rewrite{Insts: m.run, Result: m.joined(), Emit: func(c *mutant.Code) value.Value {
		e := newEmitter(c, m, unsigned)
		if m.result == nil {
			if with.Name != "OPERAND" && with.Name != "CONSTVAL" {
				e.convert(with.Emit(e, args), m.typ())
			}
			return nil
		}
		return e.convert(with.Emit(e, args), m.typ())
	}}
	return out
}

// joined is the value that a longer run leaves.
func (m *match) joined() llir.Instruction {
	if len(m.run) == 1 {
		return nil
	}
	return m.result
}

// written renders a replacement in the place of the match.
func (p *Place) written(m *match, with Replacer, args []operand, text face.Text) face.Text {
	if m.without != nil && !slices.ContainsFunc(args, func(a operand) bool { return a.value == m.operands[1].value }) {
		text = m.without(text) // ++x for x = f()
	}
	switch {
	case m.compound != nil:
		if symbol := assignedSymbol(with.Name); symbol != "" && args[0].text == m.compound.Left && args[1].text == m.compound.Right {
			return face.Assigned{Left: m.compound.Left, Op: symbol}.With(m.compound.Right)
		}
		return face.Assigned{Left: m.compound.Left, Op: "="}.With(text)
	case m.result != nil && isTruth(m.typ()) && !m.tested && !isTruthValue(with.Name, args):
		return face.Binary(text, "!=", face.Text{C: "0", Prec: face.Primary})
	case m.write != nil:
		return m.write(text)
	}
	return text
}

// assignedSymbol is the compound assignment of an operator, or "".
func assignedSymbol(name string) string {
	for _, family := range [][]fragment{arithmeticFragments, bitwiseFragments} {
		for _, f := range family {
			if f.name == name {
				return f.symbol + "="
			}
		}
	}
	return ""
}

// isTruthValue reports a replacement that is 0 or 1 by itself.
func isTruthValue(name string, args []operand) bool {
	switch name {
	case "EQ", "NEQ", "LT", "GT", "LE", "GE", "PEQ", "PNEQ", "PLT", "PGT", "PLE", "PGE", "NOT", "CONSTVAL":
		return true
	}
	return name == "OPERAND" && isTruth(args[0].typ())
}

// afterEffects renders a text behind the effects of what it replaces.
func (p *Place) afterEffects(m *match, text face.Text) face.Text {
	if m.compound == nil && len(m.run) == 1 && m.result != nil && isTruth(m.typ()) {
		return p.Face.AfterEffects(m.result, text)
	}
	return text
}

// putConstant replaces one constant.
func (p *Place) putConstant(m *match, r rule.Rule, with Replacer, args []operand) []Proposal {
	old := asConstant(m.operands[0].value)
	folded, isFolded := fold(with.Name, args)
	if isFolded && isSame(folded, old) {
		return nil
	}
	if i, ok := folded.(*constant.Int); ok && isFolded && !p.mart && i.X.BitLen() >= int(i.Typ.BitSize) {
		return nil
	}
	var user any = p.Inst
	if p.Inst == nil {
		user = p.Term
	}
	instead := with.Text(p, args)
	if isFolded {
		instead = p.numberText(user, m.slot, change{neighbourOf(r), folded})
	}
	emit := func(e *emitter) value.Value {
		if isFolded {
			return folded
		}
		return e.convert(with.Emit(e, args), m.typ())
	}
	if ret, ok := p.Term.(*llir.TermRet); ok {
		return []Proposal{{
			Original: returnText(p.Face.Returned(ret, old)), Replacement: returnText(instead),
			Edit: mutant.Redirect{Term: ret, Emit: func(c *mutant.Code) llir.Terminator {
				twin := *ret
				twin.X = emit(newEmitter(c, m, false))
				return &twin
			}},
		}}
	}
	inst := p.Inst
	original, replacement := p.withNumber(m.slot, old, instead)
	return []Proposal{{
		Original: original, Replacement: replacement,
		Edit: mutant.Rewrite{Insts: m.run, Emit: func(c *mutant.Code) value.Value {
			v := emit(newEmitter(c, m, false))
			twin := mutant.CopyOf(inst)
			mutant.DropPromises(twin)
			slot := operandsOf(twin)[m.slot]
			if arg, ok := (*slot).(*llir.Arg); ok {
				slot = &arg.Value
			}
			*slot = v
			result, _ := mutant.Add(c, twin).(value.Value)
			return result
		}},
	}}
}

// neighbourOf names the changes that are written without computing: 'a' + 1.
func neighbourOf(r rule.Rule) string {
	switch r.Replace.Fragment {
	case "ADD":
		for _, a := range r.Replace.Args {
			switch a.Text {
			case "1":
				return "SUCC"
			case "-1":
				return "PRED"
			}
		}
	}
	return r.Replace.Fragment
}

// fold computes a replacement of numbers.
func fold(name string, args []operand) (constant.Constant, bool) {
	if len(args) == 0 {
		return nil, false
	}
	x := asConstant(args[0].value)
	if x == nil {
		return nil, false
	}
	switch name {
	case "CONSTVAL", "OPERAND":
		return x, true
	case "NEG", "SUCC", "PRED":
		return computed(name, x, nil)
	case "ADD", "SUB", "MUL":
		return computed(name, x, asConstant(args[1].value))
	}
	return nil, false
}

func computed(name string, x, y constant.Constant) (constant.Constant, bool) {
	switch x := x.(type) {
	case *constant.Int:
		if x.Typ.BitSize == 1 {
			return nil, false
		}
		z := new(big.Int)
		second, _ := y.(*constant.Int)
		switch name {
		case "NEG":
			z.Neg(x.X)
		case "SUCC":
			z.Add(x.X, big.NewInt(1))
		case "PRED":
			z.Sub(x.X, big.NewInt(1))
		case "ADD":
			z.Add(x.X, second.X)
		case "SUB":
			z.Sub(x.X, second.X)
		case "MUL":
			z.Mul(x.X, second.X)
		}
		return &constant.Int{Typ: x.Typ, X: wrapped(z, x.Typ.BitSize)}, true
	case *constant.Float:
		a, _ := x.X.Float64()
		b := 1.0
		if second, ok := y.(*constant.Float); ok {
			b, _ = second.X.Float64()
		}
		switch name {
		case "NEG":
			a = -a
		case "SUCC", "ADD":
			a += b
		case "PRED", "SUB":
			a -= b
		case "MUL":
			a *= b
		}
		return constant.NewFloat(x.Typ, a), true
	}
	return nil, false
}

// wrapped brings a number back into the range of its type, as the machine does.
func wrapped(z *big.Int, bits uint64) *big.Int {
	if z.BitLen() <= int(bits) && (z.Sign() >= 0 || z.BitLen() < int(bits)) {
		return z
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(z, modulus)
}

func isZero(v value.Value) bool { return v != nil && isInt(ir.Unwrap(v), 0) }

func isSame(x, y constant.Constant) bool { return x != nil && y != nil && x.String() == y.String() }
