package report

import (
	"bytes"
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/internal/number"
)

// answer is a result with everything that layouts have to cope with.
func answer() *Answer {
	nan := number.Float(math.NaN())
	r := &Answer{
		Study: "rq0", Title: "A title with <tags> & signs", Question: "Does it work?", Source: "nobody, section 0",
		Sample:  Sample{Faults: 3, Problems: 2, Mutants: 120, Tests: 60, Folds: 2, Grouped: "problem", Repetitions: 10, Seed: 1, Skipped: 1},
		Missing: []string{"Branches: not recorded."}, Notes: []string{"A note."},
	}
	t := Table{Name: "figures", Title: "Some figures", Keys: []string{"order", "mutants"}, Columns: []Column{
		{Name: "gain", Origin: Measured, Decimals: 1, Format: Signed}, {Name: "p", Origin: Measured, Format: PValue},
		{Name: "gain", Origin: Published, Decimals: 0, Format: Signed}, {Name: "score", Origin: Predicted, Decimals: 2},
	}}
	t.Add([]string{"farm*", "all"}, 12.34, 0.00001, 24, 0.5)
	t.Add([]string{"a <long> name", "reached"}, -0.04, 0.2, nan, nan)
	r.Tables = []Table{t}
	x := []number.Float{0, 50, 100}
	r.Figures = []Figure{
		{Name: "curve", Title: "A curve <b>", X: "x", Y: "y", Kind: Lines, Series: []Series{{Name: "s <1>", Origin: Measured, X: x, Y: []number.Float{0, nan, 90}}, {Name: "empty", Origin: Measured}}},
		{Name: "bars", Title: "Bars", Y: "y", Kind: Bars, Labels: []string{"a", "b"}, Series: []Series{{Name: "s", Origin: Measured, Y: x[:2]}, {Name: "s", Origin: Published, Y: []number.Float{nan, 3}}}},
		{Name: "boxes", Title: "Boxes", Y: "y", Kind: Boxes, Series: []Series{{Name: "s", Origin: Measured, Y: x}, {Name: "none", Origin: Measured, Y: []number.Float{nan}}}},
	}
	return r
}

func TestAnAnswerAsTextAndCSV(t *testing.T) {
	var text, csv bytes.Buffer
	if err := firstError(WriteAnswer(&text, answer()), WriteTableCSV(&csv, &answer().Tables[0])); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/result.txt", text.Bytes())
	golden.Check(t, "testdata/result.csv", csv.Bytes())
}

func TestThePageNeedsNothingElse(t *testing.T) {
	var page bytes.Buffer
	if err := WriteHTML(&page, []*Answer{answer(), answer()}); err != nil {
		t.Fatal(err)
	}
	text := page.String()
	for _, forbidden := range []string{"<script", "<link", "<img", "src=", "@import", "url(", "<b>", "<long>", "<tags>"} {
		if strings.Contains(text, forbidden) {
			t.Errorf("the page holds %q", forbidden)
		}
	}
	for _, wanted := range []string{"<svg", "&lt;tags&gt; &amp; signs", `class="published">&#43;24`, "Branches: not recorded."} {
		if !strings.Contains(text, wanted) {
			t.Errorf("the page lacks %q", wanted)
		}
	}
	// The links within the page are its own.
	for _, link := range strings.Split(text, "href=\"")[1:] {
		if !strings.HasPrefix(link, "#") {
			t.Errorf("a link leaves the page: %.40s", link)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(strings.NewReplacer("<!DOCTYPE html>", "", `<meta charset="utf-8">`, "", `<meta name="viewport" content="width=device-width, initial-scale=1">`, "", "<br>", "<br/>").Replace(text)))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
	}
}

func TestAnAnswerIsWrittenAsFilesAndTwiceTheSame(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	if err := firstError(WriteAnswerFiles(a, answer()), WriteAnswerFiles(b, answer())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rq0.txt", "rq0.json", "rq0-figures.csv", "rq0-curve.svg", "rq0-curve.png", "rq0-bars.svg", "rq0-boxes.png"} {
		one, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(filepath.Join(b, name))
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs between two runs, or is missing: %v", name, err)
		}
	}
	if err := WriteFigure(io.Discard, &Figure{Name: "f", Kind: "pie"}, "svg"); err == nil {
		t.Error("a pie was drawn")
	}
}

// Predicted is never shown as measured. In tables a heading says where its
// numbers are from; in JSON and Parquet the names of predicted fields begin with
// "p_", and only they.
func TestWhatIsNotMeasuredSaysSo(t *testing.T) {
	var text, csv, page bytes.Buffer
	r := answer()
	if err := firstError(WriteAnswer(&text, r), WriteTableCSV(&csv, &r.Tables[0]), WriteHTML(&page, []*Answer{r})); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"text": text.String(), "CSV": csv.String(), "HTML": page.String()} {
		for _, heading := range []string{"published gain", "predicted score"} {
			if !strings.Contains(got, heading) {
				t.Errorf("%s does not say %q", name, heading)
			}
		}
	}
	if got := heading("gain", Measured); got != "gain" {
		t.Errorf("a measured column is headed %q", got)
	}
	for _, column := range RankingSchema() {
		if strings.Contains(strings.ToLower(column.Doc), "probability") != strings.HasPrefix(column.Name, "p_") {
			t.Errorf("column %s (%s): predicted columns, and only they, are named p_", column.Name, column.Doc)
		}
	}
	fields := 0
	for _, f := range reportedFields(t) {
		predicted := f.typeName == "Probability"
		if predicted {
			fields++
		}
		if named := strings.HasPrefix(f.json, "p_") || strings.HasPrefix(f.json, "predicted"); named != predicted {
			t.Errorf("%s.%s has type %s and the name %q: what is predicted is a Probability named p_ or predicted, and nothing else is", f.owner, f.name, f.typeName, f.json)
		}
	}
	if fields == 0 {
		t.Error("no predicted field was found: the test looks at nothing")
	}
	if reflect.TypeOf(Probability(0)).Kind() != reflect.Float64 {
		t.Error("a Probability is no number")
	}
}

type field struct{ owner, name, typeName, json string }

// reportedFields are the fields of this package's structs that have a JSON name.
func reportedFields(t *testing.T) []field {
	t.Helper()
	var out []field
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			body, is := spec.Type.(*ast.StructType)
			if !is {
				return true
			}
			for _, f := range body.Fields.List {
				if f.Tag == nil {
					continue
				}
				tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
				name, _, _ := strings.Cut(tag, ",")
				typeName := ""
				if ident, is := f.Type.(*ast.Ident); is {
					typeName = ident.Name
				}
				for _, n := range f.Names {
					out = append(out, field{spec.Name.Name, n.Name, typeName, name})
				}
			}
			return true
		})
	}
	return out
}
