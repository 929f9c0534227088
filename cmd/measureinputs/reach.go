package main

import (
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/inputs"
)

// As features follow a program: so many inputs are looked at, and the best fewSeeds of
// them used, for so many instructions.
const (
	seedsTried = 160
	fewSeeds   = 24
	steps      = 12 << 10
)

// reach counts the blocks of programs that inputs come to, on average over programs.
type reach struct {
	// few is by the first fewSeeds, all by all.
	few, all float64
	// alone is by inputs of one profile, without by those of the others.
	alone, without []float64
}

func newReach() *reach {
	n := len(inputs.Profiles())
	return &reach{alone: make([]float64, n), without: make([]float64, n)}
}

func (r *reach) add(root *concrete.Code) {
	n := len(r.alone)
	all := root.Coverage()
	alone, without := make([]*concrete.Coverage, n), make([]*concrete.Coverage, n)
	for k := range n {
		alone[k], without[k] = root.Coverage(), root.Coverage()
	}
	p := concrete.Path{Trace: true}
	for seed := range uint64(seedsTried) {
		root.Along(&p, seed, 0, steps)
		all.Add(&p)
		if seed == fewSeeds-1 {
			r.few += share(all)
		}
		for k := range n {
			if int(seed)%n == k {
				alone[k].Add(&p)
			} else {
				without[k].Add(&p)
			}
		}
	}
	r.all += share(all)
	for k := range n {
		r.alone[k] += share(alone[k])
		r.without[k] += share(without[k])
	}
}

func share(c *concrete.Coverage) float64 {
	visited, all := c.Blocks()
	return float64(visited) / float64(max(all, 1))
}

func (r *reach) print(out io.Writer, programs int) {
	percent := func(x float64) float64 { return 100 * x / float64(max(programs, 1)) }
	fmt.Fprintf(out, "\n## What is reached\n\nOf the blocks of %d programs, for at most %d instructions an input, %.2f %% are come to on %d drawn inputs, %.2f %% on %d. By profile:\n\n",
		programs, steps, percent(r.few), fewSeeds, percent(r.all), seedsTried)
	fmt.Fprintln(out, "| profile | its inputs alone % | lost without it, points |\n|---|--:|--:|")
	for k, p := range inputs.Profiles() {
		fmt.Fprintf(out, "| %s | %.2f | %.2f |\n", p.Name, percent(r.alone[k]), percent(r.all-r.without[k]))
	}
}
