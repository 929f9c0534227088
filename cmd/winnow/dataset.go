package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
)

func newDataset() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dataset",
		Short: "Keep a history of runs: add, list, sum up, check, export",
		Long: `Keep the history that models learn from. A history is a folder of run folders, as
winnow run and winnow import write them; winnow train and winnow evaluate take it. add lets
it grow run by run, as from a CI job: of the same program the versions lie beside each other,
and the last one is learnt from.`,
		Example: "  winnow run --out today examples/bst\n  winnow dataset add history today\n  winnow dataset list history",
		Args:    noSuchCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDatasetAdd(), newDatasetList(), newDatasetStats(), newDatasetCheck(), newDatasetExport())
	return cmd
}

func newDatasetAdd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "add HISTORY RUN...",
		Short: "Add runs to a history, each as the next version of its program",
		Long: `Copy finished runs into a history, which is made if there is none. RUN is what winnow run
wrote (--out), or a folder of several. Each is verified first and added whole or not at all,
as the next version of its program (and fault); one whose data are there already is not added
again. What became of the mutants of the version before is said: survivors that tests kill
now are what a model of survivors learns most from.`,
		Example: "  winnow dataset add history winnow-out",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			added, err := addRuns(cmd.Context(), args[0], args[1:])
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), added)
			}
			return writeResult(cmd.OutOrStdout(), addedText(added))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was added as JSON")
	return ends(cmd, exit.Input, exit.Output)
}

func addRuns(ctx context.Context, to string, folders []string) ([]*dataset.Added, error) {
	var runs []dataset.Run
	for _, folder := range folders {
		found, err := openHistory(folder)
		if err != nil {
			return nil, err
		}
		runs = append(append(runs, found.Runs...), found.Fixed...)
	}
	var out []*dataset.Added
	for i := range runs {
		added, err := dataset.Add(ctx, to, &runs[i])
		if err != nil {
			return nil, notAdded(err, len(out))
		}
		out = append(out, added)
	}
	return out, nil
}

// notAdded gives the error of a run that was not added a status, and says that those before it
// were.
func notAdded(err error, before int) error {
	if before > 0 {
		err = fmt.Errorf("%w (%d before it were added)", err, before)
	}
	if errors.Is(err, dataset.ErrOtherColumns) {
		return exit.New(exit.Input, err, "record it with the version of winnow that recorded the history, or renew the history: winnow import --renew-features")
	}
	if exit.Of(err) == exit.Internal {
		return exit.New(exit.Input, err, "")
	}
	return err
}

func addedText(added []*dataset.Added) []byte {
	var out bytes.Buffer
	for _, a := range added {
		switch {
		case a.Known:
			fmt.Fprintf(&out, "%s: known already, as version %d (%s)\n", a.Subject, a.Version, a.Path)
		case a.Since == nil:
			fmt.Fprintf(&out, "%s: added as version %d (%s)\n", a.Subject, a.Version, a.Path)
		default:
			fmt.Fprintf(&out, "%s: added as version %d (%s); since the one before %d survivors are killed, %d killed mutants survive, the code of %d survivors has changed, and %d mutants are new\n",
				a.Subject, a.Version, a.Path, a.Since.Killed, a.Since.Living, a.Since.Changed, a.Since.New)
		}
	}
	return out.Bytes()
}

// openHistory is dataset.OpenHistory with the status of a bad input.
func openHistory(dir string) (*dataset.History, error) {
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		return nil, exit.New(exit.Input, err, exit.HintOf(err))
	}
	return h, nil
}

// runRow is a run as winnow dataset list shows it.
type runRow struct {
	Subject string `json:"subject"`
	Path    string `json:"path"`
	Version int    `json:"version,omitempty"`
	// Older says that a later version is learnt from.
	Older   bool   `json:"older,omitempty"`
	Tool    string `json:"tool"`
	Mutants int64  `json:"mutants"`
	Tests   int64  `json:"tests"`
	Killed  int64  `json:"killed"`
	// Revealing is how many tests reveal the fault, where one is known.
	Revealing int64 `json:"revealing"`
	Features  bool  `json:"features"`
	Verdicts  bool  `json:"verdicts"`
}

func newDatasetList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list HISTORY",
		Short:   "List the runs of a history",
		Example: "  winnow dataset list history",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := openHistory(args[0])
			if err != nil {
				return err
			}
			rows := rowsOf(h)
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"runs": rows, "unfinished": h.Unfinished, "hash": h.Hash()})
			}
			return writeResult(cmd.OutOrStdout(), listText(h, rows))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return ends(cmd, exit.Input)
}

func rowsOf(h *dataset.History) []runRow {
	rows := []runRow{}
	for k, runs := range [][]dataset.Run{h.Runs, h.Fixed, h.Older} {
		for i := range runs {
			r := &runs[i]
			c := r.Manifest.Counts
			rows = append(rows, runRow{
				Subject: r.Manifest.Name(), Path: r.Path, Version: r.Version(), Older: k == 2, Tool: r.Manifest.Tool,
				Mutants: c["mutants"], Tests: c["tests"], Killed: c["killed"], Revealing: c["revealing"],
				Features: r.Has(dataset.FeaturesFile), Verdicts: r.Has(dataset.KillsFile),
			})
		}
	}
	return rows
}

func listText(h *dataset.History, rows []runRow) []byte {
	var out bytes.Buffer
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "subject\tversion\tmutants\ttests\tkilled\trevealing tests\tfolder")
	for _, r := range rows {
		version := "–"
		if r.Version > 0 {
			version = fmt.Sprint(r.Version)
		}
		if r.Older {
			version += ", older"
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", r.Subject, version, r.Mutants, r.Tests, r.Killed, r.Revealing, r.Path)
	}
	tw.Flush() // to memory
	for _, path := range h.Unfinished {
		fmt.Fprintf(&out, "%s is not finished, and left out\n", path)
	}
	return out.Bytes()
}

func newDatasetStats() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats HISTORY",
		Short: "Sum a history up: what there is to learn from it",
		Long: `Sum a history up: its runs and mutants, and for each label, which is what a model may learn,
of how many mutants it is known and how many have it. All tables are read.`,
		Example: "  winnow dataset stats history",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := openHistory(args[0])
			if err != nil {
				return err
			}
			stats, err := h.Stats(cmd.Context())
			if err != nil {
				return exit.New(exit.Input, err, exit.HintOf(err))
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), stats)
			}
			return writeResult(cmd.OutOrStdout(), statsText(args[0], stats))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	return ends(cmd, exit.Input)
}

func statsText(dir string, s *dataset.Stats) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %d runs of %d programs, %d of them with a known fault; %d mutants, %d tests, %d features\n", dir, s.Runs, s.Programs, s.Faults, s.Mutants, s.Tests, s.Features)
	if s.Older > 0 {
		fmt.Fprintf(&out, "%d older versions are not learnt from\n", s.Older)
	}
	out.WriteString("\n")
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "label\tknown of\tmean\tmeaning")
	for _, l := range s.Labels {
		mean := "–"
		if l.Known > 0 {
			mean = fmt.Sprintf("%.4f", l.Mean)
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\n", l.Name, l.Known, mean, l.Doc)
	}
	tw.Flush() // to memory
	return out.Bytes()
}

func newDatasetCheck() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check HISTORY",
		Short: "Verify every file of a history",
		Long: `Read every run of a history and compare each file with what its manifest says of it: a file
that was changed, cut off or swapped is named, and so is one whose rows do not fit the others.`,
		Example: "  winnow dataset check history",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := openHistory(args[0])
			if err != nil {
				return err
			}
			return checkHistory(cmd.Context(), h, cmd.OutOrStdout())
		},
	}
	return ends(cmd, exit.Input)
}

func checkHistory(ctx context.Context, h *dataset.History, stdout io.Writer) error {
	var out bytes.Buffer
	bad := 0
	all := slices.Concat(h.Runs, h.Fixed, h.Older)
	for i := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := all[i].Load(); err != nil {
			bad++
			fmt.Fprintf(&out, "%s: %v\n", all[i].Path, err)
		}
	}
	for _, path := range h.Unfinished {
		fmt.Fprintf(&out, "%s is not finished, and nothing is learnt from it\n", path)
	}
	fmt.Fprintf(&out, "%d of %d runs are whole; the data have the hash %.12s\n", len(all)-bad, len(all), h.Hash())
	if err := writeResult(stdout, out.Bytes()); err != nil {
		return err
	}
	if bad > 0 {
		return exit.New(exit.Input, fmt.Errorf("%d of %d runs are damaged", bad, len(all)), "remove their folders, or record them again")
	}
	return nil
}

func newDatasetExport() *cobra.Command {
	var opts exportOptions
	cmd := &cobra.Command{
		Use:   "export HISTORY --out FILE",
		Short: "Write the mutants of a history as one table, for notebooks and other tools",
		Long: `Write the mutants of all runs of a history as one table: a row a mutant, with what it changes,
what the tests did with it, every label, and the features that --features names (all: every
one, which takes 10 kB a mutant). FILE ends in .parquet or .csv.`,
		Example: "  winnow dataset export history --out mutants.parquet --features all\n  winnow dataset export history --out mutants.csv",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return opts.export(cmd.Context(), filepath.Clean(args[0]), cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}
