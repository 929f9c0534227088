package capture

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/paths"
)

// testedSources returns the units that test programs are made of and that are no
// tests themselves: the code under test of projects that make nothing else of it.
// None where there are none. Those with tests of their own, a main that a library does not
// have, are named, too. Sources with a main that are in no library are taken where there are no others.
func (c *Capture) testedSources() (units, ownTests []string) {
	var mains []string
	inLibraries := map[string]bool{}
	for i := range c.Products {
		if p := &c.Products[i]; p.Kind != "program" && p.Role.eligible() {
			for source := range c.sourcesOf(p) {
				inLibraries[source] = true
			}
		}
	}
	for _, p := range c.testPrograms() {
		for _, in := range p.Inputs {
			if in.Unit == "" || slices.Contains(units, in.Unit) {
				continue
			}
			u := c.Unit(in.Unit)
			below, _ := InProject(u.Source)
			if u.Language != "c" || isTestName(baseName(u.Source)) || telling[len(telling)-1].folder.MatchString(path.Dir(below)) {
				continue
			}
			main := HasMain(readText(c.Path(u.Source)))
			if main && !inLibraries[u.Source] {
				mains = append(mains, in.Unit)
				continue
			}
			if main {
				ownTests = append(ownTests, below)
			}
			units = append(units, in.Unit)
		}
	}
	if len(units) > 0 {
		return units, ownTests
	}
	for _, id := range mains {
		below, _ := InProject(c.Unit(id).Source)
		ownTests = append(ownTests, below)
	}
	return mains, ownTests
}

// body finds functions that are written out in C text.
var body = regexp.MustCompile(`(?m)^[A-Za-z_][^;{}()#\n]*\([^;{}]*\)\s*\{`)

// testedHeaders are headers of the project that hold code, and sources that are included as headers are, in no
// folder of tests, and the units of test programs that include them: the code under test of libraries that are
// nothing but headers, and of tests that are one file with what they test.
func (c *Capture) testedHeaders() (headers, units []string) {
	source := c.Path(sourceDir)
	for _, p := range c.testPrograms() {
		for _, in := range p.Inputs {
			if in.Unit == "" || c.Unit(in.Unit).Language != "c" || slices.Contains(units, in.Unit) {
				continue
			}
			found := map[string]bool{}
			c.headersWithCode(c.Path(c.Unit(in.Unit).Source), c.includeFolders(c.Unit(in.Unit)), found, includeDepth)
			some := false
			for _, file := range slices.Sorted(maps.Keys(found)) {
				below, err := filepath.Rel(source, file)
				if err != nil || !filepath.IsLocal(below) || isTestName(baseName(below)) ||
					slices.ContainsFunc(telling, func(t tell) bool { return t.folder != nil && t.folder.MatchString(folderOf(below)) }) {
					continue
				}
				if some = true; !slices.Contains(headers, below) {
					headers = append(headers, below)
				}
			}
			if some {
				units = append(units, in.Unit)
			}
		}
	}
	return headers, units
}

// headersWithCode finds the headers with functions that a file includes, from its own folder or
// others, itself or by another.
func (c *Capture) headersWithCode(file string, folders []string, found map[string]bool, depth int) {
	for _, other := range includedBy(file, folders) {
		if found[other] {
			continue
		}
		if (strings.HasSuffix(other, ".h") || isSource(other)) && body.MatchString(readText(other)) {
			found[other] = true
		}
		if depth > 1 {
			c.headersWithCode(other, folders, found, depth-1)
		}
	}
}

// includedBy are the files that a file includes, from its own folder or else the first of others that has them.
func includedBy(file string, folders []string) []string {
	var out []string
	for _, name := range includesOf(readText(file)) {
		for _, folder := range append([]string{filepath.Dir(file)}, folders...) {
			if other := filepath.Join(folder, name); paths.Exist(other) {
				out = append(out, other)
				break
			}
		}
	}
	return out
}

func isSource(name string) bool { return strings.HasSuffix(name, ".c") }

// includeFolders are those that a unit's flags name.
func (c *Capture) includeFolders(u *Unit) (out []string) {
	flags := c.Expand(u.Flags...)
	for i, f := range flags {
		switch name, isOne := strings.CutPrefix(f, "-I"); {
		case isOne && name != "":
			out = append(out, inFolder(c.Path(u.Dir), name))
		case i > 0 && slices.Contains([]string{"-I", "-iquote", "-isystem", "-idirafter"}, flags[i-1]):
			out = append(out, inFolder(c.Path(u.Dir), f))
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
	units, ownTests := c.testedSources()
	var headers []string
	if len(units) == 0 {
		headers, units = c.testedHeaders()
	}
	switch {
	case len(units) == 0:
		c.note("The build makes nothing but tests, examples and the like: nothing is proposed to mutate.")
		return nil
	case len(headers) > 0:
		c.Subject.Name, c.Subject.Headers = baseName(headers[0]), headers
		what := "headers"
		if slices.ContainsFunc(headers, isSource) {
			what = "files"
		}
		c.Subject.Why = fmt.Sprintf("The code of these %s, in the test programs that include them: %s.", what, strings.Join(headers, ", "))
	default:
		c.Subject.Name = baseName(c.Unit(units[0]).Source)
		c.Subject.Why = fmt.Sprintf("Source files that are no tests, in the test programs that are made of them: %s. No test runs anything else that the build makes.", c.listed(units))
	}
	for _, p := range c.testPrograms() {
		if slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Unit != "" && slices.Contains(units, in.Unit) }) {
			c.Subject.Products = append(c.Subject.Products, p.Path)
		}
	}
	if len(ownTests) > 0 {
		slices.Sort(ownTests)
		c.Subject.OwnTests = slices.Compact(ownTests)
		c.note("%s: sources that hold their own tests, as programs with a main. That, and functions that are called tests, are not mutated.",
			strings.Join(c.Subject.OwnTests, ", "))
	}
	if len(headers) > 0 {
		c.Subject.Units = units
		return nil
	}
	c.leaveOut(units, nil, exclude)
	return nil
}

// mostNamed is how many sources are named where they are told.
const mostNamed = 3

// listed are the sources of units as the project has them, the first few of many.
func (c *Capture) listed(units []string) string {
	var names []string
	for _, id := range units {
		name := c.Unit(id).Source
		if own, is := InProject(name); is {
			name = own
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// included is how C text takes another file of the project in.
var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)

// includeDepth is how many files deep is looked for a source that is taken in as text.
const includeDepth = 3

// takeIncluding adds the units of test programs that take sources of the subject in as text: they run that
// text, and not what is linked.
func (c *Capture) takeIncluding(exclude []string) {
	subject := map[string]string{} // sources by path
	for _, id := range c.Subject.Units {
		u := c.Unit(id)
		subject[c.Path(u.Source)] = u.Source
	}
	names := map[string]bool{}
	programs := 0
	for _, p := range c.testPrograms() {
		includes := false
		for _, in := range p.Inputs {
			u := c.Unit(in.Unit)
			if u == nil || u.Language != "c" || len(u.Refused) > 0 || subject[c.Path(u.Source)] != "" || isExcluded(u, exclude) {
				continue
			}
			found := map[string]bool{}
			c.takenIn(c.Path(u.Source), c.includeFolders(u), subject, found, includeDepth)
			if len(found) == 0 {
				continue
			}
			includes = true
			for source := range found {
				names[path.Base(source)] = true
			}
			if !slices.ContainsFunc(c.Subject.Including, func(known Including) bool { return known.Unit == u.ID }) {
				c.Subject.Including = append(c.Subject.Including, Including{u.ID, slices.Sorted(maps.Keys(found))})
			}
		}
		if !includes {
			continue
		}
		programs++
		if !slices.Contains(c.Subject.Products, p.Path) {
			c.Subject.Products = append(c.Subject.Products, p.Path)
		}
	}
	if programs > 0 {
		c.note("Test programs that include %s as text: %d. What they test is a copy of their own, in which each change is made, too.",
			strings.Join(slices.Sorted(maps.Keys(names)), ", "), programs)
	}
}

// takenIn finds the sources, which are given by their places, that a file takes in, itself or by a file that it takes in.
func (c *Capture) takenIn(file string, folders []string, sources map[string]string, found map[string]bool, depth int) {
	for _, other := range includedBy(file, folders) {
		if name := sources[other]; name != "" {
			found[name] = true
		} else if depth > 1 {
			c.takenIn(other, folders, sources, found, depth-1)
		}
	}
}
