package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/agent"
)

// mostHintLines bounds what is shown of a hint's input and outputs.
const mostHintLines = 12

// look shows an input that tells the mutant in hand from the program.
func (r *round) look(ctx context.Context, id string) error {
	hint, err := r.session.Hint(ctx, id)
	if err != nil {
		return err
	}
	r.hint = hint
	if hint == nil {
		return r.tell("hint", nil, "No input was found that tells it: it may be equivalent, or take what none of your tests comes near to.")
	}
	return r.tell("hint", hint, hintText(hint))
}

// hintText is a hint in words.
func hintText(h *agent.Hint) string {
	var out strings.Builder
	out.WriteString("\nAn input that tells them apart, made of your tests; both were run:\n\n")
	writeDifference(&out, h)
	also := ""
	if h.Kills > 1 {
		also = fmt.Sprintf(", which kills %d of the mutants that live", h.Kills)
	}
	fmt.Fprintf(&out, "\nIf what the program does is right, y takes it as a test%s; if not, you have found a fault.", also)
	return out.String()
}

// writeDifference writes an input, and what the program and the mutant do with it.
func writeDifference(out *strings.Builder, h *agent.Hint) {
	if len(h.Args) > 0 {
		fmt.Fprintf(out, "    arguments: %s\n", strings.Join(h.Args, " "))
	}
	writeLines(out, linesOf(h.Input))
	original, mutant := linesOf(h.Original.Prints), linesOf(h.Mutant.Prints)
	from := 0
	for from < min(len(original), len(mutant)) && original[from] == mutant[from] {
		from++
	}
	if from == len(original) && from == len(mutant) {
		fmt.Fprintf(out, "\nBoth print the same; the program %s, the mutant %s.\n", h.Original.Ends, h.Mutant.Ends)
	} else {
		at := ""
		if from > 0 {
			at = fmt.Sprintf(" from line %d on", from+1)
		}
		fmt.Fprintf(out, "\nThe program prints%s, and %s:\n\n", at, h.Original.Ends)
		writeLines(out, original[from:])
		fmt.Fprintf(out, "\nThe mutant prints%s, and %s:\n\n", at, h.Mutant.Ends)
		writeLines(out, mutant[from:])
	}
}

// linesOf are the lines of a text, without their ends; none of an empty one.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// writeLines writes some lines, in from the margin and made visible.
func writeLines(out *strings.Builder, lines []string) {
	if len(lines) == 0 {
		out.WriteString("    (nothing)\n")
	}
	for k, line := range lines {
		if k == mostHintLines {
			fmt.Fprintf(out, "    … and %d lines more\n", len(lines)-k)
			return
		}
		fmt.Fprintf(out, "    %s\n", printable(line))
	}
}

// printable is a line of a program's, which may hold anything, for a terminal.
func printable(line string) string {
	quoted := fmt.Sprintf("%q", line)
	if quoted = quoted[1 : len(quoted)-1]; len(quoted) > 160 {
		quoted = quoted[:160] + " …"
	}
	return strings.ReplaceAll(quoted, `\"`, `"`)
}
