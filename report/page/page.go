// Package page writes a run as one HTML page that needs nothing else: no server, no network,
// no fonts. It opens a run of a hundred thousand mutants in about a second.
//
// The page is a template, a style and a script that are built in, and the run as compact
// JSON (data.go): columns of small numbers that point into lists of texts. The script draws
// only what is seen: rows of the list by their place, and the source in pieces of a hundred
// lines. The functions and the curve are HTML and SVG, so that they are readable, and the
// first gaps too, where scripts are not allowed.
package page

import (
	_ "embed" // the page's parts
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"

	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
)

//go:embed page.html
var layout string

//go:embed page.css
var style string

//go:embed page.js
var script string

var page = template.Must(template.New("page").Parse(layout))

// mostFunctions bounds the table of functions, mostPlain the gaps that are listed for
// readers without scripts, mostPlaces the places that no test covers of a criterion.
const mostFunctions, mostPlain, mostPlaces = 200, 50, 200

// Write writes the page.
func Write(w io.Writer, r *findings.Run) error {
	data, err := json.Marshal(dataOf(r)) // escapes <, > and &, so that it may stand in a script
	if err != nil {
		return fmt.Errorf("writing the page's data: %w", err)
	}
	v := view{Run: r, Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data), Ran: r.Ran(), Killed: r.Count(findings.Killed),
		Survived: r.Count(findings.Survived), Unreached: r.Count(findings.Unreached), Unknown: r.Count(findings.Unknown),
		Curve: draw(r.Curve()), Tests: report.Tests(len(r.Tests))}
	for i, f := range r.Functions {
		if i == mostFunctions {
			v.MoreFunctions = len(r.Functions) - i
			break
		}
		v.Functions = append(v.Functions, functionRow{f, percent(f.Score())})
	}
	for i := range r.Coverage {
		v.Criteria = append(v.Criteria, criterionOf(&r.Coverage[i]))
	}
	v.Remarks = report.Remarks(r.Coverage, false)
	for i, g := range r.Gaps {
		if i == mostPlain {
			break
		}
		v.Plain = append(v.Plain, plainRow{&r.Findings[g.Lead], len(g.Alike)})
	}
	if err := page.Execute(w, v); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// view is what the template reads.
type view struct {
	Run                                       *findings.Run
	Style                                     template.CSS
	Script, Data                              template.JS
	Tests                                     string
	Ran, Killed, Survived, Unreached, Unknown int
	Functions                                 []functionRow
	MoreFunctions                             int
	Plain                                     []plainRow
	Curve                                     *curve
	// Criteria are what tests cover, by criterion; Remarks say what the table does not.
	Criteria []criterionRow
	Remarks  []string
}

// criterionRow is a criterion, and the elements that no test covers where they are places.
type criterionRow struct {
	*report.Coverage
	Places []string
	More   int
}

// criterionOf leaves out mutants, which the page has anyhow, and what is too much.
func criterionOf(c *report.Coverage) criterionRow {
	row := criterionRow{Coverage: c}
	if c.Criterion == criterion.Weak || c.Criterion == criterion.Strong {
		return row
	}
	row.Places = c.Uncovered[:min(len(c.Uncovered), mostPlaces)]
	row.More = len(c.Uncovered) - len(row.Places)
	return row
}

type functionRow struct {
	findings.Function
	Percent string
}

type plainRow struct {
	*findings.Finding
	Alike int
}

// Gaps is how many gaps there are that tests reach.
func (v view) Gaps() int {
	n := 0
	for _, g := range v.Run.Gaps {
		if v.Run.Findings[g.Lead].Status == findings.Survived {
			n++
		}
	}
	return n
}

// Share is a part of the mutants that were run, for a bar.
func (v view) Share(part int) string {
	if v.Ran == 0 {
		return "0%"
	}
	return fmt.Sprintf("%.3f%%", 100*float64(part)/float64(v.Ran))
}

// Score is the killed share.
func (v view) Score() string { return percent(float64(v.Killed) / float64(v.Ran)) }

func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*x)
}
