package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// licences are the terms of all that is linked into the command beside winnow itself,
// which ask to go with it. The test of this file writes them from the modules.
//
//go:embed licences.txt
var licences string

func newLicences() *cobra.Command {
	return ends(&cobra.Command{
		Use:     "licences",
		Aliases: []string{"licenses"},
		Short:   "Print the licences of what winnow is made of",
		Long: `Print the terms of the modules of others that are linked into winnow, and of Go's own
library and runtime: their authors ask that these go with every copy. The terms of winnow
itself are in its file LICENSE.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), licences)
			return err
		},
	})
}
