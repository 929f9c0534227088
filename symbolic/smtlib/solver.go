package smtlib

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Answer is what a solver says.
type Answer uint8

// The answers; Unknown is also that of a solver that died, or had no time.
const (
	Unknown Answer = iota
	Unsat
	Sat
)

// Solver is a solver of somebody else's, asked by its standard input. It is for one goroutine.
type Solver struct {
	path  string
	args  []string
	limit time.Duration

	cmd   *exec.Cmd
	in    io.WriteCloser
	pipe  io.ReadCloser
	out   *bufio.Reader
	dead  int
	tried bool
}

// arguments make the solvers that are known read from a pipe.
var arguments = map[string][]string{
	"cvc5": {"--lang=smt2", "--incremental", "--produce-models", "--quiet"},
	"z3":   {"-in", "-smt2"},
}

// ErrUnknownSolver is returned for what is no solver that is known.
var ErrUnknownSolver = errors.New("the solvers that can be asked are cvc5 and z3")

// NewSolver makes a solver of the program cvc5 or z3, or of one of these names at a path. Each
// question may take so long. It is an error if there is none.
func NewSolver(name string, limit time.Duration) (*Solver, error) {
	args, ok := arguments[filepath.Base(name)]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, ErrUnknownSolver)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed", name)
	}
	return &Solver{path: path, args: args, limit: limit}, nil
}

// mostDeaths is after how many deaths a solver is left alone.
const mostDeaths = 3

// ErrLies is returned when a solver answers a question wrongly whose answer is known.
var ErrLies = errors.New("the solver answers questions wrongly whose answers are known")

// Ask asks whether a condition can hold. Where it can, the values are those of its inputs and
// functions in a model, by term. An error is of the context, or ErrLies.
func (s *Solver) Ask(ctx context.Context, condition *term.Term) (Answer, map[*term.Term]uint64, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, nil, err
	}
	if err := s.Check(ctx); err != nil {
		return Unknown, nil, err
	}
	return s.ask(ctx, condition)
}

// Check asks two questions whose answers are known, the first time. An error is of the context,
// or ErrLies.
func (s *Solver) Check(ctx context.Context) error {
	if s.tried {
		return nil
	}
	s.tried = true
	p := term.NewPool()
	x, y := p.Var("x", 8), p.Var("y", 8)
	holds := p.Eq(p.Mul(x, y), p.Number(77, 8))
	never := p.And(p.Ult(x, y), p.And(p.Ult(y, p.Var("z", 8)), p.Ult(p.Var("z", 8), x)))
	yes, _, err := s.ask(ctx, holds)
	if err != nil {
		return err
	}
	no, _, err := s.ask(ctx, never)
	if err == nil && (yes == Unsat || no == Sat) {
		err = fmt.Errorf("%s: %w", s.path, ErrLies)
		s.Close()
		s.dead = mostDeaths
	}
	return err
}

func (s *Solver) ask(ctx context.Context, condition *term.Term) (Answer, map[*term.Term]uint64, error) {
	if s.dead >= mostDeaths || s.start() != nil {
		return Unknown, nil, nil
	}
	within, stop := context.WithTimeout(ctx, s.limit)
	defer stop()
	defer context.AfterFunc(within, endOf(s.cmd, s.pipe))()
	answer, values, err := s.exchange(condition)
	if err == nil && within.Err() == nil {
		return answer, values, nil
	}
	s.Close()
	if within.Err() == nil { // it died by itself
		s.dead++
	}
	return Unknown, nil, ctx.Err()
}

// start starts the process, unless it runs.
func (s *Solver) start() error {
	if s.cmd != nil {
		return nil
	}
	cmd := exec.Command(s.path, s.args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		s.dead = mostDeaths
		return err
	}
	s.cmd, s.in, s.pipe, s.out = cmd, in, out, bufio.NewReader(out)
	return nil
}

// Close ends the process.
func (s *Solver) Close() {
	if s.cmd == nil {
		return
	}
	endOf(s.cmd, s.pipe)()
	s.in.Close() //nolint:errcheck // nobody reads it any more
	s.cmd.Wait() //nolint:errcheck // killed
	s.cmd = nil
}

// endOf ends a process and whoever waits for its answer.
func endOf(cmd *exec.Cmd, pipe io.Closer) func() {
	return func() {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
		pipe.Close()       //nolint:errcheck // it may be closed
	}
}

// exchange puts the question and reads the answer. An error is that of a process that died or
// says what nobody understands.
func (s *Solver) exchange(condition *term.Term) (Answer, map[*term.Term]uint64, error) {
	text := bufio.NewWriter(s.in)
	fmt.Fprintln(text, "(reset)\n(set-option :produce-models true)")
	if err := Write(text, condition); err != nil {
		return Unknown, nil, err
	}
	if err := text.Flush(); err != nil {
		return Unknown, nil, err
	}
	line := ""
	for strings.TrimSpace(line) == "" { // what is left of the answer before
		var err error
		if line, err = s.out.ReadString('\n'); err != nil {
			return Unknown, nil, err
		}
	}
	switch strings.TrimSpace(line) {
	case "unsat":
		return Unsat, nil, nil
	case "unknown", "timeout":
		return Unknown, nil, nil
	case "sat":
		values, err := s.values(condition)
		return Sat, values, err
	}
	return Unknown, nil, fmt.Errorf("the solver says %s", strings.TrimSpace(line))
}

// values asks for those of all inputs and functions of bits.
func (s *Solver) values(condition *term.Term) (map[*term.Term]uint64, error) {
	var wanted []*term.Term
	var names []string
	term.Each(func(t *term.Term) {
		if t.IsBits() && (t.Op == term.Var || t.Op == term.App) {
			wanted, names = append(wanted, t), append(names, nameOf(t))
		}
	}, condition)
	out := map[*term.Term]uint64{}
	if len(wanted) == 0 {
		return out, nil
	}
	if _, err := fmt.Fprintf(s.in, "(get-value (%s))\n", strings.Join(names, " ")); err != nil {
		return nil, err
	}
	answer, err := readExpression(s.out)
	if err != nil {
		return nil, err
	}
	found := valuesOf(answer)
	for k, t := range wanted {
		x, ok := found[names[k]]
		if !ok {
			return nil, fmt.Errorf("the solver has no value of %s", names[k])
		}
		out[t] = x & term.Mask(t.Width)
	}
	return out, nil
}

// mostAnswer bounds an answer, in bytes.
const mostAnswer = 64 << 20

// readExpression reads up to the parenthesis that closes the first.
func readExpression(from *bufio.Reader) (string, error) {
	var b strings.Builder
	depth := 0
	for b.Len() < mostAnswer {
		c, err := from.ReadByte()
		if err != nil {
			return "", err
		}
		b.WriteByte(c)
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return b.String(), nil
			}
		}
	}
	return "", errors.New("the solver's answer has no end")
}

// valuesOf reads pairs of a name and a vector: ((t1 #x0a) (t2 (_ bv3 8)) (t3 #b1)).
func valuesOf(answer string) map[string]uint64 {
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(answer))
	out := map[string]uint64{}
	for k := 0; k+1 < len(words); {
		name, value := words[k], words[k+1]
		k += 2
		base, digits := 10, ""
		switch {
		case strings.HasPrefix(value, "#x"):
			base, digits = 16, value[2:]
		case strings.HasPrefix(value, "#b"):
			base, digits = 2, value[2:]
		case value == "_" && k+1 < len(words) && strings.HasPrefix(words[k], "bv"):
			digits = words[k][2:]
			k += 2
		default:
			continue
		}
		if x, err := strconv.ParseUint(digits, base, 64); err == nil {
			out[name] = x
		}
	}
	return out
}
