package exchange

import (
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
)

// mostAnnotations is how many annotations GitHub shows of a step; it drops the rest silently.
const mostAnnotations = 10

// GitHub writes the best new gaps as annotations of GitHub Actions, and how many are hidden.
func GitHub(w io.Writer, r *findings.Run) error {
	var out strings.Builder
	news := r.News()
	for n, g := range news {
		if n == mostAnnotations {
			fmt.Fprintf(&out, "::notice title=winnow::%d more gaps are not shown here: see the report\n", len(news)-n)
			break
		}
		f := &r.Findings[g.Lead]
		fmt.Fprintf(&out, "::warning file=%s,line=%d,col=%d,title=%s::%s\n", property(r.Path(f.File)), max(f.Line, 1), max(f.Column, 1),
			property("No test notices ("+f.ID+")"), data(Message(r, g)))
	}
	return written(w, "annotations", out.String())
}

// data and property escape as GitHub's own toolkit does.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

// GitLab writes new gaps as a report of GitLab's code quality: a merge request shows those that
// its target does not have, which it tells by the fingerprint.
func GitLab(w io.Writer, r *findings.Run) error {
	type issue struct {
		Description string `json:"description"`
		Check       string `json:"check_name"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string         `json:"path"`
			Lines map[string]int `json:"lines"`
		} `json:"location"`
	}
	issues := []issue{}
	for _, g := range r.News() {
		f := &r.Findings[g.Lead]
		i := issue{Description: Message(r, g), Check: "winnow/" + f.Operator, Severity: "minor",
			Fingerprint: fmt.Sprintf("%x", sha256.Sum256([]byte(r.Path(f.File)+"\x00"+f.ID)))[:32]}
		if f.Status == findings.Unreached {
			i.Severity = "info"
		}
		i.Location.Path, i.Location.Lines = r.Path(f.File), map[string]int{"begin": max(f.Line, 1)}
		issues = append(issues, i)
	}
	text, err := json.MarshalIndent(issues, "", " ")
	if err != nil {
		return fmt.Errorf("writing code quality: %w", err)
	}
	return written(w, "code quality", string(text)+"\n")
}

// JUnit writes one test case a function, which fails when it has new gaps: a case a mutant
// would be too long a list for those who show it.
func JUnit(w io.Writer, r *findings.Run) error {
	gaps := map[[2]string][]string{}
	for _, g := range r.News() {
		f := &r.Findings[g.Lead]
		at := [2]string{f.File, f.Function}
		gaps[at] = append(gaps[at], fmt.Sprintf("%s:%d: %s [%s]", r.Path(f.File), f.Line, Message(r, g), f.ID))
	}
	suite := junitSuite{Name: "winnow " + r.Name(), Cases: []junitCase{}}
	for i := range r.Functions {
		f := &r.Functions[i]
		c := junitCase{Class: strings.ReplaceAll(r.Path(f.File), "/", "."), Name: f.Name, File: r.Path(f.File)}
		if list := gaps[[2]string{f.File, f.Name}]; len(list) > 0 {
			suite.Failures++
			c.Failure = &junitText{Message: fmt.Sprintf("%d gaps in the tests of %s", len(list), f.Name), Text: strings.Join(list, "\n")}
		} else if f.Unknown == f.Mutants {
			suite.Skipped++
			c.Skipped = &junitText{Message: "no mutant of it has a verdict"}
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	text, err := xml.MarshalIndent(struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}{Suite: suite}, "", " ")
	if err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	return written(w, "JUnit", xml.Header+string(text)+"\n")
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	File    string     `xml:"file,attr"`
	Failure *junitText `xml:"failure"`
	Skipped *junitText `xml:"skipped"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Markdown writes a summary for a job or a comment: the best new gaps, and how many are hidden.
func Markdown(w io.Writer, r *findings.Run) error {
	var out strings.Builder
	news := r.News()
	fmt.Fprintf(&out, "### winnow: %s\n\n%d of %d mutants survive %s: %d gaps, %d of them new.\n", cell(r.Name()),
		r.Count(findings.Survived)+r.Count(findings.Unreached), r.Ran(), report.Tests(len(r.Tests)), len(r.Gaps), len(news))
	if len(news) > 0 {
		out.WriteString("\n| place | change | why no test notices | id |\n|---|---|---|---|\n")
	}
	for n, g := range news {
		if n == mostAnnotations {
			fmt.Fprintf(&out, "\n… and %d more\n", len(news)-n)
			break
		}
		f := &r.Findings[g.Lead]
		change := code(f.Original) + " → " + code(f.Replacement)
		if f.Replacement == ";" {
			change = code(f.Original) + " deleted"
		}
		if len(g.Alike) > 0 {
			change += fmt.Sprintf(" +%d alike", len(g.Alike))
		}
		fmt.Fprintf(&out, "| %s:%d %s | %s | %s | %s |\n", cell(r.Path(f.File)), f.Line, code(f.Function), change, cell(f.Why), code(f.ID))
	}
	return written(w, "the summary", out.String())
}

// cell is a text in a table of Markdown, code such a text as code.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "&", "&amp;").Replace(oneLine(s))
}

func code(s string) string {
	s = strings.ReplaceAll(oneLine(s), "|", `\|`)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func written(w io.Writer, what, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}
