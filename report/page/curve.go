package page

import (
	"fmt"
	"strings"

	"github.com/winnow-mutants/winnow/report/findings"
)

// curve is a drawing of how early the order leads to strong tests.
type curve struct {
	Ordered, Random string // points of SVG polylines
	Words           string
	Last            int
}

// The drawing's size, without its margins, and how many points its lines have.
const width, height, points = 420, 180, 200

func draw(c *findings.Curve) *curve {
	if c == nil {
		return nil
	}
	// What comes after nearly all are killed is a long flat line.
	last := max(enough(c.Ordered), enough(c.Random))
	polyline := func(list []float64) string {
		var out strings.Builder
		places, shares := findings.Cut(list[:min(len(list), last+1)], points)
		for i, k := range places {
			fmt.Fprintf(&out, "%.1f,%.1f ", width*float64(k)/float64(last), height*(1-shares[i]))
		}
		return strings.TrimSpace(out.String())
	}
	return &curve{polyline(c.Ordered), polyline(c.Random),
		fmt.Sprintf("Tests that kill the first %d mutants in this order (solid) kill half of all that can be killed here; in a random order (dashed) it takes %d.", findings.Half(c.Ordered), findings.Half(c.Random)), last}
}

// enough is where a curve has come to 99 %.
func enough(list []float64) int {
	for k, share := range list {
		if share >= 0.99 {
			return max(k, 1)
		}
	}
	return max(len(list)-1, 1)
}
