package operator

import (
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// literal changes numbers: plus and minus one, 0, 1 and negated (CRCR).
var literal = Operator{
	Name: "literal",
	Doc:  "changes a number: `n + 10` becomes `n + 11`, `n + 9`, `n + 0`, `n + 1`, `n + -10`",
	Match: func(p *Place) []Proposal {
		if ret, ok := p.Term.(*llir.TermRet); ok && ret.X != nil {
			return p.returned(ret)
		}
		var out []Proposal
		for k, number := range p.writtenNumbers() {
			if number != nil {
				out = append(out, p.numbers(k, number)...)
			}
		}
		return out
	},
}

// writtenNumbers returns, by operand, the constants of the place's instruction
// that stand in the C source.
func (p *Place) writtenNumbers() []constant.Constant {
	if p.Inst == nil {
		return nil
	}
	operands := operandsOf(p.Inst)
	out := make([]constant.Constant, len(operands))
	keep := func(k int) {
		switch c := ir.Unwrap(*operands[k]).(type) {
		case *constant.Int:
			if c.Typ.BitSize > 1 {
				out[k] = c
			}
		case *constant.Float:
			out[k] = c
		}
	}
	switch i := p.Inst.(type) {
	case *llir.InstICmp:
		if !isTruthTest(i) && !isLogicalNot(i) {
			keep(0)
			keep(1)
		}
	case *llir.InstFCmp:
		keep(0)
		keep(1)
	case *llir.InstStore:
		if slot, ok := i.Dst.(*llir.InstAlloca); !ok || !isPhiSlot(slot) {
			keep(0)
		}
	case *llir.InstCall:
		if !isIntrinsic(i) {
			for k := 1; k < len(operands); k++ {
				keep(k)
			}
		}
	case *llir.InstGetElementPtr:
		if strings.HasPrefix(i.Name(), "arrayidx") || strings.HasPrefix(i.Name(), "add.ptr") {
			keep(len(operands) - 1)
		}
	default:
		if _, _, ok := p.writtenBinary(); ok {
			keep(0)
			keep(1)
		}
	}
	return out
}

// change is one replacement of a number.
type change struct {
	replacer string
	number   constant.Constant
}

// changesOf lists the replacements of a number that differ from it and from
// each other.
func changesOf(c constant.Constant) []change {
	if f, ok := c.(*constant.Float); ok {
		return floatChanges(f)
	}
	n := c.(*constant.Int)
	candidates := []struct {
		replacer string
		x        *big.Int
	}{
		{"SUCC", new(big.Int).Add(n.X, big.NewInt(1))},
		{"PRED", new(big.Int).Sub(n.X, big.NewInt(1))},
		{"CONSTVAL", big.NewInt(0)},
		{"CONSTVAL", big.NewInt(1)},
		{"NEG", new(big.Int).Neg(n.X)},
	}
	seen := map[string]bool{n.X.String(): true}
	var out []change
	for _, k := range candidates {
		if seen[k.x.String()] || k.x.BitLen() >= int(n.Typ.BitSize) {
			continue
		}
		seen[k.x.String()] = true
		out = append(out, change{k.replacer, &constant.Int{Typ: n.Typ, X: k.x}})
	}
	return out
}

func floatChanges(f *constant.Float) []change {
	x, _ := f.X.Float64()
	var out []change
	seen := map[float64]bool{x: true}
	for _, k := range []struct {
		replacer string
		x        float64
	}{{"SUCC", x + 1}, {"PRED", x - 1}, {"CONSTVAL", 0}, {"CONSTVAL", 1}, {"NEG", -x}} {
		if !seen[k.x] {
			seen[k.x] = true
			out = append(out, change{k.replacer, constant.NewFloat(f.Typ, k.x)})
		}
	}
	return out
}

// numbers proposes the changes of the operand at k.
func (p *Place) numbers(k int, c constant.Constant) []Proposal {
	inst := p.Inst
	var out []Proposal
	for _, ch := range changesOf(c) {
		original, replacement := p.withNumber(k, c, ch.number)
		out = append(out, Proposal{
			Matcher: "C", Replacer: ch.replacer, Original: original, Replacement: replacement,
			Edit: mutant.Rewrite{Insts: []llir.Instruction{inst}, Emit: func(c *mutant.Code) value.Value {
				twin := c.Copy(inst)
				slot := operandsOf(twin)[k]
				if arg, ok := (*slot).(*llir.Arg); ok {
					arg.Value = ch.number
				} else {
					*slot = ch.number
				}
				result, _ := twin.(value.Value)
				return result
			}},
		})
	}
	return out
}

// withNumber renders the instruction as it is and with another number.
func (p *Place) withNumber(k int, old, instead constant.Constant) (original, replacement face.Text) {
	r := p.Face
	text := func(n int, v value.Value) face.Text {
		if n == k {
			return r.Of(instead)
		}
		return r.Operand(p.Inst, n, v)
	}
	switch i := p.Inst.(type) {
	case *llir.InstICmp:
		symbol := face.ComparisonSymbol(i.Pred.String())
		return r.Of(i), face.Binary(text(0, i.X), symbol, text(1, i.Y))
	case *llir.InstFCmp:
		symbol := face.ComparisonSymbol(i.Pred.String())
		return r.Of(i), face.Binary(text(0, i.X), symbol, text(1, i.Y))
	case *llir.InstStore:
		target := r.At(i.Dst).In(face.Unary) + " = "
		if slot, ok := i.Dst.(*llir.InstAlloca); ok && p.fn.isReturnSlot(slot) {
			target = "return "
		}
		if written, ok := r.Written(i); ok && target != "return " {
			if left, _, found := strings.Cut(written.C, "="); found {
				return written, face.Text{C: left + "= " + r.Of(instead).C, Prec: face.Assignment}
			}
		}
		return face.Text{C: target + r.Of(old).C, Prec: face.Assignment}, face.Text{C: target + r.Of(instead).C, Prec: face.Assignment}
	case *llir.InstCall:
		args := make([]face.Text, len(i.Args))
		for n, a := range i.Args {
			args[n] = text(n+1, a)
		}
		name, _, _ := strings.Cut(r.Of(i).C, "(")
		return r.Of(i), face.Call(name, args...)
	case *llir.InstGetElementPtr:
		twin := mutant.CopyOf(i).(*llir.InstGetElementPtr)
		twin.Indices[len(twin.Indices)-1] = instead
		return r.At(i), r.At(twin)
	}
	if x, y, ok := face.Operands(p.Inst); ok {
		if left, right, ok := r.Compound(p.Inst); ok {
			target := left.C + " " + face.Symbol(p.Inst) + "= "
			return face.Text{C: target + right.C, Prec: face.Assignment}, face.Text{C: target + r.Of(instead).C, Prec: face.Assignment}
		}
		return r.Of(p.Inst.(value.Value)), face.Binary(text(0, x), face.Symbol(p.Inst), text(1, y))
	}
	return r.Of(old), r.Of(instead)
}

// returned changes the number of a return statement.
func (p *Place) returned(ret *llir.TermRet) []Proposal {
	var c constant.Constant
	switch x := ret.X.(type) {
	case *constant.Int:
		c = x
	case *constant.Float:
		c = x
	default:
		return nil
	}
	var out []Proposal
	for _, ch := range changesOf(c) {
		out = append(out, Proposal{
			Matcher: "C", Replacer: ch.replacer,
			Original:    face.Text{C: "return " + p.Face.Of(c).C, Prec: face.Primary},
			Replacement: face.Text{C: "return " + p.Face.Of(ch.number).C, Prec: face.Primary},
			Edit: mutant.Redirect{Term: ret, Emit: func(*mutant.Code) llir.Terminator {
				twin := *ret
				twin.X = ch.number
				return &twin
			}},
		})
	}
	return out
}
