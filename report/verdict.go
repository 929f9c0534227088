package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/mutant"
)

// Verdict is all that a run says of one mutant.
type Verdict struct {
	Survivor
	Verdict string `json:"verdict"`
	// KilledBy are the tests that kill it, with what they saw.
	KilledBy []Killer `json:"killed_by,omitempty"`
	// Unknown are the tests on which it has no verdict.
	Unknown []string `json:"unknown,omitempty"`
	// Reason says why no test can kill it, of an equivalent one.
	Reason string `json:"reason,omitempty"`
}

// Killer is a test that kills a mutant.
type Killer struct {
	Test  string `json:"test"`
	Cause string `json:"cause"`
}

// ErrNoSuchMutant is wrapped when an id names no mutant of a run.
var ErrNoSuchMutant = errors.New("no such mutant")

// NewVerdict finds the mutant with an id, or the only one whose id begins so.
func NewVerdict(s *dataset.Subject, id string) (*Verdict, error) {
	if s.Mutants == nil || s.Kills == nil {
		return nil, errors.New("the run holds no mutants, or no kills")
	}
	ids, err := s.Mutants.Strings("id")
	if err != nil {
		return nil, fmt.Errorf("reading the mutants: %w", err)
	}
	at, other := mutant.Find(ids, id)
	switch {
	case other >= 0:
		return nil, fmt.Errorf("%w: %s is the beginning of %s and of %s", ErrNoSuchMutant, id, ids[at], ids[other])
	case at < 0:
		return nil, fmt.Errorf("%w: %s", ErrNoSuchMutant, id)
	}
	v := &Verdict{Survivor: survivorOf(s.Mutants, at), Verdict: "not run"}
	for k, known := range s.Kills.Mutants() {
		if known == v.ID {
			v.read(s, k)
		}
	}
	return v, nil
}

func (v *Verdict) read(s *dataset.Subject, k int) {
	v.Verdict = s.Kills.Verdict(k).String()
	if proof, ok := s.Proved()[v.ID]; ok {
		v.Verdict, v.Reason = "equivalent", proof.Reason
	}
	example := s.Examples()[v.ID]
	v.Told, v.Given = example.Reason, example.Given
	v.Reached, v.Infected = names(s.Kills, s.Kills.Reached(k)), names(s.Kills, s.Kills.Infected(k))
	v.Unknown = names(s.Kills, s.Kills.Unknown(k))
	for t := range s.Kills.Killed(k).All() {
		v.KilledBy = append(v.KilledBy, Killer{Test: s.Kills.Tests()[t], Cause: s.Kills.Cell(k, t).Cause.String()})
	}
}

// mostNamed bounds the tests that are named in a text.
const mostNamed = 10

// WriteText writes the mutant for a terminal: where it is, what it changes, and what
// the tests see of it.
func (v *Verdict) WriteText(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s:%d:%d, in %s (operator %s)\n\n", v.ID, v.File, v.Line, v.Column, v.Function, v.Operator)
	switch {
	case v.Diff != "":
		out.WriteString(strings.TrimRight(v.Diff, "\n") + "\n\n")
	case v.IROnly:
		fmt.Fprintf(&out, "    %s → %s\n\nNo change of the C text does exactly this.\n\n", oneLine(v.Original), oneLine(v.Replacement))
	default:
		fmt.Fprintf(&out, "    %s → %s\n\n", oneLine(v.Original), oneLine(v.Replacement))
	}
	switch v.Verdict {
	case "survived":
		fmt.Fprintf(&out, "Survived: %s.\n", v.Why())
		if len(v.Args) > 0 {
			fmt.Fprintf(&out, "\nThe arguments that tell it:\n\n    %s\n\n", shellWords(v.Args))
		}
		for _, f := range v.Files {
			fmt.Fprintf(&out, "\nThe file %s that tells it:\n\n%s\n", f.Name, movedIn(f.Text))
		}
		if v.UnitTest != "" {
			fmt.Fprintf(&out, "\nA unit test that the original passes:\n\n%s\n", movedIn(v.UnitTest))
		}
		if v.Input != "" {
			fmt.Fprintf(&out, "\nThe input that tells it:\n\n%s\n", movedIn(v.Input))
		}
	case "equivalent":
		fmt.Fprintf(&out, "Equivalent: no test can kill it: %s.\n", v.Reason)
	case "killed":
		var killers []string
		for _, k := range v.KilledBy {
			killers = append(killers, k.Test+" ("+k.Cause+")")
		}
		fmt.Fprintf(&out, "Killed by %s: %s\n", Tests(len(killers)), firstOf(killers))
	default:
		fmt.Fprintf(&out, "No verdict: %s.\n", v.Verdict)
	}
	for _, list := range []struct {
		what  string
		tests []string
	}{{"Run by", v.Reached}, {"May compute something else in", v.Infected}, {"No verdict on", v.Unknown}} {
		if len(list.tests) > 0 {
			fmt.Fprintf(&out, "%s: %s\n", list.what, firstOf(list.tests))
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("writing the mutant: %w", err)
	}
	return nil
}

// movedIn is a text of whole lines, each moved in.
func movedIn(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// firstOf names the first of a list and counts the rest.
func firstOf(list []string) string {
	if len(list) <= mostNamed {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:mostNamed], ", "), len(list)-mostNamed)
}
