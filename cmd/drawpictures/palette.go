package main

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"
)

// colours is how many a screenshot keeps: text and its smoothed edges need no more.
const colours = 16

// reduce writes a picture with the colours that it has most, each other pixel in the nearest.
func reduce(in io.Reader, out io.Writer) error {
	from, err := png.Decode(in)
	if err != nil {
		return err
	}
	area := from.Bounds()
	counts := map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			counts[color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)]++
		}
	}
	to := image.NewPaletted(area, mostUsed(counts, colours))
	nearest := map[color.RGBA]uint8{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)
			at, known := nearest[c]
			if !known {
				at = uint8(to.Palette.Index(c))
				nearest[c] = at
			}
			to.SetColorIndex(x, y, at)
		}
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	return encoder.Encode(out, to)
}

// mostUsed chooses colours: each time the one with the most pixels for how far it is from those
// chosen, so that a small mark keeps its own.
func mostUsed(counts map[color.RGBA]int, n int) color.Palette {
	var all []color.RGBA
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(key(a), key(b)))
	})
	var chosen color.Palette
	distance := make([]float64, len(all))
	for i := range distance {
		distance[i] = 1
	}
	for len(chosen) < min(n, len(all)) {
		best := 0
		for i, c := range all {
			if float64(counts[c])*distance[i] > float64(counts[all[best]])*distance[best] {
				best = i
			}
		}
		chosen = append(chosen, all[best])
		for i, c := range all {
			d := apart(c, all[best])
			if len(chosen) == 1 || d < distance[i] {
				distance[i] = d
			}
		}
	}
	return chosen
}

func key(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }

// apart is the squared distance of two colours.
func apart(a, b color.RGBA) float64 {
	sum := 0
	for _, d := range [3]int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		sum += d * d
	}
	return float64(sum)
}
