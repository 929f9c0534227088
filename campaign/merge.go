package campaign

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Merge joins the run folders below several folders, each of which holds a
// shard of the mutants of the same programs, in run folders below out. The joined
// folder has the tables of a run that was not sharded. It returns how many
// programs there are.
func Merge(folders []string, out string, replace bool) (int, error) {
	place, err := newPlace(out, replace, false)
	if err != nil {
		return 0, err
	}
	defer place.close()
	if err := place.whole(); err != nil {
		return 0, err
	}
	shards := map[string][]*dataset.Subject{}
	var order []string
	for _, folder := range folders {
		history, err := dataset.OpenHistory(folder)
		if err != nil {
			return 0, exit.New(exit.Input, err, "")
		}
		if len(history.Unfinished) > 0 {
			return 0, exit.Mark(exit.Input, ErrUnfinished, fmt.Errorf("%s: %v is not finished", folder, history.Unfinished))
		}
		for _, run := range slices.Concat(history.Runs, history.Fixed) {
			s, err := run.Load()
			if err != nil {
				return 0, exit.New(exit.Input, err, "")
			}
			// Load keeps the verdicts only.
			if s.Kills, err = kill.Read(filepath.Join(run.Dir, dataset.KillsFile), kill.Everything); err != nil {
				return 0, exit.New(exit.Input, err, "")
			}
			name := s.Manifest.Name()
			if shards[name] == nil {
				order = append(order, name)
			}
			shards[name] = append(shards[name], s)
		}
	}
	for _, name := range order {
		joined, err := mergeShards(name, shards[name])
		if err != nil {
			return 0, err
		}
		m := &joined.Manifest
		if err := dataset.WriteSubject(filepath.Join(place.folder, m.Program, m.Fault), joined); err != nil {
			return 0, err
		}
	}
	return len(order), place.commit()
}

// mergeShards joins the shards of one program.
func mergeShards(name string, shards []*dataset.Subject) (*dataset.Subject, error) {
	joined := *shards[0]
	ids, err := joined.Mutants.Strings("id")
	if err != nil {
		return nil, err
	}
	empty, err := kill.New(ids, joined.Kills.Tests())
	if err != nil {
		return nil, err
	}
	all := kill.Source{Name: name, Matrix: empty}
	counts := map[string]int64{}
	ran := map[string]bool{}
	for i, s := range shards {
		if err := sameProgram(shards[0], s); err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: shard %d does not fit to the first: %w", name, i+1, err), "run all shards with the same winnow, sources, tests and options")
		}
		if joined.Mutants, err = joinMutants(joined.Mutants, s.Mutants); err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: shard %d does not fit to the first: %w", name, i+1, err), "run all shards with the same winnow, sources, tests and options")
		}
		for _, id := range s.Kills.Mutants() {
			ran[id] = true
		}
		if all.Matrix, err = kill.Merge(all, kill.Source{Name: fmt.Sprintf("shard %d", i+1), Matrix: s.Kills}); err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		for key, n := range s.Manifest.Counts {
			counts[key] += n
		}
	}
	for place, id := range ids {
		if !ran[id] {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: mutant %s is in none of %d shards; it is one of shard %d of %d", name, id, len(shards), place%shardsOf(shards[0])+1, shardsOf(shards[0])), "run that shard, too")
		}
	}
	for _, same := range []string{"tests", "set_aside", "revealing", "unprobed"} {
		counts[same] = shards[0].Manifest.Counts[same]
	}
	joined.Kills, joined.Manifest.Counts = all.Matrix, counts
	if joined.Proofs, err = joinProofs(shards, ids); err != nil {
		return nil, err
	}
	joined.Manifest.Options = maps.Clone(joined.Manifest.Options)
	delete(joined.Manifest.Options, "shard")
	joined.Manifest.Files = nil
	return &joined, nil
}

// joinProofs joins what shards know of mutants beside their runs, in the order of the mutants; nil
// without anything.
func joinProofs(shards []*dataset.Subject, mutants []string) (*table.Table, error) {
	var all []dataset.Proof
	for _, s := range shards {
		all = append(all, s.ProofRows()...)
	}
	dataset.SortProofs(all, mutants)
	joined, err := dataset.ProofTable(all)
	if err != nil {
		return nil, fmt.Errorf("joining the proofs: %w", err)
	}
	return joined, nil
}

// shardsOf is how many shards a run says there are.
func shardsOf(s *dataset.Subject) int {
	shard, err := ParseShard(s.Manifest.Options["shard"])
	if err != nil {
		return 1
	}
	return max(shard.Of, 1)
}

// joinMutants is the table of the mutants of both shards, which is the same but for the
// diffs: a shard has those of the survivors among the mutants that it ran.
func joinMutants(a, b *table.Table) (*table.Table, error) {
	diff := a.Schema().Index("diff")
	out, err := table.New(a.Schema())
	if err != nil {
		return nil, err
	}
	if a.Rows() != b.Rows() || a.Schema().Difference(b.Schema()) != "" {
		return nil, errOtherMutants
	}
	for row := range a.Rows() {
		values := make([]any, len(a.Schema()))
		for col := range values {
			values[col] = a.Value(row, col)
			other := b.Value(row, col)
			switch {
			case col == diff && values[col] == "":
				values[col] = other
			case col == diff && other == "":
			case values[col] != other:
				return nil, errOtherMutants
			}
		}
		if err := out.Append(values...); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var errOtherMutants = fmt.Errorf("%s is another", dataset.MutantsFile)

// sameProgram says how two runs differ in anything but which mutants were run.
func sameProgram(a, b *dataset.Subject) error {
	for _, file := range []string{dataset.FeaturesFile, dataset.FaultsFile} {
		if a.Manifest.Files[file].SHA256 != b.Manifest.Files[file].SHA256 {
			return fmt.Errorf("%s is another", file)
		}
	}
	options := func(s *dataset.Subject) map[string]string {
		out := maps.Clone(s.Manifest.Options)
		delete(out, "shard")
		return out
	}
	if !maps.Equal(options(a), options(b)) || a.Manifest.Tool != b.Manifest.Tool || !maps.Equal(a.Manifest.Inputs, b.Manifest.Inputs) {
		return fmt.Errorf("the options, the sources or the version of winnow are others")
	}
	if a.Kills == nil || b.Kills == nil || len(a.Kills.Tests()) != len(b.Kills.Tests()) {
		return fmt.Errorf("the tests are others")
	}
	return nil
}
