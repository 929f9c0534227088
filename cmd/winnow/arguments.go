package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// Where a command takes a project and none is named, it is the folder one is in; where it takes
// what winnow run wrote, it is what winnow run writes where --out is not given.
const (
	here       = "."
	defaultRun = "winnow-out"
)

// orDefault is what was named, or else the one thing.
func orDefault(args []string, one string) []string {
	if len(args) == 0 {
		return []string{one}
	}
	return args
}

// sayArguments makes each command below cmd say what it takes where what it was given is too
// little or too much. Cobra counts, and says "accepts 1 arg(s), received 0".
func sayArguments(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		sayArguments(sub)
	}
	takes := argumentsOf(cmd)
	if cmd.Args == nil || takes == "" && cmd.HasSubCommands() {
		return // noSuchCommand says what is wrong itself
	}
	check := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		what := cmd.CommandPath() + " takes " + takes
		if takes == "" {
			what = cmd.CommandPath() + " takes no arguments"
		}
		given := "was given none"
		if len(args) > 0 {
			given = "was given " + strings.Join(args, " ")
		}
		err := fmt.Errorf("%s, and %s", what, given)
		for example := range strings.Lines(cmd.Example) {
			if example = strings.TrimSpace(example); strings.HasPrefix(example, cmd.CommandPath()+" ") {
				return exit.New(exit.Usage, err, "for example: "+example)
			}
		}
		return err
	}
}

// argumentsOf are the words of a command's line of use that are no flags.
func argumentsOf(cmd *cobra.Command) string {
	_, takes, _ := strings.Cut(cmd.Use, " ")
	takes, _, _ = strings.Cut(takes, " --")
	takes, _, _ = strings.Cut(takes, " [--")
	return takes
}
