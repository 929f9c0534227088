package capture

import (
	"fmt"
	"path"
	"slices"
)

// testedSources returns the units that test programs are made of and that are no
// tests themselves: the code under test of projects that make nothing else of it.
// nil where there are none.
func (c *Capture) testedSources() []string {
	inLibraries := map[string]bool{}
	for i := range c.Products {
		if p := &c.Products[i]; p.Kind != "program" && p.Role.eligible() {
			for source := range c.sourcesOf(p) {
				inLibraries[source] = true
			}
		}
	}
	var out []string
	for _, p := range c.testPrograms() {
		for _, in := range p.Inputs {
			if in.Unit == "" || slices.Contains(out, in.Unit) {
				continue
			}
			u := c.Unit(in.Unit)
			below, _ := InProject(u.Source)
			if u.Language == "c" && !isTestName(baseName(u.Source)) && !telling[len(telling)-1].folder.MatchString(path.Dir(below)) &&
				(inLibraries[u.Source] || !HasMain(readText(c.Path(u.Source)))) {
				out = append(out, in.Unit)
			}
		}
	}
	return out
}

// testPrograms are the test programs that tests run.
func (c *Capture) testPrograms() []*Product {
	var out []*Product
	for i := range c.Products {
		p := &c.Products[i]
		if p.Role == TestRole && slices.ContainsFunc(c.Tests, func(t Test) bool { return slices.Contains(t.Reaches, p.Path) }) {
			out = append(out, p)
		}
	}
	return out
}

// proposeSources proposes sources that are only part of test programs.
func (c *Capture) proposeSources(exclude []string) error {
	units := c.testedSources()
	if len(units) == 0 {
		c.note("The build makes nothing but tests, examples and the like: nothing is proposed to mutate.")
		return nil
	}
	first := c.Unit(units[0]).Source
	c.Subject.Name = baseName(first)
	c.Subject.Why = fmt.Sprintf("The build makes test programs alone; source files of these that are no tests: %d.", len(units))
	for _, p := range c.testPrograms() {
		if slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Unit != "" && slices.Contains(units, in.Unit) }) {
			c.Subject.Products = append(c.Subject.Products, p.Path)
		}
	}
	c.leaveOut(units, nil, exclude)
	return nil
}
