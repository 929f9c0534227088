package concrete

import "bytes"

// ticks is the clock of a path. Nobody knows what time it will be: a program on a given input that
// asks runs at two moments, and what it does is a guess where it does not do the same.
type ticks struct {
	asked bool
	// now is what time returns, spent what clock does; each call takes as long as the last.
	now, spent, each int64
}

// moments are the two, years apart, the second on a slow machine.
var moments = [2]ticks{{now: 1_000_000_000}, {now: 1_234_567_891, spent: 1_234, each: 1_007}}

// clockFunctions are C11's of <time.h>, but for those that a calendar is behind.
var clockFunctions = map[string]library{
	"time":  asksTime,
	"clock": asksClock,
}

func asksTime(p *Path, o *operation) bool {
	p.ticks.asked = true
	if at := p.arg(o, 0); at != 0 {
		p.store(at, p.ticks.now, 64, 8)
	}
	return p.gives(o, p.ticks.now)
}

func asksClock(p *Path, o *operation) bool {
	p.ticks.asked = true
	p.ticks.spent += p.ticks.each
	return p.gives(o, p.ticks.spent)
}

// AlongGiven is Along of a program on a given input, with a change in place unless it is nil.
func (c *Code) AlongGiven(p *Path, input *Given, change *Change, limit int) {
	c.alongGiven(p, input, change, limit, moments[0])
	if !p.ticks.asked || p.Guessed || p.Transcript == nil {
		return
	}
	returned, trapped, value, printed := p.Returned, p.Trapped, p.Value(), bytes.Clone(p.Transcript.Printed)
	c.alongGiven(p, input, change, limit, moments[1])
	if p.Returned != returned || p.Trapped != trapped || returned && p.Value() != value || !bytes.Equal(p.Transcript.Printed, printed) {
		p.guess()
	}
}

func (c *Code) alongGiven(p *Path, input *Given, change *Change, limit int, at ticks) {
	c.begin(p, 0, 0, limit)
	p.ticks = at
	p.give(input)
	if change != nil {
		p.apply(change)
	}
	p.goOn()
	p.guessesName()
	if p.Transcript != nil && !p.Guessed && p.strays(nil) {
		p.guess()
	}
}
