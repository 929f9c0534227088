package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// exportOptions are the flags of winnow dataset export.
type exportOptions struct {
	Output   outputOptions
	Features string
}

// AddFlags declares the flags.
func (o *exportOptions) AddFlags(flags *pflag.FlagSet) {
	o.Output.AddFlags(flags)
	flags.StringVar(&o.Features, "features", "", "features to add, joined by commas, or all")
}

func (o *exportOptions) export(ctx context.Context, history string, stdout io.Writer) error {
	if err := o.Output.checkFile(); err != nil {
		return err
	}
	encode := encoders[filepath.Ext(o.Output.Out)]
	if encode == nil {
		return exit.Usagef("--out %q: name a file that ends in .parquet or .csv", o.Output.Out)
	}
	h, err := openHistory(history)
	if err != nil {
		return err
	}
	features, err := o.features(h)
	if err != nil {
		return err
	}
	all, err := h.Export(ctx, features)
	if unknown := (*dataset.NoFeature)(nil); errors.As(err, &unknown) {
		return exit.New(exit.Usage, err, "docs/features.md names them")
	}
	if err != nil {
		return exit.New(exit.Input, err, exit.HintOf(err))
	}
	var text bytes.Buffer
	if err := encode(&text, all); err != nil {
		return fmt.Errorf("exporting %s: %w", history, err)
	}
	if err := atomicfile.Write(o.Output.Out, text.Bytes()); err != nil {
		return exit.New(exit.System, err, "")
	}
	return writeResult(stdout, fmt.Appendf(nil, "wrote %d mutants of %d runs in %d columns to %s\n", all.Rows(), len(h.Runs), len(all.Schema()), o.Output.Out))
}

// features are the names that the flag asks for.
func (o *exportOptions) features(h *dataset.History) ([]string, error) {
	switch o.Features {
	case "":
		return nil, nil
	case "all":
		names, err := h.FeatureNames()
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		return names, nil
	}
	names := strings.Split(o.Features, ",")
	slices.Sort(names)
	return slices.Compact(names), nil
}

// encoders write a table, by how the file's name ends.
var encoders = map[string]func(io.Writer, *table.Table) error{".parquet": table.Encode, ".csv": encodeCSV}

// encodeCSV writes a table as RFC 4180 has it; a number that is not known is empty.
func encodeCSV(out io.Writer, t *table.Table) error {
	w := csv.NewWriter(out)
	if err := w.Write(t.Schema().Names()); err != nil {
		return err
	}
	row := make([]string, len(t.Schema()))
	for r := range t.Rows() {
		for c := range row {
			switch v := t.Value(r, c).(type) {
			case float64:
				row[c] = ""
				if !math.IsNaN(v) {
					row[c] = strconv.FormatFloat(v, 'g', -1, 64)
				}
			default:
				row[c] = fmt.Sprint(v)
			}
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
