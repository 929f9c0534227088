package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/project"
)

// nextHelp is what the user may answer.
const nextHelp = `  i            a test's standard input follows, up to a line with a full stop
  a ARG...     a test with these arguments
  h            look for an input that tells the mutant from the program
  y            what the program does with that input is right: take it as a test
  t            the project's tests have changed: run them
  e REASON     equivalent: no test can tell it
  w REASON     worthless: not worth a test
  s REASON     simplify: the code is what has to change
  n            not now: the next one
  q            enough
`

func newNext() *cobra.Command {
	var opts mcpOptions
	var first nextOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "next [PROJECT|RUN]",
		Short: "Go through the survivors of a run one by one, with a test or a verdict for each",
		Long: `Go through the survivors of a run one by one, the most worth a test first. Each is
shown with its diff and how far the tests come; the answer is a test, which is run at
once on all mutants that live, or a verdict, which is kept with the run and not asked
for again.

Of a PROJECT, a folder with winnow.toml (the current one where none is named), the tests
are run first, and the run is kept in --state, as are the tests that you give and that
kill something (tests.jsonl there): the next call goes on. RUN is what winnow run wrote
(--out), and --project the folder that was run; what you give is forgotten then.

Answers are read from standard input, a line each:

` + nextHelp + `
With --json nothing but JSON is written, a value a line: {"mutant": ...} for each that is
shown, {"hint": ...} for inputs that tell it, {"tried": ...} and {"check": ...} for tests,
{"refused": ...} for answers that are not carried out and {"end": ...}. winnow mcp --call
gives the same, a call at a time.`,
		Example: "  winnow next examples/bst\n  winnow run --out winnow-out examples/bst\n  winnow next winnow-out --project examples/bst",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run = orDefault(args, here)[0]
			if len(args) == 0 || paths.Exist(filepath.Join(opts.Run, project.File)) {
				if err := first.record(cmd.Context(), &opts, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			session, err := openSession(cmd.Context(), opts)
			if err != nil {
				return refused(err)
			}
			defer session.Close()
			session.Ahead(cmd.Context())
			r := &round{session: session, built: session.Built(), keep: first.tests, json: asJSON, answers: bufio.NewScanner(cmd.InOrStdin()), out: cmd.OutOrStdout()}
			r.answers.Buffer(nil, agent.MostInput)
			return r.all(cmd.Context())
		},
	}
	opts.addRun(cmd.Flags())
	first.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON, a value a line, for programs")
	return ends(cmd, exit.Baseline, exit.Input, exit.Tool, exit.Output)
}

// round is a way through the survivors.
type round struct {
	session *agent.Session
	answers *bufio.Scanner
	out     io.Writer
	// built says that the tests are the project's own programs, and keep is the file for tests that
	// kill something; "" forgets them.
	built  bool
	json   bool
	keep   string
	tried  int
	passed []string    // ids that were put off
	hint   *agent.Hint // that was shown last, for the mutant in hand
}

// errEnough says that the user has had enough, or there are no more answers.
var errEnough = errors.New("enough")

func (r *round) all(ctx context.Context) error {
	for {
		card, left, err := r.open()
		if err != nil {
			return err
		}
		if card == nil && left > 0 {
			return r.tell("end", map[string]int{"left": left}, fmt.Sprintf("The first %d are put off, and %d more wait behind them: settle some of these first.", len(r.passed), left))
		}
		if card == nil {
			return r.tell("end", map[string]int{"left": 0}, "No survivor is left to look at.")
		}
		if err := r.show(ctx, card, left); err != nil {
			return err
		}
		for settled := false; !settled; {
			if settled, err = r.ask(ctx, card.ID); errors.Is(err, errEnough) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// open is the first survivor that is not settled nor put off, and how many there are beside;
// nil where all that are listed at once were put off.
func (r *round) open() (*agent.Card, int, error) {
	list, err := r.session.Next(min(len(r.passed)+1, agent.MostAtOnce))
	if err != nil {
		return nil, 0, err
	}
	for i := range list.Mutants {
		if c := &list.Mutants[i]; !slices.Contains(r.passed, c.ID) {
			return c, list.Left + len(list.Mutants) - 1, nil
		}
	}
	return nil, list.Left, nil
}

func (r *round) show(ctx context.Context, c *agent.Card, left int) error {
	detail, err := r.session.Show(c.ID)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("\n%s:%d  %s  %s", c.File, c.Line, c.Function, c.ID)
	if c.Alike > 0 {
		text += fmt.Sprintf("  +%d alike", c.Alike)
	}
	text += fmt.Sprintf("  (%d more to look at)\n\n", left)
	if detail.Diff == "" {
		text += fmt.Sprintf("    %s → %s\n", c.Original, c.Replacement)
	}
	for line := range strings.Lines(detail.Diff) {
		if !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ ") {
			text += "    " + line
		}
	}
	text += fmt.Sprintf("\n%s: %s.", c.Why, c.Suggestion)
	if c.UnitTest != "" {
		text += "\n\n    " + strings.ReplaceAll(c.UnitTest, "\n", "\n    ") + "\n"
	}
	r.hint = nil
	if err := r.tell("mutant", detail, text); err != nil || !r.session.Hinted(c.ID) {
		return err
	}
	return r.look(ctx, c.ID)
}

// tell writes a value for programs, or its words for people.
func (r *round) tell(name string, value any, words string) error {
	if r.json {
		return json.NewEncoder(r.out).Encode(map[string]any{name: value})
	}
	_, err := fmt.Fprintln(r.out, words)
	return err
}

// ask reads an answer and does what it says; settled is whether the next one is to be shown.
func (r *round) ask(ctx context.Context, id string) (settled bool, err error) {
	if !r.json {
		if _, err := fmt.Fprint(r.out, "i, a, h, y, t, e, w, s, n, q or ? > "); err != nil {
			return false, err
		}
	}
	if !r.answers.Scan() {
		if !r.json {
			fmt.Fprintln(r.out)
		}
		return false, errors.Join(r.answers.Err(), errEnough)
	}
	verb, rest, _ := strings.Cut(strings.TrimSpace(r.answers.Text()), " ")
	marks := map[string]string{"e": "equivalent", "w": "worthless", "s": "simplify"}
	switch verb {
	case "q":
		return false, errEnough
	case "n":
		r.passed = append(r.passed, id)
		return true, nil
	case "i":
		return r.check(ctx, id, &agent.Test{Input: r.input()})
	case "a":
		return r.check(ctx, id, &agent.Test{Args: strings.Fields(rest)})
	case "h":
		return false, r.say(r.look(ctx, id))
	case "y":
		if r.hint == nil {
			return false, r.tell("refused", "no input is known that tells it", "no input is known that tells it: h looks for one")
		}
		return r.check(ctx, id, &r.hint.Test)
	case "t":
		return r.check(ctx, id, nil)
	case "e", "w", "s":
		_, err := r.session.Mark(id, marks[verb], rest)
		return err == nil, r.say(err)
	}
	return false, r.tell("refused", "answers are i, a, h, y, t, e, w, s, n and q", strings.TrimSuffix(nextHelp, "\n"))
}

// input reads lines up to one with a full stop.
func (r *round) input() string {
	var text strings.Builder
	for r.answers.Scan() && r.answers.Text() != "." {
		text.WriteString(r.answers.Text() + "\n")
	}
	return text.String()
}

func (r *round) check(ctx context.Context, id string, test *agent.Test) (settled bool, err error) {
	if test != nil && !r.built {
		if settled, err := r.try(ctx, id, test); err != nil || settled {
			return settled, r.say(err)
		}
	}
	got, err := r.session.Check(ctx, id, test)
	if err != nil {
		return false, r.say(err)
	}
	words := map[string]string{"not reached": "not killed: the test does not come there", "infected": "not killed: it computes something else, and the test does not notice", "reached": "not killed: it is run, with values that make no difference"}[got.Verdict]
	if words == "" {
		words = got.Verdict
	}
	if got.Seen != "" {
		words += ", " + got.Seen
	}
	if got.Verdict == "killed" && test != nil {
		words += ": add the test to the project, so that it stays so"
	}
	return got.Verdict == "killed", r.tell("check", got, words)
}

// say tells why an answer was refused; other errors end the way.
func (r *round) say(err error) error {
	if no := (*agent.Refused)(nil); errors.As(err, &no) {
		return r.tell("refused", no.Reason, no.Reason)
	}
	return err
}
