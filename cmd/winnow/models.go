package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/released"
)

func newModels() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "Look at models: which there are, what one learned from, how two differ",
		Long: `Look at models: those that ship with winnow, by their names, and those that winnow train wrote,
by their folders. rank, report and ci take either (--model); use writes one into winnow.toml.`,
		Example: "  winnow models list\n  winnow models show codeflaws\n  winnow models diff codeflaws my-model\n  winnow models use my-model",
		Args:    noSuchCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newModelsList(), newModelsShow(), newModelsDiff(), newModelsUse())
	return cmd
}

func newModelsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [FOLDER...]",
		Short: "List the released models, and those in folders that are named",
		Long: `List models: what each learned from, and the area under the curve (AUC) of its probabilities, on
programs that it had not seen: 1 is perfect, .5 is chance.`,
		Example: "  winnow models list\n  winnow models list my-model",
		RunE: func(cmd *cobra.Command, args []string) error {
			var cards []*models.Card
			for _, name := range append(released.Names(), args...) {
				m, err := openModel(name)
				if err != nil {
					return err
				}
				cards = append(cards, &m.Card)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), cards)
			}
			return writeResult(cmd.OutOrStdout(), modelsText(append(released.Names(), args...), cards))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the models' cards as JSON")
	return ends(cmd, exit.Input)
}

func modelsText(names []string, cards []*models.Card) []byte {
	var out bytes.Buffer
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "model\tversion\tprograms\tfaults\tmutants\tfeatures\tkillable AUC\tfault-revealing AUC")
	for i, c := range cards {
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%s\t%s\n", names[i], c.Version, c.Programs, c.Faults, c.Mutants, len(c.Features), figure(c, "killable AUC"), figure(c, "fault-revealing AUC"))
	}
	tw.Flush() // to memory
	fmt.Fprintf(&out, "\nWithout --model the one is taken that winnow.toml names (winnow models use), else %s for a project\nwith [build], else the one whose programs are most like yours: %s\n", ownTestsModel, strings.Join(releasedFor, " or "))
	return out.Bytes()
}

func figure(c *models.Card, name string) string {
	if x, ok := c.Figures[name]; ok {
		return fmt.Sprintf("%.3f", x)
	}
	return "–"
}

func newModelsShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Show a model's card, and the features that it rests on",
		Long: `Show what a model learned from, how good it is, what it cannot do, and the features that its
trees gain most by.`,
		Example: "  winnow models show projects",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openModel(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), m.Card)
			}
			text := m.Card.Markdown()
			if m.Foreign == nil {
				text += "\n" + gainText(m)
			}
			return writeResult(cmd.OutOrStdout(), []byte(text))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the card as JSON")
	return ends(cmd, exit.Input)
}

// mostFeatures are shown of each part of a model.
const mostFeatures = 10

// gainText lists the features that the trees gain most by.
func gainText(m *models.Bundle) string {
	var out strings.Builder
	out.WriteString("## Features\n\nThe share of what splits gain, of the first of each part:\n\n")
	for _, part := range m.Parts() {
		gains := gains(part.Ensemble)
		fmt.Fprintf(&out, "- `%s`: ", part.File)
		names := slices.SortedFunc(maps.Keys(gains), func(a, b string) int {
			return cmp.Or(cmp.Compare(gains[b], gains[a]), cmp.Compare(a, b))
		})
		var said []string
		for _, name := range names[:min(mostFeatures, len(names))] {
			said = append(said, fmt.Sprintf("%s %.1f %%", name, 100*gains[name]))
		}
		out.WriteString(strings.Join(said, ", ") + "\n")
	}
	return out.String()
}

// gains are the shares of the features that are read.
func gains(e *models.Ensemble) map[string]float64 {
	out := map[string]float64{}
	names := e.Names()
	for i, gain := range e.Importance() {
		if gain > 0 {
			out[names[i]] = gain
		}
	}
	return out
}

func newModelsDiff() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff MODEL MODEL",
		Short: "Say how two models differ: data, options, figures, features",
		Long: `Say how the second model differs from the first: in what it learned from, its options, its
figures, and the features that it reads. Figures of models that were judged on other data do
not compare: winnow evaluate HISTORY --model judges both on the same.`,
		Example: "  winnow models diff codeflaws codeflaws-dynamic",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var both [2]*models.Bundle
			for i, name := range args {
				m, err := openModel(name)
				if err != nil {
					return err
				}
				both[i] = m
			}
			return writeResult(cmd.OutOrStdout(), modelsDiff(args, both[0], both[1]))
		},
	}
	return ends(cmd, exit.Input)
}

func modelsDiff(names []string, a, b *models.Bundle) []byte {
	var out bytes.Buffer
	tw := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "what\t%s\t%s\n", names[0], names[1])
	of := [2]map[string]string{facts(a), facts(b)}
	differ := 0
	for _, what := range slices.Sorted(maps.Keys(merged(of[0], of[1]))) {
		if x, y := of[0][what], of[1][what]; x != y {
			differ++
			fmt.Fprintf(tw, "%s\t%s\t%s\n", what, orNone(x), orNone(y))
		}
	}
	tw.Flush() // to memory
	only := func(x, y *models.Bundle) (out []string) {
		for _, name := range x.Card.Features {
			if !slices.Contains(y.Card.Features, name) {
				out = append(out, name)
			}
		}
		return out
	}
	for i, list := range [][]string{only(a, b), only(b, a)} {
		if len(list) > 0 {
			differ++
			fmt.Fprintf(&out, "\n%d features only %s reads: %s\n", len(list), names[i], strings.Join(firstFew(list, 12), ", "))
		}
	}
	if differ == 0 {
		return fmt.Appendf(nil, "%s and %s are the same model\n", names[0], names[1])
	}
	return out.Bytes()
}

// facts are what the cards of two models are compared by.
func facts(m *models.Bundle) map[string]string {
	c := &m.Card
	out := map[string]string{
		"name": c.Name, "version": c.Version, "programs": fmt.Sprint(c.Programs), "faults": fmt.Sprint(c.Faults), "mutants": fmt.Sprint(c.Mutants),
		"features": fmt.Sprint(len(c.Features)), "definitions of the features": c.Schema, "seed": fmt.Sprint(c.Seed), "folds": fmt.Sprint(c.Folds),
	}
	for name, x := range c.Figures {
		out["figure "+name] = fmt.Sprintf("%.4g", x)
	}
	for name, x := range c.HyperParameters {
		out["option "+name] = x
	}
	for file, hash := range c.SHA256 {
		out["file "+file] = fmt.Sprintf("%.12s", hash)
	}
	for _, p := range m.Parts() {
		out["trees of "+p.File] = fmt.Sprint(len(p.Ensemble.Trees))
	}
	return out
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func orNone(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func firstFew(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(slices.Clone(list[:n]), fmt.Sprintf("and %d more", len(list)-n))
}
