package capture

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

func readText(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "" // what cannot be read says nothing
	}
	return string(text)
}

// rated is a product that could be the subject.
type rated struct {
	product *Product
	tests   int // how many reach it
	units   int // with those of its libraries
}

// propose chooses the subject.
//
// The code under test is what most tests reach: a test reaches the products that it
// runs or loads, the libraries of the project that these are linked with, and any
// product all of whose sources they were built from again. Among equals it is the one
// with the most to mutate, and never one with nothing, so a program comes before the library that it is linked
// with where all tests run the program. Where test programs are linked with the
// library, too, that comes first, and programs made of it that tests run join it.
func (c *Capture) propose(targets, exclude []string) error {
	main, why, err := c.chooseMain(targets)
	if err != nil {
		return err
	}
	if len(main) == 0 {
		return c.proposeSources(exclude)
	}
	c.Subject.Name = c.nameOf(main[0])
	c.Subject.Why = why
	for _, p := range main {
		c.take(p, SubjectRole, "")
	}
	c.takeBuiltAgain()
	var units []string
	for _, p := range main {
		for _, id := range c.UnitsOf(p, WithShared) {
			if !slices.Contains(units, id) {
				units = append(units, id)
			}
		}
	}
	c.leaveOut(units, targets, exclude)
	c.takeIncluding(exclude)
	return nil
}

// nameOf is the shortest name of a product and its twins: a library and its copy for
// internal use are called by the library's.
func (c *Capture) nameOf(p *Product) string {
	name := baseName(p.Path)
	for i := range c.Products {
		if twin := &c.Products[i]; twin.Twin == p.Path && len(baseName(twin.Path)) < len(name) {
			name = baseName(twin.Path)
		}
	}
	return name
}

// chooseMain returns the products that were asked for, or the one to propose.
func (c *Capture) chooseMain(targets []string) ([]*Product, string, error) {
	var main []*Product
	for _, target := range targets {
		found := c.named(target)
		if found == nil && c.Unit(sourceDir+"/"+target) == nil {
			return nil, "", &TargetError{Target: target, Names: c.names()}
		}
		if found != nil {
			main = append(main, found)
		}
	}
	if len(main) > 0 {
		return main, "It was asked for.", nil
	}
	var all []rated
	for i := range c.Products {
		p := &c.Products[i]
		if p.Role.eligible() && p.Twin == "" {
			all = append(all, rated{p, c.testsReaching(p), c.toMutate(p)})
		}
	}
	if slices.ContainsFunc(all, func(r rated) bool { return r.units > 0 }) {
		all = slices.DeleteFunc(all, func(r rated) bool { return r.units == 0 })
	}
	slices.SortStableFunc(all, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.tests, a.tests), cmp.Compare(b.units, a.units))
	})
	if len(all) == 0 {
		return nil, "", nil
	}
	best := all[0]
	if best.tests == 0 && len(c.Tests) > 0 {
		units, _ := c.testedSources()
		texts, _ := c.testedHeaders()
		if len(units) > 0 || slices.ContainsFunc(texts, isSource) {
			return nil, "", nil
		}
	}
	if lib := c.sharedBy(best, all); lib > 0 {
		best = all[lib]
		all = slices.Insert(slices.Delete(all, lib, lib+1), 0, best)
	}
	main = []*Product{best.product}
	for _, r := range all[1:] {
		if p := r.product; p.Kind == "program" && r.tests > 0 && c.linkedWith(p, best.product) {
			main = append(main, p)
		}
	}
	return main, reasonFor(best, all[1:], main[1:], len(c.Tests)), nil
}

// sharedBy is the library, by its index among all, that a program is made of which is rated best, where as many
// tests reach it and another of the programs is made of it, too: then the program is one of the library's tools, and has more
// sources to mutate by its own alone. It is 0 where there is none.
func (c *Capture) sharedBy(best rated, all []rated) int {
	if best.product.Kind != "program" {
		return 0
	}
	of := 0
	for k, r := range all {
		made := func(other rated) bool {
			return other.product.Kind == "program" && c.linkedWith(other.product, r.product)
		}
		if r.product.Kind == "program" || r.tests < best.tests || !made(best) || of > 0 && r.units <= all[of].units {
			continue
		}
		if slices.ContainsFunc(all, func(other rated) bool { return other.product != best.product && made(other) }) {
			of = k
		}
	}
	return of
}

// toMutate counts the C units of a product that the project's people wrote.
func (c *Capture) toMutate(p *Product) int {
	n := 0
	for _, id := range c.UnitsOf(p, WithShared) {
		if u := c.Unit(id); u.Language == "c" && u.Origin == "" {
			n++
		}
	}
	return n
}

func reasonFor(best rated, others []rated, joined []*Product, tests int) string {
	why := fmt.Sprintf("%s: %d of %d tests reach it; source files to mutate: %d.", describe(best.product), best.tests, tests, best.units)
	if tests == 0 {
		why = fmt.Sprintf("%s: no tests were found, and nothing else has as many source files to mutate: %d.", describe(best.product), best.units)
	}
	for _, p := range joined {
		why += fmt.Sprintf(" %s is made of it, and tests run it.", describe(p))
	}
	var rest []string
	for _, o := range others[:min(len(others), 4)] {
		rest = append(rest, fmt.Sprintf("%s (tests: %d, source files: %d)", baseName(o.product.Path), o.tests, o.units))
	}
	if len(rest) > 0 {
		why += " After it come " + strings.Join(rest, ", ") + "."
	}
	return why
}

// testsReaching counts the tests that reach a product. A program that no test runs is
// not reached, though its sources may be, in a library or another program.
func (c *Capture) testsReaching(p *Product) int {
	if p.Kind == "program" && !slices.ContainsFunc(c.Tests, func(t Test) bool { return slices.Contains(t.Reaches, p.Path) }) {
		return 0
	}
	n := 0
	for i := range c.Tests {
		if c.reaches(&c.Tests[i], p) {
			n++
		}
	}
	return n
}

// reaches says whether a test runs what is in a product.
func (c *Capture) reaches(t *Test, p *Product) bool {
	return slices.ContainsFunc(t.Reaches, func(name string) bool { return c.holds(c.Product(name), p) })
}

// holds says whether running a product runs another: it is linked with it, or is
// built from all of its sources again.
func (c *Capture) holds(outer, inner *Product) bool {
	if outer == nil {
		return false
	}
	if c.linkedWith(outer, inner) {
		return true
	}
	have, want := c.sourcesOf(outer), c.sourcesOf(inner)
	for source := range want {
		if !have[source] {
			return false
		}
	}
	return len(want) > 0
}

// linkedWith says whether a product is another, or is linked with it or its twin.
func (c *Capture) linkedWith(outer, inner *Product) bool {
	seen := map[string]bool{}
	var walk func(p *Product) bool
	walk = func(p *Product) bool {
		if p == nil || seen[p.Path] {
			return false
		}
		seen[p.Path] = true
		if p.Path == inner.Path || p.Twin == inner.Path || inner.Twin != "" && (p.Twin == inner.Twin || p.Path == inner.Twin) {
			return true
		}
		return slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Product != "" && walk(c.Product(in.Product)) })
	}
	return walk(outer)
}

func (c *Capture) sourcesOf(p *Product) map[string]bool {
	out := map[string]bool{}
	for _, id := range c.UnitsOf(p, Static) {
		out[c.Unit(id).Source] = true
	}
	return out
}

// take makes a product one of the subject's, with its twins and the project's
// libraries that it is made of.
func (c *Capture) take(p *Product, role Role, why string) {
	if p == nil || p.Gone || slices.Contains(c.Subject.Products, p.Path) {
		return
	}
	c.Subject.Products = append(c.Subject.Products, p.Path)
	if p.Role.eligible() || role == SubjectRole {
		p.Role = role
		p.Why = cmp.Or(why, p.Why)
	}
	for i := range c.Products {
		if twin := &c.Products[i]; twin.Twin == p.Path || p.Twin != "" && (twin.Path == p.Twin || twin.Twin == p.Twin) {
			c.take(twin, PartRole, "It has the same sources as "+describe(p)+".")
		}
	}
	for _, in := range p.Inputs {
		if in.Product != "" {
			c.take(c.Product(in.Product), PartRole, "It is part of "+describe(p)+".")
		}
	}
}

// takeBuiltAgain adds products that tests run and that are built from sources of the
// subject again, each with flags of its own.
func (c *Capture) takeBuiltAgain() {
	sources := map[string]bool{}
	for _, name := range c.Subject.Products {
		for source := range c.sourcesOf(c.Product(name)) {
			sources[source] = true
		}
	}
	for _, t := range c.Tests {
		for _, name := range t.Reaches {
			p := c.Product(name)
			if p == nil || slices.Contains(c.Subject.Products, p.Path) {
				continue
			}
			for _, in := range p.Inputs {
				if in.Unit != "" && sources[c.Unit(in.Unit).Source] && !slices.Contains(c.Subject.Products, p.Path) {
					c.Subject.Products = append(c.Subject.Products, p.Path)
				}
			}
		}
	}
}

// named returns the product of a name that a user gives: a path, the end of one, or a
// name without lib and extension.
func (c *Capture) named(name string) *Product {
	for i := range c.Products {
		p := &c.Products[i]
		for _, file := range append([]string{p.Path}, p.Copies...) {
			place := strings.Replace(strings.TrimPrefix(strings.TrimPrefix(file, sourceDir+"/"), buildDir+"/"), ".libs/", "", 1)
			base := baseName(file)
			if !p.Gone && (name == file || name == place || strings.HasSuffix(place, "/"+name) || name == base || "lib"+name == base ||
				name == path.Join(path.Dir(place), base)) {
				return p
			}
		}
	}
	return nil
}

func (c *Capture) names() []string {
	var out []string
	for _, p := range c.Products {
		if name := baseName(p.Path); !p.Gone && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// isExcluded says whether one of the files and folders that are not to be mutated has a unit's source.
func isExcluded(u *Unit, exclude []string) bool {
	below, _ := InProject(u.Source)
	return slices.ContainsFunc(exclude, func(e string) bool { return below == e || strings.HasPrefix(below, strings.TrimSuffix(e, "/")+"/") })
}

// leaveOut fills the subject's units from those that its products have.
func (c *Capture) leaveOut(units, targets, exclude []string) {
	for _, id := range units {
		u := c.Unit(id)
		below, _ := InProject(u.Source)
		why := ""
		switch asked := slices.Contains(targets, below); {
		case isExcluded(u, exclude):
			why = "It was excluded."
		case u.Language != "c":
			why = "It is " + u.Language + ", not C."
		case len(u.Refused) > 0:
			why = "It needs flags that only the project's own compiler has: " + strings.Join(u.Refused, " ") + "."
		case asked:
		case u.Origin != "":
			why = "It is " + u.Origin + "."
		case isTestName(baseName(u.Source)) || telling[len(telling)-1].folder.MatchString(path.Dir(below)):
			why = "It is a test."
		}
		if why != "" {
			c.Subject.LeftOut = append(c.Subject.LeftOut, LeftOut{id, why})
			continue
		}
		c.Subject.Units = append(c.Subject.Units, id)
	}
	if len(c.Subject.Units) > 0 {
		return
	}
	why := "."
	if len(units) > 0 && !slices.ContainsFunc(units, func(id string) bool { return c.Unit(id).Language == "c" }) {
		why = ": its sources are no C."
	}
	c.note("Nothing of %s is left to mutate%s", c.Subject.Name, why)
}
