package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// page is readable without scripts and loads nothing: figures are SVG within
// it.
var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>winnow: studies</title>
<style>
body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; font-size: .85rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
caption { text-align: left; font-weight: bold; padding: .3rem 0; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: bottom; }
th.key, td.key { text-align: left; }
.published { color: #555; background: #f4f1ea; font-style: italic; }
.predicted { background: #fdf3d8; }
.missing { border-left: 4px solid #d55e00; padding: .2rem 1rem; background: #fdf2ec; }
figure { margin: 1.5rem 0; }
figure svg { max-width: 100%; height: auto; }
nav a { margin-right: 1rem; }
</style>
</head>
<body>
<h1>Studies</h1>
<p>Numbers are measured on the history named below each title, unless their column says otherwise: <span class="published">published</span> ones are printed in the source that the study repeats, <span class="predicted">predicted</span> ones are a model's guess.</p>
<nav>{{range .}}<a href="#{{.Answer.Study}}">{{.Answer.Study}}</a>{{end}}</nav>
{{range .}}
<section id="{{.Answer.Study}}">
<h2>{{.Answer.Study}}: {{.Answer.Title}}</h2>
<p>{{.Answer.Question}}<br><small>After {{.Answer.Source}}.</small></p>
<p>{{.Sample}}</p>
{{if .Answer.Missing}}<div class="missing"><strong>Not answered</strong><ul>{{range .Answer.Missing}}<li>{{.}}</li>{{end}}</ul></div>{{end}}
{{range .Figures}}<figure role="img" aria-label="{{.Title}}">{{.SVG}}<figcaption>{{.Title}}</figcaption></figure>
{{end}}
{{range .Tables}}<div class="wide"><table><caption>{{.Title}}</caption>
<thead><tr>{{range .Head}}<th class="{{.Class}}" scope="col">{{.Text}}</th>{{end}}</tr></thead>
<tbody>{{range .Rows}}<tr>{{range .}}<td class="{{.Class}}">{{.Text}}</td>{{end}}</tr>
{{end}}</tbody></table></div>
{{end}}
{{if .Answer.Notes}}<h3>Notes</h3><ul>{{range .Answer.Notes}}<li>{{.}}</li>{{end}}</ul>{{end}}
</section>
{{end}}
</body>
</html>
`))

type pageSection struct {
	Answer  *Answer
	Sample  string
	Figures []pageFigure
	Tables  []pageTable
}

type pageFigure struct {
	Title string
	SVG   template.HTML
}

type pageTable struct {
	Title string
	Head  []pageCell
	Rows  [][]pageCell
}

type pageCell struct{ Class, Text string }

// WriteHTML writes answers as one page that needs nothing else.
func WriteHTML(w io.Writer, results []*Answer) error {
	var sections []pageSection
	for _, r := range results {
		section := pageSection{Answer: r, Sample: sampleLine(r.Sample)}
		for i := range r.Figures {
			svg, err := inlineSVG(&r.Figures[i])
			if err != nil {
				return err
			}
			section.Figures = append(section.Figures, pageFigure{r.Figures[i].Title, svg})
		}
		for i := range r.Tables {
			section.Tables = append(section.Tables, tableOf(&r.Tables[i]))
		}
		sections = append(sections, section)
	}
	if err := page.Execute(w, sections); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

func tableOf(t *Table) pageTable {
	out := pageTable{Title: t.Title}
	for r, row := range cellsOf(t) {
		var cells []pageCell
		for c, text := range row {
			class := "key"
			if c >= len(t.Keys) {
				class = string(t.Columns[c-len(t.Keys)].Origin)
			}
			cells = append(cells, pageCell{class, text})
		}
		if r == 0 {
			out.Head = cells
		} else {
			out.Rows = append(out.Rows, cells)
		}
	}
	return out
}

// inlineSVG is a drawing without what only a file of its own needs. Its texts
// were escaped when it was drawn.
func inlineSVG(f *Figure) (template.HTML, error) {
	var out bytes.Buffer
	if err := WriteFigure(&out, f, "svg"); err != nil {
		return "", err
	}
	text := out.String()
	at := strings.Index(text, "<svg")
	if at < 0 {
		return "", fmt.Errorf("drawing %s: no svg element", f.Name)
	}
	return template.HTML(text[at:]), nil //nolint:gosec // drawn here from escaped texts
}
