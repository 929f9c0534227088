// Command drawpictures draws the pictures of README.md (scripts/pictures.sh, make pictures):
//
//	drawpictures terminal COMMAND <OUTPUT >SVG   what a command prints, as a terminal shows it
//	drawpictures palette <PNG >PNG               a screenshot with few colours, a quarter as large
//	drawpictures lists <docs/results/first-twenty.md >SVG   what the first mutants are worth
//
// It is for developers and ships with no release.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/winnow-mutants/winnow/internal/developer"
)

func main() { developer.Main("drawpictures", run) }

func run(_ context.Context, args []string, stdout, _ io.Writer) error {
	return draw(args, os.Stdin, stdout)
}

func draw(args []string, in io.Reader, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "terminal":
		return terminal(args[1], in, out)
	case len(args) == 1 && args[0] == "palette":
		return reduce(in, out)
	case len(args) == 1 && args[0] == "lists":
		return lists(in, out)
	}
	return errors.New("want terminal COMMAND, palette or lists")
}
