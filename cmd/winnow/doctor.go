package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// doctorOptions are the flags of winnow doctor.
type doctorOptions struct {
	// JSON prints one JSON object instead of a table.
	JSON bool
}

// AddFlags declares the flags of winnow doctor.
func (o *doctorOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.JSON, "json", o.JSON, "print one JSON object")
}

func newDoctor() *cobra.Command {
	var opts doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check that this machine has what winnow needs",
		Long: `Check that this machine has what winnow needs: the tools of LLVM 14, a C
library to compile against, a folder for temporary files from which programs may
run. Also say what it lacks that winnow can do without. winnow does not need Go
once it is built.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDoctor(cmd.Context(), opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Tool)
}

func runDoctor(ctx context.Context, opts doctorOptions, stdout io.Writer) error {
	d := examine(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	write := d.writeTable
	if opts.JSON {
		write = d.writeJSON
	}
	if err := write(stdout); err != nil {
		return fmt.Errorf("writing the diagnosis: %w", err)
	}
	return d.err()
}

// diagnosis is what winnow doctor found.
type diagnosis struct {
	OK     bool      `json:"ok"` // no essential thing is missing
	Checks []finding `json:"checks"`
}

// finding is the result of one check.
type finding struct {
	Name   string `json:"name"`
	Status status `json:"status"`
	Detail string `json:"detail"`
	Cure   string `json:"cure,omitempty"` // what to do, where Status is not ok
}

// status is how a check ended.
type status string

const (
	statusOK      status = "ok"
	statusWarning status = "warning" // winnow works without it
	statusMissing status = "missing" // winnow does not work without it
)

func (d diagnosis) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(d)
}

func (d diagnosis) writeTable(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range d.Checks {
		fmt.Fprintf(tw, "%s\t%s\t%s\n", f.Status, f.Name, f.Detail)
		if f.Cure != "" {
			fmt.Fprintf(tw, "\t\t→ %s\n", f.Cure)
		}
	}
	return tw.Flush()
}

// err is nil when winnow can work here, else an error with the first cure.
func (d diagnosis) err() error {
	for _, f := range d.Checks {
		if f.Status == statusMissing {
			return exit.New(exit.Tool, fmt.Errorf("winnow cannot work here: %s: %s", f.Name, f.Detail), f.Cure)
		}
	}
	return nil
}
