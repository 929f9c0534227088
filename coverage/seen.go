package coverage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
)

// seen gathers what runs cover, in whichever order they end.
type seen struct {
	mu       sync.Mutex
	measured matrix.Bits
	// covering are the tests that cover an element, by the element with Covered false.
	covering map[Element]matrix.Bits
}

func newSeen(tests int) *seen {
	return &seen{measured: matrix.NewBits(tests), covering: map[Element]matrix.Bits{}}
}

func (s *seen) add(test int, all []Element) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.measured.Set(test)
	for _, e := range all {
		covered := e.Covered
		e.Covered = false
		tests, known := s.covering[e]
		if !known {
			tests = matrix.NewBits(s.measured.Len())
			s.covering[e] = tests
		}
		if covered {
			tests.Set(test)
		}
	}
}

// matrices are what was seen, by the criteria of the tool.
func (s *seen) matrices(tool Found, tests []string) ([]*criterion.Matrix, error) {
	elements := slices.SortedFunc(maps.Keys(s.covering), func(a, b Element) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	var out []*criterion.Matrix
	for _, name := range tool.Criteria {
		var of []Element
		var named []string
		for _, e := range elements {
			if e.Criterion == name {
				of, named = append(of, e), append(named, e.String())
			}
		}
		m, err := criterion.New(tool.Name, name, tests, named)
		if err != nil {
			return nil, err
		}
		for k, e := range of {
			for t := range s.covering[e].All() {
				m.Set(k, t, matrix.Killed)
			}
		}
		for t := range tests {
			if !s.measured.Get(t) {
				m.SetUnmeasured(t)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// String says where an element is, e.g. "a.c:12 branch 1".
func (e Element) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s:%d %s", e.File, e.Line, e.Name))
}
