package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/inputs"
)

// Example is what tells a mutant from the original, as the interpreter runs both: an input of
// the program, or a call of the function.
type Example struct {
	inputs.Given
	Original *Ending `json:"original,omitempty"`
	Mutant   *Ending `json:"mutant,omitempty"`
	// Call is a call, and what it comes to, as a sentence; "" where there is an input.
	Call string `json:"call,omitempty"`
}

// Ending is what a run comes to.
type Ending struct {
	Printed string `json:"printed"`
	// Status is that of a run that ends, in time, and does not crash.
	Status  int  `json:"status"`
	Ended   bool `json:"ended"`
	Crashed bool `json:"crashed"`
}

// What is shown of an input and of what is printed, in characters.
const (
	mostOfInput  = 40
	mostOfOutput = 24
)

// String says it in words, cut to what a table has room for.
func (e *Example) String() string {
	if e.Call != "" {
		return e.Call
	}
	var given []string
	if len(e.Args) > 0 {
		given = append(given, "the arguments "+shortened(shellWords(e.Args)))
	}
	for _, f := range e.Files {
		given = append(given, "the file "+f.Name+" of "+shown(f.Text, "nothing"))
	}
	switch {
	case e.Input != "" && len(given) > 0:
		given = append(given, "the input "+shown(e.Input, ""))
	case e.Input != "" || len(given) == 0:
		given = append(given, shown(e.Input, "no input"))
	}
	return "for " + strings.Join(given, " and ") + " " + e.difference()
}

// shown is a text in quotes, without the end of its last line, or what it is called where it is empty.
func shown(text, empty string) string {
	switch text {
	case "":
		return empty
	case "\n":
		return "an empty line"
	}
	return cut(strings.TrimSuffix(text, "\n"), 0, mostOfInput)
}

// shellWords are arguments as in a command line, in quotes where a shell needs them.
func shellWords(args []string) string {
	var words []string
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$`*?[]#~&|;<>(){}!") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// shortened is a text cut to what a table has room for.
func shortened(text string) string {
	if runes := []rune(text); len(runes) > mostOfInput {
		return string(runes[:mostOfInput-1]) + "…"
	}
	return text
}

func (e *Example) difference() string {
	switch o, m := e.Original, e.Mutant; {
	case m.Crashed:
		return "it crashes"
	case !m.Ended:
		return "it does not end in time"
	case o.Printed == m.Printed:
		return fmt.Sprintf("the status is %d, not %d", m.Status, o.Status)
	case m.Printed == "":
		return "it prints nothing, not " + cut(strings.TrimSuffix(o.Printed, "\n"), 0, mostOfOutput)
	case o.Printed == "":
		return "it prints " + cut(strings.TrimSuffix(m.Printed, "\n"), 0, mostOfOutput) + ", not nothing"
	}
	switch was, is := firstDifference(e.Original.Printed, e.Mutant.Printed); {
	case was == "":
		return "it prints " + is + ", too"
	case is == "":
		return "it does not print " + was
	default:
		return "it prints " + is + ", not " + was
	}
}

// firstDifference is where two texts differ first: their lines there, or what is about it, where
// these are long; "" of one that has come to its end.
func firstDifference(a, b string) (was, is string) {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from, before := strings.LastIndexByte(a[:at], '\n')+1, 0
	if before = at - from - mostOfOutput/2; before > 0 {
		from += before
	}
	line := func(text string, end int) string {
		if len(text) == from {
			return ""
		}
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			return cut(text[from:at+n+end], before, mostOfOutput)
		}
		return cut(text[from:], before, mostOfOutput)
	}
	const empty = `""`
	if was, is = line(a, 0), line(b, 0); was == is || was == empty || is == empty { // but for the end of the line
		return line(a, 1), line(b, 1)
	}
	return was, is
}

// cut is a text in quotes as C writes it, of at most so many characters; before says that some
// were left out before it.
func cut(text string, before, most int) string {
	runes := []rune(text)
	end := ""
	if len(runes) > most {
		runes, end = runes[:most-1], "…"
	}
	quoted := strconv.Quote(string(runes))
	start := ""
	if before > 0 {
		start = "…"
	}
	return quoted[:1] + start + quoted[1:len(quoted)-1] + end + quoted[len(quoted)-1:]
}
