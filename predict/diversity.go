package predict

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Diversity picks mutants that are unlike each other: each next one is the
// furthest from all before it (Gonzalez, "Clustering to minimize the maximum
// intercluster distance" (1985)).
var Diversity = Strategy{
	Name:          "diversity",
	Doc:           "Diversity: each next mutant is the one whose features are furthest from those of all before it.",
	NeedsFeatures: true,
	Prepare:       fixed(furthestFirst),
}

const (
	// sketchSize is the number of random projections that stand for a feature
	// row: distances are kept to about a quarter (Johnson and Lindenstrauss).
	sketchSize = 32
	// mostCentres bounds the mutants that are chosen by distance, so that the
	// cost grows with the number of mutants, not with its square. The others
	// follow in rounds, one for each chosen mutant, nearest to it first chosen
	// last.
	mostCentres = 1024
)

// furthestFirst returns the order; ties go to the lower id.
func furthestFirst(scores []Score) []int {
	if len(scores) == 0 {
		return nil
	}
	order := byID(scores)
	points := sketches(scores, order)
	nearest, centre := make([]float64, len(order)), make([]int, len(order))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
	at := central(points)
	var chosen []int
	for range min(len(order), mostCentres) {
		chosen = append(chosen, at)
		nearest[at] = -1
		furthest := -1
		for i := range points {
			if nearest[i] < 0 {
				continue
			}
			if d := distance(&points[i], &points[at]); d < nearest[i] {
				nearest[i], centre[i] = d, len(chosen)-1
			}
			if furthest < 0 || nearest[i] > nearest[furthest] {
				furthest = i
			}
		}
		at = furthest
	}
	out := make([]int, 0, len(order))
	for _, i := range append(chosen, rounds(nearest, centre, len(chosen))...) {
		out = append(out, order[i])
	}
	return out
}

// rounds orders the points that were not chosen: one of each centre's at a time,
// those furthest from it first.
func rounds(nearest []float64, centre []int, centres int) []int {
	own := make([][]int, centres)
	for i, d := range nearest {
		if d >= 0 {
			own[centre[i]] = append(own[centre[i]], i)
		}
	}
	var out []int
	for _, points := range own {
		slices.SortStableFunc(points, func(a, b int) int { return cmp.Compare(nearest[b], nearest[a]) })
	}
	for round, more := 0, true; more; round++ {
		more = false
		for _, points := range own {
			if round < len(points) {
				out = append(out, points[round])
				more = true
			}
		}
	}
	return out
}

type sketch [sketchSize]float32

func distance(a, b *sketch) float64 {
	sum := float32(0)
	for i, x := range a {
		d := x - b[i]
		sum += d * d
	}
	return float64(sum)
}

// sketches projects the feature rows, each column scaled to the range it has in
// the program, missing values in the middle of it.
func sketches(scores []Score, order []int) []sketch {
	columns := len(scores[0].Features)
	low, high := make([]float64, columns), make([]float64, columns)
	for c := range columns {
		low[c], high[c] = math.Inf(1), math.Inf(-1)
	}
	for i := range scores {
		for c, x := range scores[i].Features {
			if x < low[c] { // false of NaN
				low[c] = x
			}
			if x > high[c] {
				high[c] = x
			}
		}
	}
	var varying []int // the others tell mutants of this program apart by nothing
	for c := range columns {
		if high[c] > low[c] {
			varying = append(varying, c)
		}
	}
	rng := stream.New(1, "predict/diversity")
	signs := make([]sketch, columns)
	for c := range signs {
		for k := range signs[c] {
			signs[c][k] = float32(2*rng.IntN(2) - 1)
		}
	}
	points := make([]sketch, len(order))
	for p, i := range order {
		for _, c := range varying {
			x := scores[i].Features[c]
			scaled := float32(0.5)
			if x == x {
				scaled = float32((x - low[c]) / (high[c] - low[c]))
			}
			if scaled != 0 {
				for k, sign := range signs[c] {
					points[p][k] += sign * scaled
				}
			}
		}
	}
	return points
}

// central is the point nearest to the mean of all.
func central(points []sketch) int {
	var mean sketch
	for i := range points {
		for k, x := range points[i] {
			mean[k] += x / float32(len(points))
		}
	}
	best := 0
	for i := range points {
		if distance(&points[i], &mean) < distance(&points[best], &mean) {
			best = i
		}
	}
	return best
}
