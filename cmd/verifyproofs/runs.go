package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// decided counts what is known of a run's survivors, each where it is first known.
type decided struct {
	mutants, survivors, equivalent, told, state int
}

// runs prints what is known of the survivors of runs that winnow run recorded: those that no test
// can kill, those that an input of the program or a call of their function tells, and those that the interpreter tells by what
// the function leaves from some drawn state at its beginning (families trials and programtrials).
func runs(folder string, out io.Writer) error {
	history, err := dataset.OpenHistory(folder)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "| program | mutants | survivors | no test can kill | an input or a call tells | a drawn state tells | decided |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i := range history.Runs {
		r := &history.Runs[i]
		d, err := decidedOf(r)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Manifest.Program, err)
		}
		all := d.equivalent + d.told + d.state
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %.1f %% |\n", r.Manifest.Program, d.mutants, d.survivors, d.equivalent, d.told, d.state, 100*float64(all)/float64(max(d.survivors, 1)))
	}
	return nil
}

func decidedOf(r *dataset.Run) (d decided, err error) {
	s, err := r.Load(dataset.KillsFile)
	if err != nil {
		return d, err
	}
	shown, err := shownFrom(r.Dir)
	if err != nil {
		return d, err
	}
	proved, examples := s.Proved(), s.Examples()
	for k, id := range s.Kills.Mutants() {
		d.mutants++
		if s.Kills.Verdict(k) != matrix.Survived {
			continue
		}
		d.survivors++
		_, equivalent := proved[id]
		_, told := examples[id]
		switch {
		case equivalent:
			d.equivalent++
		case told:
			d.told++
		case shown[id]:
			d.state++
		}
		if equivalent && shown[id] {
			return d, fmt.Errorf("mutant %s is called equivalent, and the interpreter sees it differ", id)
		}
	}
	return d, nil
}

// shownFrom are the mutants of a run folder that drawn inputs tell.
func shownFrom(folder string) (map[string]bool, error) {
	features, err := table.Read(filepath.Join(folder, dataset.FeaturesFile), "id", "trial_shown_all_share", "program_shown_all_share")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	ids, err := features.Strings("id")
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, name := range []string{"trial_shown_all_share", "program_shown_all_share"} {
		shares, err := features.Floats(name)
		if err != nil {
			return nil, err
		}
		for row, share := range shares {
			if share > 0 { // not so where it is missing
				out[ids[row]] = true
			}
		}
	}
	return out, nil
}
