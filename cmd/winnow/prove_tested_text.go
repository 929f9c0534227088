package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/report"
)

// writeText writes what is known of the survivors for people: what is to be done first comes
// first, which is to take the tests.
func (s *survivorProofs) writeText(out *strings.Builder, all bool) {
	fmt.Fprintf(out, "%s: %d of %d mutants survive %s (%.1f s)\n", s.Program, s.Survived, s.Mutants, report.Tests(s.Tests), s.Seconds)
	kills := 0
	for _, t := range s.Killable {
		kills += len(t.Kills)
	}
	made := "tests that were made kill"
	if len(s.Killable) == 1 {
		made = "a test that was made kills"
	}
	for _, line := range []struct {
		n    int
		what string
	}{{len(s.Equivalent), "no test can kill"}, {kills, made}, {len(s.Different), "an input or a call of their function tells"}, {len(s.Open), "are open"}, {s.Unknown, "others were not run, for lack of time"}} {
		if line.n > 0 {
			fmt.Fprintf(out, "  %4d  %s\n", line.n, line.what)
		}
	}
	if s.NoTests != "" {
		fmt.Fprintf(out, "no tests were made: %s\n", s.NoTests)
	}
	s.writeKillable(out)
	writeSurvivors(out, "an input that was not run, or a call of their function, which your program may never make, tells them", s.Different)
	writeSurvivors(out, "no test can kill them", s.Equivalent)
	switch {
	case len(s.Open) == 0:
	case all:
		writeSurvivors(out, "open", s.Open)
	default:
		fmt.Fprintf(out, "\nwith --all: the %d that are open\n", len(s.Open))
	}
}

// writeKillable writes the tests that were made.
func (s *survivorProofs) writeKillable(out *strings.Builder) {
	if len(s.Killable) == 0 {
		return
	}
	out.WriteString("\nTests that were made of yours; each was run. Is what the program prints right? Then take it as a test.\n")
	for k := range s.Killable {
		t := &s.Killable[k]
		fmt.Fprintf(out, "\n%s kills", t.Name)
		if k > 0 {
			out.WriteString(" further")
		}
		fmt.Fprintf(out, " %d:\n\n", len(t.Kills))
		var proofs []survivorProof
		for _, c := range t.Kills {
			proofs = append(proofs, survivorProof{Change: c})
		}
		writeChanges(out, proofs[:min(len(proofs), mostKillsListed)])
		if more := len(proofs) - mostKillsListed; more > 0 {
			fmt.Fprintf(out, "  … and %d more\n", more)
		}
		out.WriteString("\n")
		writeDifference(out, &agent.Hint{Test: t.Test, Original: t.Original, Mutant: t.Mutant})
	}
}

// mostKillsListed bounds the mutants that are listed of a test.
const mostKillsListed = 5

func writeSurvivors(out *strings.Builder, title string, list []survivorProof) {
	if len(list) > 0 {
		fmt.Fprintf(out, "\n%s\n", title)
		writeChanges(out, list)
	}
}

func writeChanges(out *strings.Builder, list []survivorProof) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range list {
		fmt.Fprintf(w, "  %s:%d:%d\t%s\t%s", p.File, p.Line, p.Column, p.ID, report.ChangeText(p.Original, p.Replacement))
		if p.Reason != "" {
			fmt.Fprintf(w, "\t%s", p.Reason)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}
