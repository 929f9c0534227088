package concrete

// straight runs operations that have a quick form, up to one that has none, to where a
// change begins, or to the limit. It does what next, step and run do with them. Of numbers that
// a type does not hold, which a path with a Transcript has to say that it guesses, it leaves the
// operation to step. Three in four instructions of trials are run here, in
// one function so that what is at hand stays in registers.
func (p *Path) straight(f *frame) {
	code, regs, computed, number, stop := f.code.quick, f.regs, f.computed, f.number, f.stop
	at, steps, limit, careful := f.at, p.steps, p.limit, p.Transcript != nil
	var visited []bool
	if p.Trace {
		visited = p.visited[f.code]
	}
loop:
	for steps < limit && at != stop && uint(at) < uint(len(code)) {
		q := &code[at]
		x, y := q.x, q.y
		if q.fromX == ofItem && !p.behind {
			x = regs[x]
		} else if q.fromX != itself {
			var ok bool
			if x, ok = p.operand(f, q.fromX, x); !ok {
				break loop
			}
		}
		if q.fromY == ofItem && !p.behind {
			y = regs[y]
		} else if q.fromY != itself {
			var ok bool
			if y, ok = p.operand(f, q.fromY, y); !ok {
				break loop
			}
		}
		var z int64
		switch q.code {
		case quickSkip:
			at++
			steps++
			continue
		case quickLoadSlot:
			if computed[q.plus] != number {
				break loop
			}
			z = regs[q.plus]
		case quickStoreSlot:
			regs[q.plus], computed[q.plus] = x, number
			at++
			steps++
			continue
		case quickLoad:
			if nearNull(x) {
				break loop
			}
			z = p.read(x, q.as, q.size)
		case quickStore:
			if nearNull(x) {
				break loop
			}
			p.store(x, y, q.as, q.size)
			at++
			steps++
			continue
		case quickAddress:
			z = x + q.plus + q.scale*y
		case quickEqual:
			z = boolWord(x == y)
		case quickDiffers:
			z = boolWord(x != y)
		case quickLess:
			z = boolWord(x < y)
		case quickAtMost:
			z = boolWord(x <= y)
		case quickBelow:
			z = boolWord(uint64(x)<<(q.shift&63) < uint64(y)<<(q.shift&63))
		case quickNotAbove:
			z = boolWord(uint64(x)<<(q.shift&63) <= uint64(y)<<(q.shift&63))
		case quickAdd:
			if z = (x + y) << (q.shift & 63) >> (q.shift & 63); careful && (x^z)&(y^z) < 0 {
				break loop
			}
		case quickSub:
			if z = (x - y) << (q.shift & 63) >> (q.shift & 63); careful && (x^y)&(x^z) < 0 {
				break loop
			}
		case quickMul:
			if z = (x * y) << (q.shift & 63) >> (q.shift & 63); careful && (z != x*y || q.shift < 32) {
				break loop
			}
		case quickSDiv:
			if y == 0 {
				break loop
			}
			z = (x / y) << (q.shift & 63) >> (q.shift & 63)
		case quickSRem:
			if y == 0 {
				break loop
			}
			z = (x % y) << (q.shift & 63) >> (q.shift & 63)
		case quickAnd:
			z = (x & y) << (q.shift & 63) >> (q.shift & 63)
		case quickOr:
			z = (x | y) << (q.shift & 63) >> (q.shift & 63)
		case quickXor:
			z = (x ^ y) << (q.shift & 63) >> (q.shift & 63)
		case quickKeep:
			z = x
		case quickUnsigned:
			z = int64(uint64(x) << (q.shift & 63) >> (q.shift & 63))
		case quickTruncate:
			z = x << (q.shift & 63) >> (q.shift & 63)
		case quickToFloat:
			z = floatWord(float64(x))
		case quickAddFloats:
			z = floatWord(wordFloat(x) + wordFloat(y))
		case quickSubFloats:
			z = floatWord(wordFloat(x) - wordFloat(y))
		case quickMulFloats:
			z = floatWord(wordFloat(x) * wordFloat(y))
		case quickDivFloats:
			z = floatWord(wordFloat(x) / wordFloat(y))
		case quickJump:
			f.from, at = int(q.to), int(q.then)
			steps++
			if visited != nil {
				visited[f.code.code.Items[at].Block] = true
			}
			continue
		case quickBranch:
			f.from, at = int(q.to), int(q.otherwise)
			if x != 0 {
				at = int(q.then)
			}
			steps++
			if visited != nil {
				visited[f.code.code.Items[at].Block] = true
			}
			continue
		default:
			break loop
		}
		regs[q.to], computed[q.to] = z, number
		at++
		steps++
	}
	f.at, p.steps = at, steps
}

// operand reads what an operand of a quick operation is; false where it is drawn.
func (p *Path) operand(f *frame, where from, x int64) (int64, bool) {
	switch where {
	case ofItem, ofFarBlock:
		return f.regs[x], f.ran(int(x))
	case ofFrame:
		return x + f.base, true
	}
	if x >= int64(len(f.args)) {
		return 0, false
	}
	return f.args[x], true
}
