package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by the Makefile to what git describe says.
var version string

func newVersion() *cobra.Command {
	return ends(&cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print winnow's version, the Go release it was built with, and the system it was built for.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runVersion(cmd.Context(), cmd.OutOrStdout())
		},
	})
}

func runVersion(_ context.Context, stdout io.Writer) error {
	_, err := fmt.Fprintf(stdout, "winnow %s %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// buildVersion is the Makefile's version or, for a binary made by go install,
// the module's.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
