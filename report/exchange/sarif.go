package exchange

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/winnow-mutants/winnow/report/findings"
)

// mostSARIF is how many results GitHub keeps of a run.
const mostSARIF = 5000

// SARIF writes gaps as results of SARIF 2.1.0, which code scanning reads: one for each gap,
// the best first, no more than GitHub keeps. A rule is an operator; what tells results of two
// runs apart is the mutant's id, which does not depend on lines; rank, from 100 down, is the
// priority.
func SARIF(w io.Writer, r *findings.Run) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "winnow", Version: r.Tool, Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	texts := map[string]*lines{}
	for _, f := range r.Files {
		texts[f.Name] = linesOf(f.Text)
	}
	rules := map[string]int{}
	for n, g := range r.Gaps {
		if n == mostSARIF {
			run.Properties = map[string]any{"hidden": len(r.Gaps) - n}
			break
		}
		f := &r.Findings[g.Lead]
		rule, known := rules[f.Operator]
		if !known {
			rule = len(run.Tool.Driver.Rules)
			rules[f.Operator] = rule
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.Operator, sarifText{"No test notices a change of this kind: " + f.Operator}})
		}
		at := texts[f.File]
		if at == nil || f.Edit != nil && f.Edit.File != f.File {
			at = linesOf("")
		}
		run.Results = append(run.Results, sarifOf(r, g, rule, at, 100*float64(len(r.Gaps)-n)/float64(len(r.Gaps))))
	}
	slices.SortStableFunc(run.Results, func(a, b sarifResult) int { return int(1000 * (b.Rank - a.Rank)) })
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func sarifOf(r *findings.Run, g findings.Gap, rule int, at *lines, rank float64) sarifResult {
	f := &r.Findings[g.Lead]
	out := sarifResult{RuleID: f.Operator, RuleIndex: rule, Level: "warning", Rank: rank, Message: sarifText{Message(r, g)}, BaselineState: "new",
		Fingerprints: map[string]string{"winnowMutant/v1": f.ID, "primaryLocationLineHash": f.ID}}
	if f.Status == findings.Unreached {
		out.Level = "note"
	}
	if f.Known {
		out.Level, out.BaselineState = "note", "unchanged"
	}
	var place sarifLocation
	place.Physical.Artifact = sarifArtifact{(&url.URL{Path: r.Path(f.File)}).EscapedPath(), "%SRCROOT%"}
	start, end := at.extent(f)
	place.Physical.Region = sarifRegion{start.Line, start.Column, end.Line, end.Column}
	out.Locations = []sarifLocation{place}
	return out
}

// Message is a gap in one sentence.
func Message(r *findings.Run, g findings.Gap) string {
	f := &r.Findings[g.Lead]
	change := fmt.Sprintf("%s can become %s", oneLine(f.Original), oneLine(f.Replacement))
	if f.Replacement == ";" {
		change = oneLine(f.Original) + " can be deleted"
	}
	out := fmt.Sprintf("%s in %s, and no test fails: %s", change, f.Function, f.Why)
	if n := len(g.Alike); n > 0 {
		out += fmt.Sprintf(" (+%d alike)", n)
	}
	return out
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool      `json:"tool"`
	ColumnKind string         `json:"columnKind"`
	Results    []sarifResult  `json:"results"`
	Properties map[string]any `json:"properties,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID        string            `json:"ruleId"`
	RuleIndex     int               `json:"ruleIndex"`
	Level         string            `json:"level"`
	Rank          float64           `json:"rank"`
	Message       sarifText         `json:"message"`
	Locations     []sarifLocation   `json:"locations"`
	Fingerprints  map[string]string `json:"partialFingerprints"`
	BaselineState string            `json:"baselineState"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	} `json:"physicalLocation"`
}

type sarifArtifact struct {
	URI     string `json:"uri"`
	URIBase string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}
