package capture

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// Role is what a product is for.
type Role string

const (
	// SubjectRole is what is proposed to mutate, PartRole a library that it is made
	// of, or a twin.
	SubjectRole Role = "subject"
	PartRole    Role = "part of the subject"
	// ProgramRole and LibraryRole are products that could be the subject.
	ProgramRole Role = "program"
	LibraryRole Role = "library"
	// The others never are.
	TestRole      Role = "test program"
	HelperRole    Role = "test helper"
	GeneratorRole Role = "generator"
	ExampleRole   Role = "example"
	FuzzerRole    Role = "fuzzer"
	BenchRole     Role = "benchmark"
	ContribRole   Role = "contribution"
	TemporaryRole Role = "temporary"
)

// candidate roles can be proposed.
func (r Role) eligible() bool { return r == ProgramRole || r == LibraryRole }

// testish tells names of programs and sources that are tests. Words that have test in
// them by chance are taken out before (notTests).
var testish = regexp.MustCompile(`(?i)^test|test(s|er|ing|suite)?$|(^|[^a-z])(tests?|testing|tester|testsuite|unittests?|selftest|check)([^a-z]|$)|^run_?tests|regress`)

var notTests = regexp.MustCompile(`(?i)(la|fas|grea|at|con|pro|de|fine|har|mod|shor|lon)test|test(ament|imon|ify)`)

// IsTest reports a function that is a test by its name, of a source that holds its own tests.
func IsTest(function string) bool { return function == "main" || isTestName(function) }

func isTestName(name string) bool {
	return testish.MatchString(notTests.ReplaceAllString(name, "word"))
}

// tell is a folder or a name by which a product has a role.
type tell struct {
	role   Role
	folder *regexp.Regexp
	name   *regexp.Regexp
}

// telling are the folders and names by which products are no subject, in the order in
// which they are asked. Folders are those below the project, names without extension.
var telling = []tell{
	{FuzzerRole, regexp.MustCompile(`(?i)(^|/)(\w*fuzz\w*)(/|$)`), regexp.MustCompile(`(?i)(^|[^a-z])(oss)?fuzz(er|ing)?([^a-z]|$)|fuzz(er)?$`)},
	{BenchRole, regexp.MustCompile(`(?i)(^|/)(bench\w*|perf|performance|timing|speed)(/|$)`), regexp.MustCompile(`(?i)^(full|mini|micro)?bench|bench(mark)?s?$|^perf|^timing$|^tune$|^speed`)},
	{TestRole, nil, testish},
	{ExampleRole, regexp.MustCompile(`(?i)(^|/)(examples?|samples?|demos?|tutorials?)(/|$)`), regexp.MustCompile(`(?i)^(example|sample|demo)([-_0-9]|$)|[-_](example|demo)$`)},
	{ContribRole, regexp.MustCompile(`(?i)(^|/)(contrib|msdos|win32)(/|$)`), nil},
	{TestRole, regexp.MustCompile(`(?i)(^|/)(t|tests?|testing|testsuite|test[-_]?programs|unit[-_]?tests?|check|checks|\w+[-_]tests?)(/|$)`), nil},
}

// giveRoles says of every product what it is for.
func (s *session) giveRoles() {
	run := s.runByBuild()
	for i := range s.capture.Products {
		p := &s.capture.Products[i]
		p.Role, p.Why = s.role(p, run)
	}
	s.giveHelpers()
}

func (s *session) role(p *Product, run map[string]string) (Role, string) {
	line, ran := run[p.Path]
	if p.Gone {
		if ran {
			return GeneratorRole, "The build runs it and removes it: " + line
		}
		return TemporaryRole, "The build removes it."
	}
	name := baseName(p.Path)
	place, inside := InProject(p.Path)
	if !inside {
		place = strings.TrimPrefix(p.Path, buildDir+"/")
	}
	folders := []string{folderOf(place)}
	for _, unit := range s.own(p) {
		folders = append(folders, folderOf(unit))
	}
	for _, tell := range telling {
		if tell.name != nil && tell.name.MatchString(notTests.ReplaceAllString(name, "word")) {
			return tell.role, "Its name says so."
		}
		if tell.folder == nil {
			continue
		}
		if at := slices.IndexFunc(folders, tell.folder.MatchString); at == 0 {
			return tell.role, "It is in " + folders[0] + "."
		} else if at > 0 && !slices.ContainsFunc(folders[1:], func(f string) bool { return !tell.folder.MatchString(f) }) {
			return tell.role, "Its sources are in " + folders[at] + "."
		}
	}
	switch {
	case s.mainIsTest(p):
		return TestRole, "Its name says so."
	case slices.ContainsFunc(s.inBuild, func(path string) bool { return s.capture.relative(path) == p.Path }):
		return TestRole, "The build runs it, and it does nothing else."
	case ran && !s.reached(p):
		return GeneratorRole, "The build itself runs it, and no test does: " + line
	case p.Kind == "program" && p.Step == "check" && !s.partial: // make check may make what failed before
		return TestRole, "It is built for the tests alone."
	case p.Kind == "program":
		return ProgramRole, "A program that the build makes."
	}
	return LibraryRole, "A library that the build makes."
}

// giveHelpers finds libraries that only test programs are linked with, and that are in
// no other way reached than by being part of these.
func (s *session) giveHelpers() {
	c := s.capture
	for i := range c.Products {
		p := &c.Products[i]
		if p.Role == TestRole && p.Kind != "program" {
			p.Role = HelperRole
		}
	}
}

// own are the sources of a product's own units, as the project has them.
func (s *session) own(p *Product) []string {
	var out []string
	for _, in := range p.Inputs {
		if in.Unit == "" {
			continue
		}
		source := s.capture.Unit(in.Unit).Source
		if below, inside := InProject(source); inside {
			source = below
		}
		out = append(out, source)
	}
	return out
}

var mainText = regexp.MustCompile(`\bmain[ \t\n]*\(`)

// HasMain reports whether C text may define main.
func HasMain(text string) bool { return mainText.MatchString(text) }

// mainIsTest says whether the source with a program's main is a test by its name.
func (s *session) mainIsTest(p *Product) bool {
	if p.Kind != "program" {
		return false
	}
	for _, in := range p.Inputs {
		if in.Unit == "" {
			continue
		}
		source := s.capture.Unit(in.Unit).Source
		if isTestName(baseName(source)) && HasMain(readText(s.capture.Path(source))) {
			return true
		}
	}
	return false
}

// reached says whether a test runs or loads a product.
func (s *session) reached(p *Product) bool {
	return slices.ContainsFunc(s.tests, func(t Test) bool { return slices.Contains(t.Reaches, p.Path) })
}

// runByBuild finds the products that a recipe names as a command, with the line. What
// the tests run is no part of it, though make may run them first of all.
func (s *session) runByBuild() map[string]string {
	places := map[string]string{}
	for _, p := range s.capture.Products {
		if p.Kind != "program" {
			continue
		}
		for _, place := range append([]string{p.Path}, p.Copies...) {
			full := s.capture.Path(place)
			places[full] = p.Path
			// libtool runs .libs/x by a script x.
			if dir := filepath.Dir(full); filepath.Base(dir) == ".libs" {
				places[filepath.Join(filepath.Dir(dir), filepath.Base(full))] = p.Path
			}
		}
	}
	out := map[string]string{}
	look := func(dir, text string) {
		for _, name := range commandsOf(text) {
			if product := places[inFolder(dir, name)]; product != "" && out[product] == "" {
				out[product] = firstWords(text)
			}
		}
	}
	for _, e := range s.entries("build") {
		if e.Kind == note.Line {
			look(e.Dir, recipeOf(&e))
		}
	}
	// Meson has programs run by a wrapper: there a name may stand anywhere.
	for line := range strings.Lines(s.commands) {
		if slices.ContainsFunc(commandsOf(line), building.MatchString) {
			continue
		}
		for _, w := range shellWords(line) {
			if product := places[inFolder(s.into, w.text)]; product != "" && out[product] == "" {
				out[product] = firstWords(line)
			}
		}
	}
	return out
}

func firstWords(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 80 {
		text = text[:77] + "..."
	}
	return text
}

// baseName is the name of a product or source without what its kind adds.
func baseName(file string) string {
	name := strings.TrimPrefix(path.Base(file), "lt-")
	if i := strings.Index(name, ".so"); i > 0 {
		return name[:i]
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// folderOf is the folder of a file, without those in which libtool and CMake put
// things.
func folderOf(file string) string {
	dir := path.Dir(file)
	dir = strings.TrimSuffix(strings.TrimSuffix(dir, ".libs"), "/")
	if dir == "" {
		return "."
	}
	return dir
}

func (c *Capture) needs(reaches []string) []string {
	var out []string
	var add func(name string)
	add = func(name string) {
		p := c.Product(name)
		if p == nil || slices.Contains(out, p.Path) {
			return
		}
		out = append(out, p.Path)
		for _, in := range p.Inputs {
			if below := c.Product(in.Product); in.Product != "" && below != nil && below.Kind == "shared" {
				add(below.Path)
			}
		}
	}
	for _, name := range reaches {
		add(name)
	}
	slices.Sort(out)
	return out
}

// describe names a product for people.
func describe(p *Product) string {
	place, inside := InProject(p.Path)
	if !inside {
		place = p.Path
	}
	return fmt.Sprintf("%s (%s)", strings.Replace(place, ".libs/", "", 1), p.Kind)
}
