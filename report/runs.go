package report

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// Run is what running a program's mutants against its tests gave.
type Run struct {
	Program   string   `json:"program"`
	Fault     string   `json:"fault,omitempty"`
	Mutants   int      `json:"mutants"`
	Tests     int      `json:"tests"`
	SetAside  []string `json:"set_aside,omitempty"` // tests not used, with the reason
	Skipped   []string `json:"skipped,omitempty"`   // functions not mutated
	Warnings  []string `json:"warnings,omitempty"`  // what winnow could not do as it should
	Revealing int      `json:"revealing,omitempty"` // tests that reveal the fault
	Killed    int      `json:"killed"`
	// Survived counts mutants that no test kills, but for Equivalent ones, which none can.
	Survived   int `json:"survived"`
	Equivalent int `json:"equivalent,omitempty"`
	Unknown    int `json:"unknown"`
	NotRun     int `json:"not_run,omitempty"` // mutants that there was no time for
	// Causes counts the killing runs by cause.
	Causes map[string]int `json:"causes"`
	Runs   int            `json:"runs"`
	// Audited verdicts were decided again in a fresh process; on Disagreed of
	// them it was another, which then stands.
	Audited   int `json:"audited"`
	Disagreed int `json:"disagreed"`
	// Uninfected pairs are reached, but a probing run showed that the mutant
	// computes what the original does, so that they were not run. Missed are
	// those that the audit ran and that did not survive; Unprobed tests have no
	// probing run that means anything.
	Uninfected int    `json:"uninfected"`
	Missed     int    `json:"missed"`
	Unprobed   int    `json:"unprobed"`
	Sandbox    string `json:"sandbox"`
	// HandedOn runs could not be made in the fastest way, and were made in a safer
	// one: a cost, no result. Failures counts the runs that could not be made at all,
	// by reason; their pairs are unknown.
	HandedOn int            `json:"handed_on"`
	Failures map[string]int `json:"failures,omitempty"`
	// CriteriaFailed are the other tools that were to measure criteria and could not, with the
	// reason.
	CriteriaFailed []string `json:"criteria_failed,omitempty"`
}

// Prove moves survivors to the equivalent ones.
func (r *Run) Prove(n int) { r.Survived, r.Equivalent = r.Survived-n, r.Equivalent+n }

var numbersInReason = regexp.MustCompile(`[0-9]+`)

// NoteFailure counts a run that could not be made. Reasons that differ in numbers
// only are one.
func (r *Run) NoteFailure(reason string) {
	if r.Failures == nil {
		r.Failures = map[string]int{}
	}
	r.Failures[numbersInReason.ReplaceAllString(reason, "N")]++
}

// namedTests is how many tests that are not used for one reason are named.
const namedTests = 5

// NotUsed says which tests are not used, "NAME: REASON" each, and why, those of one reason together.
func NotUsed(aside []string) []string {
	var reasons []string
	names := map[string][]string{}
	for _, s := range aside {
		name, reason, _ := strings.Cut(s, ": ")
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], name)
	}
	var out []string
	for _, reason := range reasons {
		switch all := names[reason]; {
		case len(all) == 1:
			out = append(out, fmt.Sprintf("test not used: %s: %s", all[0], reason))
		case len(all) <= namedTests:
			out = append(out, fmt.Sprintf("%d tests not used: %s: %s", len(all), strings.Join(all, ", "), reason))
		default:
			out = append(out, fmt.Sprintf("%d tests not used: %s, …: %s", len(all), strings.Join(all[:namedTests], ", "), reason))
		}
	}
	return out
}

// WriteRuns writes runs for a terminal. The score is killed over all mutants that are not
// known to be equivalent; those that are and of which that is not known count against the
// tests, so that it is a lower bound.
func WriteRuns(w io.Writer, runs []*Run) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "program\tmutants\ttests\tkilled\tsurvived\tequivalent\tunknown\tscore at least\tkilling runs by cause")
	for _, r := range runs {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\n", r.name(), r.Mutants, r.Tests, r.Killed, r.Survived, r.Equivalent, r.Unknown,
			share(r.Killed, r.Mutants-r.Equivalent), causes(r.Causes))
	}
	if err := tw.Flush(); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	for _, r := range runs {
		if r.NotRun > 0 {
			fmt.Fprintf(w, "%s: %d mutants were not run, for the time was up: they are when the run is resumed\n", r.name(), r.NotRun)
		}
		for _, s := range NotUsed(r.SetAside) {
			fmt.Fprintf(w, "%s: %s\n", r.name(), s)
		}
		if r.Disagreed > 0 {
			fmt.Fprintf(w, "%s: %d of %d verdicts that were checked in a fresh process had to be corrected\n", r.name(), r.Disagreed, r.Audited)
		}
		for _, reason := range slices.Sorted(maps.Keys(r.Failures)) {
			fmt.Fprintf(w, "%s: %d runs have no verdict: %s\n", r.name(), r.Failures[reason], reason)
		}
		if 2*r.HandedOn > r.Runs {
			fmt.Fprintf(w, "%s: %d of %d runs needed a process of their own, which takes longer: the program does what cannot be taken back within one, e.g. with files\n", r.name(), r.HandedOn, r.Runs)
		}
		if r.Missed > 0 {
			fmt.Fprintf(w, "%s: %d of the mutants that a probing run takes for harmless did not survive; the program may read memory that it has not written, or this is an error of winnow's: run it without probing\n", r.name(), r.Missed)
		}
		for _, s := range r.Warnings {
			fmt.Fprintf(w, "%s: warning: %s\n", r.name(), s)
		}
		for _, s := range r.Skipped {
			fmt.Fprintf(w, "%s: not mutated: %s\n", r.name(), s)
		}
	}
	return nil
}

// name names the run in tables: program, or program/fault.
func (r *Run) name() string {
	if r.Fault == "" {
		return r.Program
	}
	return r.Program + "/" + r.Fault
}

func share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

func causes(counts map[string]int) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %d", name, counts[name]))
	}
	if len(out) == 0 {
		return "–"
	}
	return strings.Join(out, ", ")
}
