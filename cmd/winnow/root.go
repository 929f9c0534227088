package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// verbs lists the commands in the order of the help text.
func verbs() []*cobra.Command {
	return []*cobra.Command{
		newRank(),
		newMutate(),
		newFeatures(),
		newInit(),
		newRun(),
		newShow(),
		newNext(),
		newReport(),
		newCI(),
		newProve(),
		newMCP(),
		newServe(),
		newMerge(),
		newImport(),
		newDataset(),
		newTrain(),
		newModels(),
		newFeedback(),
		newEvaluate(),
		newDoctor(),
		newLicences(),
		newMan(),
		newVersion(),
	}
}

// newRoot builds the command tree. The flag it returns becomes true when a
// command starts to run: cobra's own errors (unknown command or flag, missing
// argument) come before that, and are the user's.
func newRoot() (root *cobra.Command, started *bool) {
	root = &cobra.Command{
		Use:   "winnow",
		Short: "Rank the mutants of a C program",
		Long: `winnow makes mutants of a C program, scores each with a model that was trained
on real faults, and lists them in the order in which a tester should look at
them: those likely to reveal a real fault and to be killable first.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(verbs()...)
	root.CompletionOptions.HiddenDefaultCmd = true
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		fmt.Fprintf(cmd.OutOrStdout(), "\n%s", exitStatus(cmd))
	})
	sayArguments(root)
	started = new(bool)
	noteStart(root, started)
	return root, started
}

// noSuchCommand checks the arguments of a command that only has commands below
// it: whatever is left is the name of one that does not exist.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q: did you mean %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q", name)
}

// noteStart makes every command below cmd set started when its work begins.
func noteStart(cmd *cobra.Command, started *bool) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*started = true
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		noteStart(sub, started)
	}
}

const exitAnnotation = "exit status"

// ends says which exit codes a command can end with beside those that all can,
// for its help text.
func ends(cmd *cobra.Command, codes ...exit.Code) *cobra.Command {
	cmd.Annotations = map[string]string{exitAnnotation: exit.Help(codes...)}
	return cmd
}

func exitStatus(cmd *cobra.Command) string {
	if s, ok := cmd.Annotations[exitAnnotation]; ok {
		return s
	}
	return exit.Help()
}
