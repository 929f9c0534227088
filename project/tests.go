package project

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// Tests says what the tests are.
type Tests struct {
	// Dir holds NAME.in, the standard input of a test, and NAME.out, the
	// output expected of the original program.
	Dir string `toml:"dir"`
	// File holds tests of the same kind, one after the other (see testsOfFile).
	File string `toml:"file"`
	// Lines is a file of command lines, each a test (see testsOfLines).
	Lines string `toml:"lines"`
	// Commands are tests with arguments and files.
	Commands []Command `toml:"command"`
	// Writable gives each run a folder of its own in which it may write.
	Writable bool `toml:"writable"`
	// Compare says what a mutant is killed by: another "output", another "exit",
	// or either ("both", and ""). With a harness, exits differ when one is a
	// success and the other is not.
	Compare string `toml:"compare"`
}

// Command is a run of the program with arguments, input and files. Paths are
// relative to the project's folder.
type Command struct {
	Name  string   `toml:"name"`
	Args  []string `toml:"args"`
	Input string   `toml:"input"`
	// Files are copied into the run's folder, under the same names.
	Files []string `toml:"files"`
	// Outputs are files that the program writes and that are compared.
	Outputs []string `toml:"outputs"`
	// Expect is a file with what the original must print, Status the exit status
	// that it must have, and Fails that it must have another than 0. With a
	// harness the status is 0 where nothing is said.
	Expect string `toml:"expect"`
	Status *int   `toml:"status"`
	Fails  bool   `toml:"fails"`
}

// checkTests checks the project's tests and those of its faults.
func (p *Project) checkTests() error {
	some := !p.Tests.none()
	for i := range p.Faults {
		f := &p.Faults[i]
		some = some || !f.Tests.none()
		if f.Tests.Writable || f.Tests.Compare != "" {
			return fmt.Errorf("fault %q: how tests are run is said of all, in [tests]", f.Name)
		}
		own := f.Tests
		own.Writable, own.Compare = p.Tests.Writable, p.Tests.Compare
		if err := own.check(); err != nil {
			return fmt.Errorf("fault %q: %w", f.Name, err)
		}
	}
	if !some {
		return errNoTests
	}
	return p.Tests.check()
}

var errNoTests = errors.New("there are no tests: give tests.dir, tests.file, tests.lines, or [[tests.command]]")

// Check is an error where there are no tests, or they contradict each other.
func (t *Tests) Check() error {
	if t.none() {
		return errNoTests
	}
	return t.check()
}

func (t *Tests) check() error {
	if _, ok := behaviours[t.Compare]; !ok {
		return fmt.Errorf("tests.compare %q: want output, exit or both", t.Compare)
	}
	seen := map[string]bool{}
	for _, c := range t.Commands {
		switch {
		case c.Name == "" || seen[c.Name]:
			return fmt.Errorf("test %q: every [[tests.command]] needs a name of its own", c.Name)
		case len(c.Outputs) > 0 && !t.Writable:
			return fmt.Errorf("test %s has outputs, which a run can write only with tests.writable = true", c.Name)
		case len(c.Outputs) > 0 && t.Compare == "exit":
			return fmt.Errorf("test %s has outputs, but with compare = \"exit\" none is compared", c.Name)
		case c.Status != nil && (*c.Status < 0 || *c.Status > 255):
			return fmt.Errorf("test %s: no program ends with status %d", c.Name, *c.Status)
		case c.Status != nil && c.Fails:
			return fmt.Errorf("test %s: give a status, or say that it fails", c.Name)
		}
		for _, file := range c.Files {
			if !filepath.IsLocal(file) {
				return fmt.Errorf("test %s: file %q lies outside of the project's folder: copy it there", c.Name, file)
			}
		}
		seen[c.Name] = true
	}
	return nil
}

// none reports whether there are no tests.
func (t *Tests) none() bool {
	return t.Dir == "" && t.File == "" && t.Lines == "" && len(t.Commands) == 0
}

// behaviours are the values of Tests.Compare.
var behaviours = map[string]Behaviour{
	"": {}, "both": {},
	"output": {Exit: execute.ExitIgnored},
	"exit":   {Output: execute.OutputIgnored},
}

// Behaviour is what counts in the project's runs.
func (p *Project) Behaviour() Behaviour {
	b := behaviours[p.Tests.Compare]
	b.Writable = p.Tests.Writable
	if len(p.Harness) > 0 && b.Exit == execute.ExitStatus {
		b.Exit = execute.ExitSuccess
	}
	return b
}

// Expectation is what the original must do on a test.
type Expectation struct {
	// Output is what it must print, nil when that is not known.
	Output []byte
	// Status is the exit status it must have, nil when any will do; Fails says
	// that it must be another than 0.
	Status *int
	Fails  bool
}

// Meets says whether a run does what is expected of it. White space at the end
// of lines and of the output does not count.
func (e Expectation) Meets(o execute.Outcome, printed []byte) bool {
	if e.Status != nil && (o.Cause != execute.CauseExit || o.Status != *e.Status) {
		return false
	}
	if e.Fails && o.Cause == execute.CauseExit && o.Status == 0 {
		return false
	}
	return e.Output == nil || bytes.Equal(execute.TrimOutput(printed), execute.TrimOutput(e.Output))
}

// LoadTests lists the project's tests: those of the folder and of the file in the order
// of their names, then the lines and the commands in their own.
func (p *Project) LoadTests() ([]execute.Test, []Expectation, error) { return p.load(&p.Tests) }

// load lists tests.
func (p *Project) load(from *Tests) ([]execute.Test, []Expectation, error) {
	tests, expected, err := p.namedTests(from)
	if err != nil {
		return nil, nil, err
	}
	lines, err := p.testsOfLines(from.Lines)
	if err != nil {
		return nil, nil, err
	}
	tests, expected = append(tests, lines...), append(expected, make([]Expectation, len(lines))...)
	for i := range from.Commands {
		t, want, err := p.testOfCommand(&from.Commands[i])
		if err != nil {
			return nil, nil, err
		}
		tests, expected = append(tests, t), append(expected, want)
	}
	return tests, expected, p.distinct(tests)
}

// distinct is an error where two tests have one name.
func (p *Project) distinct(tests []execute.Test) error {
	taken := map[string]bool{}
	for i := range tests {
		if taken[tests[i].Name] {
			return exit.New(exit.Input, fmt.Errorf("%s: test %s is there twice", p.Folder, tests[i].Name), "give one of them another name")
		}
		taken[tests[i].Name] = true
	}
	return nil
}

// testOfCommand is the test of a [[tests.command]].
func (p *Project) testOfCommand(c *Command) (execute.Test, Expectation, error) {
	want, err := p.expectation(c)
	t := execute.Test{Name: c.Name, Args: c.Args, Outputs: c.Outputs}
	if err != nil {
		return t, want, err
	}
	if c.Input != "" {
		t.Input = filepath.Join(p.Folder, c.Input)
	}
	for _, file := range c.Files {
		t.Files = append(t.Files, execute.File{Name: filepath.ToSlash(file), Path: filepath.Join(p.Folder, file)})
	}
	for _, path := range append([]string{t.Input}, pathsOf(t.Files)...) {
		if _, err := os.Stat(path); path != "" && err != nil {
			return t, want, exit.New(exit.Input, fmt.Errorf("test %s: %w", c.Name, err), "mend the test in "+File)
		}
	}
	return t, want, nil
}

func pathsOf(files []execute.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

func (p *Project) expectation(c *Command) (Expectation, error) {
	want := Expectation{Status: c.Status, Fails: c.Fails}
	if want.Status == nil && !c.Fails && len(p.Harness) > 0 {
		want.Status = new(int)
	}
	if c.Expect == "" {
		return want, nil
	}
	text, err := os.ReadFile(filepath.Join(p.Folder, c.Expect))
	if err != nil {
		return want, exit.New(exit.Input, fmt.Errorf("test %s: %w", c.Name, err), "mend the test in "+File)
	}
	want.Output = append([]byte{}, text...)
	return want, nil
}

// WithoutRepeats leaves out tests that run the program in the same way as an
// earlier one, and says which. What is expected of a repeat is expected of the one
// that stays, where nothing was.
func WithoutRepeats(tests []execute.Test, expected []Expectation) ([]execute.Test, []Expectation, []string, error) {
	var outTests []execute.Test
	var outExpected []Expectation
	var same []string
	first := map[[sha256.Size]byte]int{}
	for i, t := range tests {
		sum, err := Content(t)
		if err != nil {
			return nil, nil, nil, err
		}
		k, repeat := first[sum]
		if !repeat {
			first[sum] = len(outTests)
			outTests, outExpected = append(outTests, t), append(outExpected, expected[i])
			continue
		}
		same = append(same, fmt.Sprintf("%s: it runs the program as %s does", t.Name, outTests[k].Name))
		if outExpected[k].Output == nil {
			outExpected[k].Output = expected[i].Output
		}
		if outExpected[k].Status == nil {
			outExpected[k].Status = expected[i].Status
		}
	}
	return outTests, outExpected, same, nil
}

// Contents is a hash of the names and contents of tests.
func Contents(tests []execute.Test) (string, error) {
	hash := sha256.New()
	for _, t := range tests {
		sum, err := Content(t)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(hash, "%q %x\n", t.Name, sum) // a hash takes everything
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// Content is a hash of all that a test gives to the program.
func Content(t execute.Test) ([sha256.Size]byte, error) {
	hash := sha256.New()
	part := func(text []byte) {
		_ = binary.Write(hash, binary.LittleEndian, int64(len(text))) // a hash takes everything
		_, _ = hash.Write(text)
	}
	file := func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return exit.New(exit.Input, fmt.Errorf("test %s: %w", t.Name, err), "")
		}
		part(text)
		return nil
	}
	list := func(items []string) {
		part(fmt.Append(nil, len(items)))
		for _, item := range items {
			part([]byte(item))
		}
	}
	list(t.Args)
	list(t.Outputs)
	part(fmt.Append(nil, len(t.Files)))
	for _, f := range t.Files {
		part([]byte(f.Name))
		if err := file(f.Path); err != nil {
			return [sha256.Size]byte{}, err
		}
	}
	text, err := t.ReadInput()
	if err != nil {
		return [sha256.Size]byte{}, exit.New(exit.Input, err, "")
	}
	if text != nil {
		part(text)
	}
	return [sha256.Size]byte(hash.Sum(nil)), nil
}
