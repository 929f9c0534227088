package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset/foreign"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
)

// foreignOptions are the flags of the imports of other tools' reports.
type foreignOptions struct {
	History, Program string
	Project          string
	Match, JSON      bool
	Mutation         mutationOptions
}

// AddFlags declares the flags.
func (o *foreignOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&o.History, "out", "o", "imported-history", "the history to add the run folder to")
	flags.StringVar(&o.Program, "program", "", "the program's name; default that of --project, or else the file's")
	flags.StringVar(&o.Project, "project", "", "the folder with the sources that the report was made of")
	flags.BoolVar(&o.Match, "match", false, "keep the mutants that winnow makes of --project, too, with its ids and features, so that a model can be trained on them; the others are left out")
	flags.BoolVar(&o.JSON, "json", false, "print what was taken over as JSON")
	o.Mutation.AddFlags(flags)
}

// foreignTool is a tool whose reports can be taken over.
type foreignTool struct {
	use, short, long, example string
	args                      cobra.PositionalArgs
	read                      func(files []string) (*foreign.Report, error)
}

// learnt is what one cannot learn from any of these reports.
const learnt = `

Without --match all mutants are taken over, for winnow report, show and rank; there are no
features, so that nothing can be trained on them. With --project and --match those are that
winnow makes as well: the same change of the same source, token for token. What the tool did
not write down stays unknown: what the tests behind the first that killed would have said, and
which tests infect a mutant. Where it does not say which test killed a mutant, the whole suite
counts as one test, called suite.`

func foreignTools() []foreignTool {
	return []foreignTool{
		{"elements REPORT.json", "Take over a report of Stryker, Mull, PIT or others (mutation-testing-elements)",
			`Write a report in the JSON of mutation-testing-elements as a run folder. Many tools write it;
of Mull it has no tests, and a crash counts as a kill.` + learnt,
			"  winnow import elements mutation.json --out history\n  winnow import elements mutation.json --project . --match --out history", cobra.ExactArgs(1),
			func(files []string) (*foreign.Report, error) {
				data, err := os.ReadFile(files[0])
				if err != nil {
					return nil, err
				}
				r, err := foreign.Elements(data)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", files[0], err)
				}
				return r, nil
			}},
		{"mull FILE.sqlite...", "Take over the databases of Mull (mull-runner --reporters=SQLite)",
			`Write what Mull's runner found as a run folder. Each database is a test, the one program that
it ran: give those of all test programs together. The texts of the sources are not in them:
name their folder with --project.` + learnt,
			"  winnow import mull core.sqlite parser.sqlite --project . --match --out history", cobra.MinimumNArgs(1),
			func(files []string) (*foreign.Report, error) { return foreign.Mull(files...) }},
		{"dextool FILE.sqlite", "Take over the database of dextool mutate",
			`Write what dextool mutate found as a run folder. Its database has places and kinds of change
in place of texts: of mutants that replace one operator by another the change is known, given
--project; of the others only what became of them.` + learnt,
			"  winnow import dextool dextool_mutate.sqlite3 --project . --match --out history", cobra.ExactArgs(1),
			func(files []string) (*foreign.Report, error) { return foreign.Dextool(files[0]) }},
	}
}

func newImportForeign(tool foreignTool) *cobra.Command {
	var opts foreignOptions
	cmd := &cobra.Command{
		Use: tool.use, Short: tool.short, Long: tool.long, Example: tool.example, Args: tool.args,
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, err := opts.run(cmd.Context(), tool, args)
			if err != nil {
				return err
			}
			if opts.JSON {
				return writeJSON(cmd.OutOrStdout(), sum)
			}
			return writeResult(cmd.OutOrStdout(), foreignText(sum, &opts))
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func (o *foreignOptions) run(ctx context.Context, tool foreignTool, files []string) (*importer.ForeignSummary, error) {
	if o.Match && o.Project == "" {
		return nil, exit.New(exit.Usage, fmt.Errorf("--match needs the sources"), "name their folder with --project")
	}
	mutation, err := o.Mutation.resolve()
	if err != nil {
		return nil, err
	}
	report, err := tool.read(files)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	opts := importer.ForeignOptions{Program: o.Program, Folder: o.Project, Match: o.Match, Mutation: mutation, Tool: buildVersion()}
	if opts.Program == "" {
		named := files[0]
		if o.Project != "" {
			if named, err = filepath.Abs(o.Project); err != nil {
				return nil, exit.New(exit.Input, err, "")
			}
		}
		base := filepath.Base(named)
		if o.Project == "" {
			base = base[:len(base)-len(filepath.Ext(base))]
		}
		opts.Program = project.ProgramName(base)
	}
	var tools *clang.Toolchain
	if o.Match {
		if tools, err = clang.Find(); err != nil {
			return nil, err
		}
	}
	return importer.Foreign(ctx, tools, report, files, o.History, opts)
}

func foreignText(sum *importer.ForeignSummary, opts *foreignOptions) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d mutants and %d tests of %s are now in %s: %d killed, %d survived, %d unknown\n", sum.Mutants, sum.Tests, sum.From, sum.Path, sum.Killed, sum.Survived, sum.Unknown)
	if sum.LeftOut > 0 {
		fmt.Fprintf(&out, "%d more were not run by the tool\n", sum.LeftOut)
	}
	if sum.Suite {
		out.WriteString("which test kills is not known of all: the test \"suite\" stands for all of them together\n")
	}
	switch {
	case opts.Match:
		fmt.Fprintf(&out, "%d mutants that winnow does not make, or leaves out itself, are not among them\n", sum.Unmatched)
	case opts.Project == "" && sum.Changes == 0:
		out.WriteString("the sources are not in it: name their folder with --project\n")
	default:
		fmt.Fprintf(&out, "of %d the change of the source is known; --project FOLDER --match keeps what a model can be trained on\n", sum.Changes)
	}
	return out.Bytes()
}
