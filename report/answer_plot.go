package report

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	// The formats that WriteFigure writes.
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgsvg"
)

// palette is Okabe and Ito's, which colour-blind readers can tell apart
// ("Color universal design", 2008). Beyond it lines are dashed.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {230, 159, 0, 255}, {90, 90, 90, 255}, {0, 0, 0, 255},
}

const (
	figureWidth  = 8 * vg.Inch
	figureHeight = 5 * vg.Inch
)

// WriteFigure draws a figure as "svg" or "png".
func WriteFigure(w io.Writer, f *Figure, format string) error {
	p, err := layout(f)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", f.Name, err)
	}
	to, err := p.WriterTo(figureWidth, figureHeight, format)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", f.Name, err)
	}
	if _, err := to.WriteTo(w); err != nil {
		return fmt.Errorf("drawing %s: %w", f.Name, err)
	}
	return nil
}

// layout lays a figure out.
func layout(f *Figure) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.X, f.Y
	p.BackgroundColor = color.White
	p.Legend.Top, p.Legend.Left = true, false
	p.Legend.TextStyle.Font.Size = vg.Points(8)
	p.Add(plotter.NewGrid())
	switch f.Kind {
	case Lines:
		return p, addLines(p, f)
	case Bars:
		return p, addBars(p, f)
	case Boxes:
		return p, addBoxes(p, f)
	}
	return nil, fmt.Errorf("no such kind of figure: %q", f.Kind)
}

func addLines(p *plot.Plot, f *Figure) error {
	p.Legend.Top = false
	for i, s := range f.Series {
		points := plotter.XYs{}
		for k := range s.X {
			if x, y := float64(s.X[k]), float64(s.Y[k]); finite(x) && finite(y) {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color = palette[i%len(palette)]
		line.Width = vg.Points(1.2)
		if round := i / len(palette); round > 0 {
			line.Dashes = []vg.Length{vg.Points(float64(3 * round)), vg.Points(2)}
		}
		p.Add(line)
		p.Legend.Add(heading(s.Name, s.Origin), line)
	}
	return nil
}

func addBars(p *plot.Plot, f *Figure) error {
	if len(f.Labels) == 0 || len(f.Series) == 0 {
		return nil
	}
	// All bars of a place together take four fifths of its room.
	room := (figureWidth - vg.Inch) / vg.Length(len(f.Labels))
	width := room * 4 / 5 / vg.Length(len(f.Series))
	for i, s := range f.Series {
		values := plotter.Values{}
		for _, v := range s.Y {
			if !finite(float64(v)) {
				v = 0 // no bar, which is also how nothing looks
			}
			values = append(values, float64(v))
		}
		bars, err := plotter.NewBarChart(values, width)
		if err != nil {
			return err
		}
		bars.Color = palette[i%len(palette)]
		bars.LineStyle.Width = 0
		bars.Offset = width * (vg.Length(i) - vg.Length(len(f.Series)-1)/2)
		p.Add(bars)
		p.Legend.Add(heading(s.Name, s.Origin), bars)
	}
	name(p, f.Labels)
	return nil
}

func addBoxes(p *plot.Plot, f *Figure) error {
	for i, s := range f.Series {
		values := plotter.Values{}
		for _, v := range s.Y {
			if finite(float64(v)) {
				values = append(values, float64(v))
			}
		}
		if len(values) == 0 {
			continue
		}
		box, err := plotter.NewBoxPlot(vg.Points(18), float64(i), values)
		if err != nil {
			return err
		}
		p.Add(box)
	}
	var labels []string
	for _, s := range f.Series {
		labels = append(labels, heading(s.Name, s.Origin))
	}
	if len(labels) > 0 {
		name(p, labels)
	}
	return nil
}

// name writes a label under each place, slanted, since labels are long.
func name(p *plot.Plot, labels []string) {
	p.NominalX(labels...)
	p.X.Tick.Label.Rotation = math.Pi / 6
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
	p.X.Tick.Label.Font.Size = vg.Points(7)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
