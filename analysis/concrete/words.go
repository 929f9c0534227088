package concrete

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/inputs"
)

// Words are the constants of comparisons and of switches in all that the first function of
// a program may come to: what it draws of its input is made of them.
func (c *Code) Words() *inputs.Words {
	p := c.within
	if p.words != nil {
		return p.words
	}
	p.expand() // whichever path comes to what is called
	p.words = &inputs.Words{}
	queue := []*Code{p.root}
	seen := map[*Code]bool{p.root: true}
	for ; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		for i := range c.code.Items {
			switch inst := c.code.Items[i].Node().(type) {
			case *llir.InstICmp:
				p.addWord(inst.X)
				p.addWord(inst.Y)
			case *llir.TermSwitch:
				for _, k := range inst.Cases {
					p.addWord(k.X)
				}
			}
			p.addTexts(&c.ops[i])
			if f := c.ops[i].Callee; f != nil {
				of, _ := p.linked(f).(*llir.Func)
				if next := p.codes[of]; next != nil && !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return p.words
}

func (p *program) addWord(v any) {
	if k, ok := v.(*constant.Int); ok && k.Typ.BitSize >= 8 && k.X.IsInt64() {
		p.words.Add(k.X.Int64())
	}
}

// addTexts notes the constant texts that a call of the library names, if it compares.
func (p *program) addTexts(o *operation) {
	if !o.Library.Has(libc.Compares) {
		return
	}
	for _, a := range o.args[1:] {
		if a.kind != word || a.x < firstGlobal {
			continue
		}
		g := p.global(a.x)
		if g == nil || !g.known || !g.constant {
			continue
		}
		var text []byte
		for at := a.x & (1<<symbolBits - 1); int8(g.bits(at, 1)) > ' ' && len(text) < longestText; at++ {
			text = append(text, byte(g.bits(at, 1)))
		}
		p.words.AddText(string(text))
	}
}
