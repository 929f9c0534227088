package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/exit"
)

func newMerge() *cobra.Command {
	opts := outputOptions{Out: "winnow-out"}
	cmd := &cobra.Command{
		Use:   "merge FOLDER...",
		Short: "Join what several winnow run --shard recorded",
		Long: `Join the run folders that winnow run --shard wrote, on one machine or on several.
Every shard must be there. The result is what winnow run writes without --shard.`,
		Example: "  winnow run --shard 1/2 --out one examples/bst\n  winnow run --shard 2/2 --out two examples/bst\n  winnow merge --out runs one two",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.check(); err != nil {
				return err
			}
			n, err := campaign.Merge(args, opts.Out, opts.Force)
			if err != nil {
				return err
			}
			return writeResult(cmd.OutOrStdout(), fmt.Appendf(nil, "joined %d programs in %s\n", n, opts.Out))
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}
