// Command trainngram trains the language model of C that ships with winnow
// (package features/ngram) on C files, and writes it.
//
//	go run ./cmd/trainngram OUT FILE...
//
// It is for developers (scripts/language.sh, make model-language) and ships with
// no release.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/winnow-mutants/winnow/features/ngram"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/developer"
)

func main() { developer.Main("trainngram", run) }

func run(_ context.Context, args []string, _, _ io.Writer) error {
	if len(args) < 2 {
		return errors.New("name the file to write and the C files to read")
	}
	var trainer ngram.Trainer
	for _, path := range slices.Sorted(slices.Values(args[1:])) {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		trainer.Add(string(text))
	}
	return atomicfile.Write(args[0], trainer.Model().Encode())
}
