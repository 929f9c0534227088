package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/report"
)

// growth is how CPU time grows with the number of mutants: programs of so many
// copies of the given files, with one line of the figure a pass list.
type growth struct {
	copies []int
	figure report.Figure
}

func newGrowth(copies string) (*growth, error) {
	g := &growth{figure: report.Figure{Name: "growth", Title: "CPU time a mutant, by the size of the program",
		X: "mutants (powers of ten)", Y: "CPU ms a mutant", Kind: report.Lines}}
	for field := range strings.SplitSeq(copies, ",") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-copies %s: want numbers of copies joined by commas", copies)
		}
		g.copies = append(g.copies, n)
	}
	return g, nil
}

// measure prints a row for each number of copies, all files together being one
// program.
func (g *growth) measure(b *bench) error {
	line := report.Series{Name: "passes " + b.mutation.Passes.Name, Origin: report.Measured}
	for _, n := range g.copies {
		var inputs []program.Input
		for range n {
			for _, file := range b.files {
				inputs = append(inputs, b.inputs(file)...)
			}
		}
		start, before, memory := time.Now(), cpu(), watchMemory()
		p, err := program.Load(b.ctx, b.tools, inputs, program.LoadOptions{Mutation: b.mutation})
		if err != nil {
			return err
		}
		var r row
		r.add(p, cpu()-before, time.Since(start))
		r.memory = memory.stop()
		r.print(b.out, fmt.Sprintf("%s, %d times", b.title, n), b.mutation.Passes.Name)
		line.X = append(line.X, number.Float(math.Log10(float64(r.mutants))))
		line.Y = append(line.Y, number.Float(r.perMutant()))
	}
	g.figure.Series = append(g.figure.Series, line)
	return nil
}

// draw writes the figure as SVG. Its axis starts at 0.
func (g *growth) draw(file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	figure := g.figure
	x := figure.Series[0].X
	figure.Series = append(slices.Clone(figure.Series),
		report.Series{Name: "0", Origin: report.Measured, X: x, Y: make([]number.Float, len(x))})
	if err := report.WriteFigure(out, &figure, "svg"); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
