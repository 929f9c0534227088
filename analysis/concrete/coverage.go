package concrete

// Coverage is the blocks that paths came to, of a function and of what it calls.
type Coverage struct {
	blocks       map[*Code][]bool
	missing, all int
}

// Coverage begins without a path.
func (c *Code) Coverage() *Coverage {
	c.within.expand()
	out := &Coverage{blocks: map[*Code][]bool{}}
	for _, code := range c.within.codes {
		out.blocks[code] = make([]bool, len(code.code.First)-1)
		out.all += len(code.code.First) - 1
	}
	out.missing = out.all
	return out
}

// Add notes a path that was traced; true when it came to a block that none before came to.
func (v *Coverage) Add(p *Path) bool {
	before := v.missing
	for code, blocks := range p.visited {
		of := v.blocks[code]
		for b, visited := range blocks {
			if visited && !of[b] {
				of[b] = true
				v.missing--
			}
		}
	}
	return v.missing < before
}

// Complete says that every block was come to.
func (v *Coverage) Complete() bool { return v.missing == 0 }

// Blocks are how many were come to, and how many there are.
func (v *Coverage) Blocks() (visited, all int) { return v.all - v.missing, v.all }
