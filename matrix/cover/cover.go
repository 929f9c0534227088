// Package cover says which tests reach what: the sites of a program, the mutants
// they infect, or the sides of its branches.
//
// On disk it is a long table with one row for every pair that was reached.
// Tests that could not be measured are named in the metadata; of them nothing
// is known. See docs/formats/cover.md.
package cover

import (
	"encoding/json"
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Kind says what the sites of a matrix are.
type Kind string

const (
	// Sites: places in the program, by their ordinal; the test executes them.
	Sites Kind = "sites"
	// Infections: mutants, by their place in mutants.parquet; the test makes
	// the mutant compute another value than the original does.
	Infections Kind = "infections"
	// Branches: the ways out of conditional branches; the test takes them.
	Branches Kind = "branches"
)

func (k Kind) known() bool { return k == Sites || k == Infections || k == Branches }

// Matrix is tests x sites. A new one has no pair reached and every test
// measured.
type Matrix struct {
	kind       Kind
	tests      []string
	reached    []matrix.Bits // by site: tests; the zero value where there are none
	none       matrix.Bits   // of tests
	unmeasured matrix.Bits   // tests
	names      []string      // by site; nil where they have none
}

// maxSites keeps a damaged header from asking for more than half a gigabyte.
const maxSites = 1 << 24

// New returns an empty matrix. Test names may not repeat.
func New(kind Kind, tests []string, sites int) (*Matrix, error) {
	seen := make(map[string]bool, len(tests))
	for _, name := range tests {
		if seen[name] {
			return nil, fmt.Errorf("coverage: test %q occurs twice", name)
		}
		seen[name] = true
	}
	if sites < 0 || sites > maxSites || !kind.known() {
		return nil, fmt.Errorf("coverage of %d %q", sites, kind)
	}
	return &Matrix{kind: kind, tests: tests, reached: make([]matrix.Bits, sites), none: matrix.NewBits(len(tests)),
		unmeasured: matrix.NewBits(len(tests))}, nil
}

// Kind says what the sites are.
func (m *Matrix) Kind() Kind { return m.kind }

// Tests returns the tests' names, in order; do not change them.
func (m *Matrix) Tests() []string { return m.tests }

// Sites is the number of sites, reached or not.
func (m *Matrix) Sites() int { return len(m.reached) }

// Set notes that the test reaches the site.
func (m *Matrix) Set(test, site int) error {
	if test < 0 || test >= len(m.tests) || site < 0 || site >= len(m.reached) {
		return fmt.Errorf("coverage: test %d reaches site %d, of %d tests and %d sites", test, site, len(m.tests), len(m.reached))
	}
	if m.reached[site].Len() == 0 {
		m.reached[site] = matrix.NewBits(len(m.tests))
	}
	m.reached[site].Set(test)
	return nil
}

// SetUnmeasured notes that nothing is known of the test: its run failed.
func (m *Matrix) SetUnmeasured(test int) { m.unmeasured.Set(test) }

// Reaching returns the tests that reach a site. It is the matrix's own set: clone it before changing
// it.
func (m *Matrix) Reaching(site int) matrix.Bits {
	if m.reached[site].Len() == 0 {
		return m.none
	}
	return m.reached[site]
}

// Unmeasured returns the tests of which nothing is known.
func (m *Matrix) Unmeasured() matrix.Bits { return m.unmeasured }

// Name gives the sites names for readers, one each.
func (m *Matrix) Name(names []string) error {
	if len(names) != len(m.reached) {
		return fmt.Errorf("coverage: %d names for %d sites", len(names), len(m.reached))
	}
	m.names = names
	return nil
}

// Names returns the sites' names, nil where they have none; do not change them.
func (m *Matrix) Names() []string { return m.names }

// OnTests returns the coverage by the tests that keep takes, in their order.
func (m *Matrix) OnTests(keep func(test string) bool) *Matrix {
	var places []int
	out := &Matrix{kind: m.kind, names: m.names}
	for t, name := range m.tests {
		if keep(name) {
			places, out.tests = append(places, t), append(out.tests, name)
		}
	}
	for site := range m.reached {
		out.reached = append(out.reached, m.Reaching(site).At(places))
	}
	out.none = matrix.NewBits(len(places))
	out.unmeasured = m.unmeasured.At(places)
	return out
}

// Verdict is what the coverage alone says about a mutant at the site: Survived
// when the test is known not to reach it, else Unknown.
func (m *Matrix) Verdict(test, site int) matrix.Verdict {
	if m.Reaching(site).Get(test) || m.unmeasured.Get(test) {
		return matrix.Unknown
	}
	return matrix.Survived
}

// Schema is the columns of cover.parquet.
func Schema() table.Schema {
	return table.Schema{
		{Name: "site", Type: table.Int64, Doc: "ordinal of the site, as in mutants.parquet; of infections: the place of the mutant there, from 0; of branches: the number of the side, from 0"},
		{Name: "test", Type: table.Int64, Doc: "number of the test in the file's list of tests, from 0"},
		{Name: "test_name", Type: table.String, Doc: "name of the test"},
	}
}

const metaKey = "winnow.cover"

// header is the metadata of a file.
type header struct {
	Kind       Kind     `json:"kind"`
	Sites      int      `json:"sites"`
	Tests      []string `json:"tests"`
	Unmeasured []int    `json:"unmeasured"`
	Names      []string `json:"names,omitempty"`
}

// Write puts the matrix at path.
func Write(path string, m *Matrix) error {
	h := header{Kind: m.kind, Sites: len(m.reached), Tests: m.tests, Unmeasured: []int{}, Names: m.names}
	for t := range m.unmeasured.All() {
		h.Unmeasured = append(h.Unmeasured, t)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("write coverage: %w", err)
	}
	rows, err := table.New(Schema())
	if err != nil {
		return fmt.Errorf("write coverage: %w", err)
	}
	rows.Meta = map[string]string{metaKey: string(text)}
	for site, tests := range m.reached {
		for t := range tests.All() {
			if err := rows.Append(site, t, m.tests[t]); err != nil {
				return fmt.Errorf("write coverage: %w", err)
			}
		}
	}
	return table.Write(path, rows)
}

// Read reads the matrix at path.
func Read(path string) (*Matrix, error) {
	rows, err := table.Read(path, "site", "test")
	if err != nil {
		return nil, fmt.Errorf("read coverage: %w", err)
	}
	m, err := fromTable(rows)
	if err != nil {
		return nil, fmt.Errorf("read coverage %s: %w", path, err)
	}
	return m, nil
}

func fromTable(rows *table.Table) (*Matrix, error) {
	text, ok := rows.Meta[metaKey]
	if !ok {
		return nil, fmt.Errorf("metadata %s is missing: %w", metaKey, table.ErrForeign)
	}
	var h header
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", metaKey, err)
	}
	m, err := New(h.Kind, h.Tests, h.Sites)
	if err != nil {
		return nil, err
	}
	for _, t := range h.Unmeasured {
		if t < 0 || t >= len(h.Tests) {
			return nil, fmt.Errorf("unmeasured test %d of %d", t, len(h.Tests))
		}
		m.SetUnmeasured(t)
	}
	if h.Names != nil {
		if err := m.Name(h.Names); err != nil {
			return nil, err
		}
	}
	sites, err := rows.Ints("site")
	if err != nil {
		return nil, err
	}
	tests, err := rows.Ints("test")
	if err != nil {
		return nil, err
	}
	for i := range sites {
		if err := m.Set(int(tests[i]), int(sites[i])); err != nil {
			return nil, err
		}
	}
	return m, nil
}
