package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/winnow-mutants/winnow/ci"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/rank"
)

// tally counts the faults that the list of winnow ci would have caught.
type tally struct {
	faults int
	// missed are faults of which no mutant tells: that lives on the suite and that a test kills
	// which reveals the fault.
	missed         int
	caught, random float64
	// lines and functions that the lists have, and mutants that the suite kills.
	lines, killed, listed int
}

// ofHistory asks, of each fault of a history, whether winnow ci --top would have shown its gap:
// the suite is all tests that do not reveal the fault, and the list has a mutant that lives on
// them and that a revealing test kills.
func ofHistory(ctx context.Context, folder, model string, top int, out io.Writer) error {
	h, err := dataset.OpenHistory(folder)
	if err != nil {
		return err
	}
	bundle, err := released.Open(model)
	if err != nil {
		return err
	}
	var t tally
	for i := range h.Runs {
		r := &h.Runs[i]
		if !r.Has(dataset.FaultsFile) || !r.Has(dataset.FeaturesFile) {
			continue
		}
		s, err := r.Load(dataset.KillsFile, dataset.FaultsFile)
		if err != nil {
			return err
		}
		telling, lives, infecting := tellingOf(s)
		if infecting == nil {
			continue
		}
		from, err := rank.OpenTables(r.Dir)
		if err != nil {
			return err
		}
		ranking, err := rank.Order(ctx, from, rank.Options{Model: bundle, Strategy: predict.Winnow, Seed: 1, Infecting: func() (map[string]int, error) { return infecting, nil }})
		if err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		t.faults++
		if len(telling) == 0 {
			t.missed++
			continue
		}
		order := ci.InTurns(ranking.Mutants)
		t.random += 1 - noneOf(len(order), len(telling), min(top, len(order)))
		found, lines := 0.0, map[int]bool{}
		for _, m := range order[:min(top, len(order))] {
			t.listed++
			if lines[m.Line] = true; telling[m.ID] {
				found = 1
			}
			if !lives[m.ID] {
				t.killed++
			}
		}
		t.caught += found
		t.lines += len(lines)
	}
	n := float64(t.faults - t.missed)
	if n == 0 {
		return errors.New("the history has no fault that some mutant tells")
	}
	fmt.Fprintf(out, "| faults | that some mutant tells | caught by the first %d | by %d at random | lines | killed by the suite |\n|---|---|---|---|---|---|\n", top, top)
	fmt.Fprintf(out, "| %d | %d | %.1f %% | %.1f %% | %.1f | %.0f %% |\n", t.faults, t.faults-t.missed, 100*t.caught/n, 100*t.random/n, float64(t.lines)/n, 100*float64(t.killed)/float64(t.listed))
	return nil
}

// tellingOf are the mutants that live on the tests that do not reveal the fault and that some
// test kills that does, those that live at all, and how many of the tests that do not reveal infect
// each; nil where there are none.
func tellingOf(s *dataset.Subject) (telling, lives map[string]bool, infecting map[string]int) {
	reveals := s.Faults.Revealing()
	revealing := map[string]bool{}
	for t, name := range s.Kills.Tests() {
		if reveals.Get(t) {
			revealing[name] = true
		}
	}
	with := s.Kills.OnTests(func(test string) bool { return revealing[test] })
	without := s.Kills.OnTests(func(test string) bool { return !revealing[test] })
	if len(without.Tests()) == 0 {
		return nil, nil, nil
	}
	telling, lives, infecting = map[string]bool{}, map[string]bool{}, map[string]int{}
	for m, id := range s.Kills.Mutants() {
		infecting[id] = without.Infected(m).Count()
		if without.Verdict(m) != matrix.Survived {
			continue
		}
		if lives[id] = true; with.Verdict(m) == matrix.Killed {
			telling[id] = true
		}
	}
	return telling, lives, infecting
}

// noneOf is the chance that none of some marked things is among k that are drawn of n.
func noneOf(n, marked, k int) float64 {
	log := 0.0
	for i := range k {
		if n-marked-i <= 0 {
			return 0
		}
		log += math.Log(float64(n-marked-i)) - math.Log(float64(n-i))
	}
	return math.Exp(log)
}
