package exchange

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

func of(t *testing.T, write func(io.Writer, *findings.Run) error, r *findings.Run) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSARIFHasWhatCodeScanningReads(t *testing.T) {
	r := small(t)
	r.Root = "lib/a b"
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				Level               string
				Rank                float64
				BaselineState       string
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(of(t, SARIF, r)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || len(run.Results) != len(r.Gaps) || len(run.Tool.Driver.Rules) != 1 {
		t.Fatalf("%+v", log)
	}
	first := run.Results[0]
	at := first.Locations[0].PhysicalLocation
	// m2 leads its gap; its change is a > b, on line 3 behind a tab and "return ".
	if first.Level != "warning" || first.PartialFingerprints["primaryLocationLineHash"] != "m2" || at.ArtifactLocation.URI != "lib/a%20b/max.c" ||
		at.Region.StartLine != 3 || at.Region.StartColumn != 9 || at.Region.EndColumn != 14 || first.Rank != 100 {
		t.Errorf("%+v", first)
	}
	if run.Results[1].Level != "note" || run.Results[1].Rank >= first.Rank {
		t.Errorf("%+v", run.Results[1])
	}
}

func TestSARIFKeepsToWhatGitHubKeepsAndSaysWhatIsHidden(t *testing.T) {
	text := of(t, SARIF, findingstest.Many(16_000))
	if n := strings.Count(text, `"ruleId"`); n != mostSARIF {
		t.Errorf("%d results", n)
	}
	if !strings.Contains(text, `"hidden": 334`) {
		t.Error("the number of hidden results is not said")
	}
}

func TestAnnotationsAreTheTenBestAndSayHowManyAreHidden(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(of(t, GitHub, findingstest.Many(60))), "\n")
	if len(lines) != 11 || !strings.HasPrefix(lines[0], "::warning file=many.c,line=1,col=2,title=No test notices (000000000000)::offset * 0 can become offset / 0 in function_0") ||
		lines[10] != "::notice title=winnow::10 more gaps are not shown here: see the report" {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// What a program's text says must not end a command of the runner's.
func TestAnnotationsCannotBeBrokenByTheSource(t *testing.T) {
	r := findingstest.Many(1)
	r.Findings[0].File, r.Findings[0].Original = "a,b:c\n::error::x.c", "x\r\n::set-output name=a::b%0A"
	text := of(t, GitHub, r)
	if strings.Count(text, "\n") != 1 || !strings.Contains(text, "file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3Ax.c,") || !strings.Contains(text, "%250A") {
		t.Error(text)
	}
}

func TestWhatABaselineKnowsIsNoNews(t *testing.T) {
	r := small(t)
	for _, g := range r.Gaps {
		r.Findings[g.Lead].Known = true
	}
	if text := of(t, GitHub, r); text != "" {
		t.Error(text)
	}
	if text := of(t, GitLab, r); text != "[]\n" {
		t.Error(text)
	}
	if text := of(t, SARIF, r); strings.Contains(text, `"warning"`) || !strings.Contains(text, `"unchanged"`) {
		t.Error(text)
	}
}

func TestJUnitHasAFailingCaseForEachFunctionWithGaps(t *testing.T) {
	var doc struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Name    string  `xml:"name,attr"`
				Failure *string `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(of(t, JUnit, small(t))), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Suite.Tests != 2 || doc.Suite.Failures != 2 || doc.Suite.Cases[0].Name != "max" || !strings.Contains(*doc.Suite.Cases[0].Failure, "max.c:3") {
		t.Errorf("%+v", doc)
	}
}

func TestGitLabsIssuesHaveFingerprintsThatDiffer(t *testing.T) {
	var issues []struct {
		Fingerprint, Severity string
		Location              struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(of(t, GitLab, small(t))), &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 2 || issues[0].Fingerprint == issues[1].Fingerprint || len(issues[0].Fingerprint) != 32 || issues[0].Location.Lines.Begin != 3 || issues[1].Severity != "info" {
		t.Errorf("%+v", issues)
	}
}

func TestATableOfMarkdownSurvivesTheSource(t *testing.T) {
	r := findingstest.Many(1)
	r.Findings[0].Original, r.Findings[0].Replacement = "a || b`c\nd", "`x`"
	text := of(t, Markdown, r)
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 7 || !strings.Contains(lines[6], "``a \\|\\| b`c d`` → `` `x` ``") {
		t.Error(text)
	}
}

func TestEveryFormatHasANameOfItsOwnAndWritesTheSameBytes(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Name] || f.Doc == "" {
			t.Error(f.Name)
		}
		seen[f.Name] = true
		if a, b := of(t, f.Write, small(t)), of(t, f.Write, small(t)); a != b || a == "" {
			t.Error(fmt.Sprint(f.Name, " differs from time to time, or is empty"))
		}
	}
}
