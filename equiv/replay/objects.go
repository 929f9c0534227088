package replay

import (
	"bytes"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// ObjectCalls are calls of a function whose arguments, and the objects that these lead to, are made by
// their C types, as debug information has them: what a unit test would set up. Situations in which the
// function comes to new blocks are varied in turn. The program may never make such a call.
type ObjectCalls struct {
	name           string
	ops            *op.Function
	root           *concrete.Code
	result, params *ctype
	calls          []objectCall
	path           concrete.Path
	runs           int
}

// objectCall is a call, with what the original comes to.
type objectCall struct {
	with   *situation
	was    outcome
	visits concrete.Visits
}

const (
	// drawnSituations are made, and variedSituations of those that come to new blocks.
	drawnSituations, variedSituations = 200, 600
	// mostOfBlocks are kept of those that come to the same blocks.
	mostOfBlocks = 12
	// callSteps bounds a call, mutantCall one of a mutant, and endlessCall one of a mutant that is said not
	// to end.
	callSteps, mutantCall, endlessCall = 4_000, 10_000, 100_000
	// callRuns bounds what is run to make the call that tells a mutant simple.
	callRuns = 400
)

// ObjectCallsOf makes calls of a function of a library that module lowers. It is nil where the function's
// type is not known, or is one that no call is made for: of structures as they are, and of any number of
// arguments; and of main, which is given inputs. Of libraries of more items than an exact path has
// (concrete.Exact), what is known of a function's callees depends on which functions were asked for before.
func ObjectCallsOf(f *llir.Func, module *op.Module, library *concrete.Library) *ObjectCalls {
	result, params, ok := signature(f)
	if !ok || f.Sig.Variadic || len(f.Blocks) == 0 || f.Name() == "main" {
		return nil
	}
	r := &ObjectCalls{name: f.Name(), ops: module.Function(f), root: library.Function(f), result: result, params: params}
	m := maker{random: stream.New(0, "calls of a function"), words: r.root.Words(), params: params}
	covered, alike := r.root.Coverage(), map[uint64]int{}
	var vary []*situation
	r.path.Trace = true
	add := func(s *situation) {
		was, ok := r.run(s, nil, callSteps)
		if !ok || was.end == crashes || was.end == endlessly {
			return
		}
		visits := r.path.Visits()
		isNew := covered.Add(&r.path)
		if isNew {
			vary = append(vary, s)
		}
		if h := visits.Hash(); alike[h] < mostOfBlocks {
			alike[h]++
			r.calls = append(r.calls, objectCall{s, was, visits})
		}
	}
	for range drawnSituations {
		add(m.draw())
	}
	for n := 0; n < variedSituations && len(vary) > 0; n++ {
		add(m.vary(vary[m.random.IntN(len(vary))]))
	}
	r.path.Trace = false
	return r
}

// ending is how a call ends.
type ending uint8

const (
	returns ending = iota
	exits
	crashes
	endlessly
)

// outcome is what a call comes to: how it ends, what it returns and prints, and what it leaves in the
// objects that it found, nil in one that it gave back. isText says that it returns the address of a text, and
// made is a structure that it made and returns the address of.
type outcome struct {
	end     ending
	value   int64
	text    string
	isText  bool
	made    []byte
	known   []bool // of made
	printed string
	left    [][]byte
}

// run calls the function; false where the interpreter had to guess.
func (r *ObjectCalls) run(s *situation, change *concrete.Change, limit int) (outcome, bool) {
	var transcript concrete.Transcript
	r.path.Transcript = &transcript
	args, objects := s.given(r.root)
	r.root.AlongObjects(&r.path, args, objects, change, limit)
	r.runs++
	out := outcome{end: endlessly, printed: string(transcript.Printed)}
	switch {
	case r.path.Guessed:
		return out, false
	case r.path.Trapped:
		out.end = crashes
	case r.path.Exited():
		out.end = exits
	case r.path.Returned:
		out.end, out.value = returns, r.path.Value()
		if t := r.result; t.class == address {
			switch t.to.class {
			case character:
				out.text, out.isText = r.path.TextAt(out.value)
			case structure:
				out.made, out.known = r.path.Fresh(out.value, t.to.size)
			}
		}
		for k := range s.objects {
			if r.path.Freed(k) {
				out.left = append(out.left, nil)
				continue
			}
			out.left = append(out.left, r.path.Left(k, len(s.objects[k].bytes)))
		}
	}
	return out, true
}

// Tell is a call that tells a change of the function, as smt.ChangeOf makes it of what the module lowers,
// from the original, and what both come to, as a sentence, "" where none is found; and a unit test that
// the original passes and the mutant fails, as statements of C, if that can be written.
func (r *ObjectCalls) Tell(c *execute.Change) (sentence, test string) {
	s, change, by := r.tell(c)
	if s == nil {
		return "", ""
	}
	was, _ := r.run(s, nil, callSteps)
	is, _ := r.run(s, change, mutantCall)
	return r.sentence(s, by), r.unitTest(s, &was, &is, by)
}

func (r *ObjectCalls) sentence(s *situation, by difference) string {
	return r.name + "(" + s.arguments() + ") " + by.text
}

// tell finds the call; nil for none.
func (r *ObjectCalls) tell(c *execute.Change) (*situation, *concrete.Change, difference) {
	if c == nil {
		return nil, nil, difference{}
	}
	block := r.ops.Code.Items[c.At].Block
	scratch, ok := r.root.Scratch(c.Code, c.Value, block)
	if !ok {
		return nil, nil, difference{}
	}
	change := &concrete.Change{In: r.root, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
	var best *objectCall
	var by difference
	for k := range r.calls {
		one := &r.calls[k]
		if !one.visits.Has(r.root, block) {
			continue
		}
		if d := r.differs(one.with, &one.was, change); d.text != "" && (best == nil || d.kind < by.kind || d.kind == by.kind && !one.with.isHuge() && best.with.isHuge()) {
			if best, by = one, d; d.kind == returning && !one.with.isHuge() {
				break
			}
		}
	}
	if best == nil {
		return nil, nil, by
	}
	s, by := r.simpler(best.with, change, by)
	if by.kind == notEnding {
		if is, ok := r.run(s, change, endlessCall); !ok || is.end != endlessly {
			return nil, nil, by
		}
	}
	return s, change, by
}

// differs is what a change does in a situation that the original does not.
func (r *ObjectCalls) differs(s *situation, was *outcome, change *concrete.Change) difference {
	is, ok := r.run(s, change, mutantCall)
	if !ok {
		return difference{}
	}
	return r.difference(s, was, &is)
}

// simpler is a situation that tells a change as well with more that is 0: people read it.
func (r *ObjectCalls) simpler(s *situation, change *concrete.Change, by difference) (*situation, difference) {
	r.runs = 0
	tells := func(other *situation) bool {
		if r.runs > callRuns {
			return false
		}
		was, ok := r.run(other, nil, callSteps)
		if !ok || was.end == crashes || was.end == endlessly {
			return false
		}
		d := r.differs(other, &was, change)
		if d.text == "" || d.kind > by.kind {
			return false
		}
		s, by = other, d
		return true
	}
	for again := true; again; {
		again = false
		for k := 0; k < len(s.leaves()); k++ {
			for _, other := range s.simplerAt(k) {
				if tells(other) {
					again = r.runs <= callRuns
					break
				}
			}
		}
	}
	return s, by
}

// simplerAt are situations in which one leaf is simpler, the simplest first.
func (s *situation) simplerAt(k int) (out []*situation) {
	l := s.leaves()[k]
	old := s.objects[l.object].bytes[l.at : l.at+l.size]
	set := func(b []byte) {
		if other := s.clone(); !bytes.Equal(b, old) {
			clear(other.objects[l.object].bytes[l.at : l.at+l.size])
			copy(other.objects[l.object].bytes[l.at:], b)
			out = append(out, other)
		}
	}
	switch l.is.class {
	case address:
		if _, leads := s.objects[l.object].links[l.at]; leads {
			other := s.clone()
			delete(other.objects[l.object].links, l.at)
			out = append(out, other.pruned())
		}
	case character:
		set(nil)
		if l.size == 1 && old[0] > 2 && !l.is.signed { // which may be no character
			set([]byte{1})
			set([]byte{2})
		}
		if n := len(strings.TrimRight(string(old), "\x00")); n > 1 {
			set(old[:n/2])
			set(old[:n-1])
			set(old[1:])
		}
	case realNumber:
		set(nil)
		if x := realOf(old); x != float64(int64(x)) {
			b := make([]byte, l.size)
			putReal(b, float64(int64(x)))
			set(b)
		}
	default:
		set(nil)
		was := numberOf(old, l.is.signed)
		nearer := was - 1
		if was < 0 {
			nearer = was + 1
		}
		for _, x := range []int64{1, 2, -1, was / 2, nearer} { // what is above 0 is simpler than what is below
			if was > 0 && x > 0 && x < was || was < 0 && x != 0 && x > was {
				b := make([]byte, l.size)
				putNumber(b, x)
				set(b)
			}
		}
	}
	return out
}
