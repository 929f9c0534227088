package capture

import "slices"

// Concerned are the tests that may run what is mutated. Of the others it is known that they do not: the
// capture saw which products each of them opens, there are some, and none is made of a source that is mutated, as with
// the tests of the parts of a program. Where a product made of one is gone, which a test may have
// made for itself, nothing is known of any test; and where none is left, all are given.
func (c *Capture) Concerned() []*Test {
	mutated := map[string]bool{}
	for _, id := range c.Subject.Units {
		mutated[c.Unit(id).Source] = true
	}
	for _, in := range c.Subject.Including {
		mutated[c.Unit(in.Unit).Source] = true
	}
	made := func(p *Product) bool {
		return slices.ContainsFunc(c.UnitsOf(p, WithShared), func(id string) bool { return mutated[c.Unit(id).Source] })
	}
	known := !slices.ContainsFunc(c.Products, func(p Product) bool { return p.Gone && made(&p) })
	var all, some []*Test
	for i := range c.Tests {
		t := &c.Tests[i]
		all = append(all, t)
		if !known || !t.Watched || len(t.Reaches) == 0 || slices.ContainsFunc(t.Reaches, func(name string) bool { return made(c.Product(name)) }) {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return all
	}
	return some
}
