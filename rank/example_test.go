package rank_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
)

const clampSource = `int clamp(int x, int low, int high) {
  if (x < low) return low;
  return x > high ? high : x;
}
`

// Rank the mutants of a C file: what winnow rank does.
func ExampleOrder() {
	order := func(ctx context.Context, file string) error {
		tools, err := clang.Find()
		if err != nil {
			return err
		}
		made, err := program.Load(ctx, tools, []program.Input{{Path: file}}, program.LoadOptions{})
		if err != nil {
			return err
		}
		model, err := released.Open("codeflaws")
		if err != nil {
			return err
		}
		ranking, err := rank.Order(ctx, rank.OfProgram(made, nil), rank.Options{
			Model: model, Strategy: predict.Default, Top: predict.Percent(10), Fold: true, Seed: 1,
		})
		if err != nil {
			return err
		}
		first := ranking.Mutants[0]
		fmt.Println(first.Rank, filepath.Base(first.File), first.Function)
		fmt.Println("fewer listed than made:", len(ranking.Mutants) < ranking.Total)
		return nil
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "clamp.c")
	if err := os.WriteFile(file, []byte(clampSource), 0o644); err != nil {
		panic(err)
	}
	if err := order(context.Background(), file); err != nil {
		panic(err)
	}
	// Output:
	// 1 clamp.c clamp
	// fewer listed than made: true
}
