package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// maker makes tests of those of a program, in turn of the form that all of them have
// (package inputs/grammar) and of none (package inputs/variation), and keeps those on which
// the program runs clean under sanitizers.
type maker struct {
	r       *recording
	tests   []execute.Test
	checker *checker
	formed  func() (execute.Test, []byte, bool) // nil when there are no more
	stop    func()
	varied  *variation.Generator
	from    map[string]int // of the tests that it made: of which one each
}

// newMaker makes a maker. Of a program that does not compile with sanitizers no test is
// made.
func newMaker(ctx context.Context, r *recording, tests []execute.Test) (*maker, error) {
	m := &maker{r: r, tests: tests, from: map[string]int{}}
	var err error
	m.checker, err = newChecker(ctx, r.builder, r.c.Inputs, "checked")
	if failure := (*clang.Error)(nil); errors.As(err, &failure) && ctx.Err() == nil && exit.Of(err) != exit.System {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	if m.formed, m.stop, err = draftsOf(tests, r.opts.Seed, r.c.Program); err != nil {
		m.close()
		return nil, err
	}
	var words []string
	for _, in := range r.c.Inputs {
		source, err := os.ReadFile(in.Path)
		if err != nil {
			m.close()
			return nil, fmt.Errorf("reading the words of a program: %w", err)
		}
		words = append(words, variation.WordsOf(source)...)
	}
	var from []variation.Test
	for i := range tests {
		text, err := tests[i].ReadInput()
		if err != nil {
			m.close()
			return nil, err
		}
		from = append(from, variation.Test{Input: text, Args: tests[i].Args})
	}
	m.varied = variation.New(from, words, r.opts.Seed, r.c.Program)
	return m, nil
}

func (m *maker) close() {
	if m == nil {
		return
	}
	m.checker.remove()
	if m.stop != nil {
		m.stop()
	}
}

// next drafts n tests, and returns those that are clean; more is false where there are no
// further ones.
func (m *maker) next(ctx context.Context, n int) (tests []execute.Test, more bool, err error) {
	if m.varied == nil {
		return nil, false, nil
	}
	for k := range n {
		if k%2 == 0 && m.formed != nil {
			t, text, ok := m.formed()
			if !ok {
				m.formed = nil
			} else {
				t.Input, t.Text = "", text
				tests = append(tests, t)
				continue
			}
		}
		v, ok := m.varied.Next()
		if !ok {
			break
		}
		t := m.tests[v.From]
		t.Name, t.Input, t.Text, t.Args = fmt.Sprintf("varied-%03d", len(m.from)+1), "", v.Input, v.Args
		m.from[t.Name] = v.From
		tests = append(tests, t)
	}
	if more = len(tests) == n; len(tests) == 0 {
		return nil, more, nil
	}
	tests, err = m.checker.clean(ctx, tests, m.r.bench.execute)
	return tests, more, err
}

// useful has a test that was varied varied in turn.
func (m *maker) useful(t *execute.Test) {
	if from, ok := m.from[t.Name]; ok {
		m.varied.Add(variation.Test{Input: t.Text, Args: t.Args, From: from})
	}
}
