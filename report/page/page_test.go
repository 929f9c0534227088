package page

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

func written(t *testing.T, r *findings.Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func small(t *testing.T) *findings.Run {
	t.Helper()
	r, err := findings.Of(findingstest.Subject(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestThePageSaysWhatTestsCoverAndListsThePlacesThatNoneComesTo(t *testing.T) {
	r := small(t)
	if strings.Contains(written(t, r), "What the tests cover") {
		t.Error("no criterion was asked for, and there is a table of them")
	}
	lines, err := criterion.New("gcov", criterion.Line, []string{"one"}, []string{"a.c:1", "a<b>.c:2"})
	if err != nil {
		t.Fatal(err)
	}
	lines.Set(0, 0, matrix.Killed)
	failed, err := criterion.New("llvm-cov", criterion.Branch, []string{"one"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed.Fail("clang is broken")
	r.Coverage = []report.Coverage{report.CoverageOf(lines), report.CoverageOf(failed)}
	html := written(t, r)
	for _, want := range []string{`<td>gcov</td><td class="n">2</td><td class="n">1</td><td class="n">0</td><td class="n">50.0%</td><td><details><summary>1</summary>`, "<li>a&lt;b&gt;.c:2</li>", "failed: clang is broken"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

var embedded = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

func TestThePageHoldsTheRunAndAsksForNothingElse(t *testing.T) {
	html := written(t, small(t))
	for _, outside := range []string{"http://", "https://", "src=", "@import", "url(", "fetch("} {
		if strings.Contains(html, outside) {
			t.Errorf("the page has %q", outside)
		}
	}
	if n := strings.Count(html, "</script>"); n != 2 {
		t.Errorf("%d ends of scripts: the text of the program ends one", n)
	}
	var d data
	if err := json.Unmarshal([]byte(embedded.FindStringSubmatch(html)[1]), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.IDs) != 8 || d.Files[0].Text != findingstest.Source {
		t.Errorf("%d mutants, %q", len(d.IDs), d.Files[0].Text)
	}
	for name, column := range d.Mutants {
		if len(column) != len(d.IDs) {
			t.Errorf("%s has %d rows", name, len(column))
		}
	}
	if d.Sets[d.Mutants[colReached][0]] != "3:0-2" || d.Sets[d.Mutants[colInfected][0]] != "1:0" {
		t.Errorf("%v", d.Sets)
	}
}

// The script counts in units of UTF-16, Go in bytes: ï is one of the former.
func TestChangesHaveTheirPlaceBehindLettersThatAreNoASCII(t *testing.T) {
	d := dataOf(small(t))
	units := []rune(findingstest.Source) // none is beyond the basic plane
	for i, id := range d.IDs {
		if start := d.Mutants[colStart][i]; start >= 0 {
			if got, want := string(units[start:d.Mutants[colEnd][i]]), d.Texts[d.Mutants[colFrom][i]]; got != want {
				t.Errorf("%s: %q, want %q", id, got, want)
			}
		}
	}
}

func TestEveryElementThatTheScriptAsksForIsInThePage(t *testing.T) {
	for _, m := range regexp.MustCompile(`\$\("([a-z]+)"\)`).FindAllStringSubmatch(script, -1) {
		if !strings.Contains(layout, `id="`+m[1]+`"`) {
			t.Errorf("nothing has the id %s", m[1])
		}
	}
	for _, s := range findings.Statuses() {
		if !strings.Contains(script, string(s)+`: "`) {
			t.Errorf("the script has no mark for %s", s)
		}
	}
}

func TestGapsCanBeReadWithoutScripts(t *testing.T) {
	html := written(t, small(t))
	plain := html[strings.Index(html, "<noscript>"):strings.Index(html, "</noscript>")]
	if !strings.Contains(plain, "max.c:3") || !strings.Contains(plain, "+1 alike") {
		t.Error(plain)
	}
}

func TestAHundredThousandMutantsStayBelowTenMegabytes(t *testing.T) {
	start := time.Now()
	html := written(t, findingstest.Many(100_000))
	if len(html) > 10_000_000 {
		t.Errorf("%d bytes", len(html))
	}
	t.Logf("%d bytes in %v", len(html), time.Since(start))
	if to := os.Getenv("WINNOW_PAGE"); to != "" { // make check-page opens it in a browser
		if err := os.WriteFile(to, []byte(html), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheSamePageHasTheSameBytes(t *testing.T) {
	if written(t, small(t)) != written(t, small(t)) {
		t.Error("two pages of one run differ")
	}
}
