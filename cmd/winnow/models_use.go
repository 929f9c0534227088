package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/project"
)

func newModelsUse() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "use MODEL [PROJECT]",
		Short: "Write into winnow.toml which model ranks the project's mutants",
		Long: `Write into a project's winnow.toml which model ranks its mutants, so that rank, run, next, ci,
serve and mcp take it without --model. A folder that winnow train wrote is named relative to the
project, so that whoever has the project's files has the model. auto takes the line away: winnow
chooses a released model itself. PROJECT is the folder with
winnow.toml; the current one where none is named.`,
		Example: "  winnow models use codeflaws-dynamic examples/bst\n  winnow models use models/ours\n  winnow models use auto",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := useModel(args[0], orDefault(args[1:], ".")[0])
			if err != nil {
				return err
			}
			return writeResult(cmd.OutOrStdout(), []byte(text))
		},
	}
	return ends(cmd, exit.Input)
}

// useModel writes a model's name into a project's file, and says what that means.
func useModel(name, folder string) (string, error) {
	if _, err := openModel(name); err != nil {
		return "", err
	}
	file := filepath.Join(folder, project.File)
	if name == defaultModel {
		if err := project.SetModel(folder, ""); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s names no model: winnow chooses a released one itself\n", file), nil
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", exit.New(exit.System, err, "")
	}
	written := modelPaths(name, func(path string) string {
		from, err := filepath.Abs(path)
		if err != nil {
			return path
		}
		if relative, err := filepath.Rel(absolute, from); err == nil {
			return relative
		}
		return from
	})
	if err := project.SetModel(folder, written); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: model = %q\n", file, written), nil
}
