package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// cardFormat is the version of card.json that this package writes and reads.
// In format 1 the schema hash was of the names of a whole table.
const cardFormat = 2

// Card says where a model comes from and how good it is. After Mitchell and
// others, "Model cards for model reporting" (2019).
type Card struct {
	// Format is the version of the card itself; Save sets it.
	Format  int    `json:"format"`
	Name    string `json:"name"`
	Version string `json:"version"`
	// CreatedBy is the command that made the model, to be run again.
	CreatedBy string `json:"created_by"`

	// Data describes the training data in a sentence or two; the numbers count
	// what went into the final fit.
	Data     string `json:"data"`
	Faults   int    `json:"faults"`
	Programs int    `json:"programs"`
	Mutants  int    `json:"mutants"`
	// TrainedOn are the first SourceLength digits of the SHA-256 of the source files
	// behind the training data, sorted: a model is not judged on what it learned from.
	// Empty where that is not known. Save writes them to a file of their own; the cards
	// of earlier versions have them.
	TrainedOn []string `json:"trained_on,omitempty"`

	// Folds is the number of folds behind Figures, which are named like
	// "fault.auc" and were measured on programs the model had not seen.
	Folds   int                `json:"folds"`
	Figures map[string]float64 `json:"figures"`

	Seed uint64 `json:"seed"`
	// HyperParameters are the training options that were set, as text.
	HyperParameters map[string]string `json:"hyper_parameters"`

	// Features names the columns that the ensembles read, in their order; Save
	// takes it from the ensembles when it is empty. Schema is HashColumns of
	// exactly these columns.
	Schema   string   `json:"schema"`
	Features []string `json:"features"`

	// Calibrations correct the probabilities of the ensembles, by file name, or make
	// them of the scores of one that ranks; an ensemble without one speaks for itself.
	Calibrations map[string]Calibration `json:"calibrations,omitempty"`
	// Distributions describe the training data in the columns that matter most, so
	// that other data can be told (Bundle.Drifts).
	Distributions []Distribution `json:"distributions,omitempty"`
	// Familiar says how unlike each other the programs behind them are; nil where
	// that was not measured.
	Familiar *Familiar `json:"familiar,omitempty"`

	// SHA256 holds the hexadecimal hash of each other file, of what is in it where it is
	// compressed; Save sets it.
	SHA256 map[string]string `json:"sha256"`

	// Limits are sentences on what the model cannot do.
	Limits []string `json:"limits"`
}

func (c *Card) validate() error {
	switch {
	case c.Name == "":
		return errors.New("model card: no name")
	case c.Version == "":
		return fmt.Errorf("model card %q: no version", c.Name)
	case c.CreatedBy == "":
		return fmt.Errorf("model card %q: it does not say what command created the model", c.Name)
	case c.Data == "":
		return fmt.Errorf("model card %q: the training data are not described", c.Name)
	case c.Schema == "":
		return fmt.Errorf("model card %q: no schema hash", c.Name)
	case len(c.Features) == 0:
		return fmt.Errorf("model card %q: no features", c.Name)
	}
	for _, file := range slices.Sorted(maps.Keys(c.Calibrations)) {
		calibration := c.Calibrations[file]
		if err := calibration.Validate(); err != nil {
			return fmt.Errorf("model card %q: %s: %w", c.Name, file, err)
		}
	}
	for i := range c.Distributions {
		if err := c.Distributions[i].validate(); err != nil {
			return fmt.Errorf("model card %q: %w", c.Name, err)
		}
	}
	if err := c.Familiar.validate(); err != nil {
		return fmt.Errorf("model card %q: %w", c.Name, err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
		if x := c.Figures[name]; math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("model card %q: figure %s is %v: leave out what was not measured", c.Name, name, x)
		}
	}
	return nil
}

// encode returns card.json. Go writes map keys in order, so the bytes are
// determined.
func (c *Card) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c); err != nil {
		return nil, fmt.Errorf("model card %q: %w", c.Name, err)
	}
	return b.Bytes(), nil
}

// decodeCard reads card.json. Unknown fields are errors: they mean that the
// card says something this version would ignore.
func decodeCard(text []byte) (Card, error) {
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return Card{}, fmt.Errorf("%s: %w: %w", cardFile, ErrDamaged, err)
	}
	if format.Format != cardFormat {
		return Card{}, fmt.Errorf("%s has format %d, this version of winnow reads format %d: update winnow or take an older model", cardFile, format.Format, cardFormat)
	}
	var c Card
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Card{}, fmt.Errorf("%s: %w: %w", cardFile, ErrDamaged, err)
	}
	return c, nil
}

// Markdown is the card for people, the README.md of the model's folder.
func (c *Card) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Model %s %s\n\n", c.Name, c.Version)
	if c.Faults > 0 {
		fmt.Fprintf(&b, "Ranks mutants of C programs by two probabilities: of revealing a real fault (`%s`) and of being killable (`%s`).\n\n", FaultFile, KillFile)
	} else {
		fmt.Fprintf(&b, "Says how probable it is that a mutant of a C program is killable (`%s`). No fault was known of the programs that it learned from.\n\n", KillFile)
	}
	if _, ok := c.SHA256[SurvivorFile]; ok {
		fmt.Fprintf(&b, "Of a mutant that tests let live it says how probable it is that another test kills it, by what these did (`%s`).\n\n", SurvivorFile)
	}
	fmt.Fprintf(&b, "## Training\n\n%s\n\n", c.Data)
	rows := [][]string{
		{"faults", strconv.Itoa(c.Faults)}, {"programs", strconv.Itoa(c.Programs)}, {"mutants", strconv.Itoa(c.Mutants)},
		{"features", strconv.Itoa(len(c.Features))}, {"definitions of the features", "`" + c.Schema + "`"}, {"seed", strconv.FormatUint(c.Seed, 10)},
	}
	for _, name := range slices.Sorted(maps.Keys(c.HyperParameters)) {
		rows = append(rows, []string{name, c.HyperParameters[name]})
	}
	table(&b, []string{"what", "value"}, rows)
	fmt.Fprintf(&b, "Created by:\n\n    %s\n\n", c.CreatedBy)
	if len(c.Figures) > 0 {
		fmt.Fprintf(&b, "## Figures\n\nMeasured in %d folds, on programs the model had not seen.\n\n", c.Folds)
		rows = nil
		for _, name := range slices.Sorted(maps.Keys(c.Figures)) {
			rows = append(rows, []string{name, strconv.FormatFloat(c.Figures[name], 'g', 4, 64)})
		}
		table(&b, []string{"figure", "value"}, rows)
	}
	if len(c.Limits) > 0 {
		b.WriteString("## Limits\n\n")
		for _, limit := range c.Limits {
			fmt.Fprintf(&b, "- %s\n", limit)
		}
		b.WriteString("\n")
	}
	if len(c.Calibrations) > 0 {
		b.WriteString("## Calibration\n\n")
		rows = nil
		for _, file := range slices.Sorted(maps.Keys(c.Calibrations)) {
			calibration := c.Calibrations[file]
			rows = append(rows, []string{"`" + file + "`", calibration.String()})
		}
		table(&b, []string{"file", "probabilities"}, rows)
		if _, ok := c.Calibrations[RevealFile]; ok {
			b.WriteString("Of an ensemble that is trained to rank (LightGBM's `lambdarank`), raw scores stand in the place of log-odds.\n\n")
		}
	}
	if f := c.Familiar; f != nil {
		fmt.Fprintf(&b, "## Drift\n\nA program counts as unlike those of the training when its distance from them, in the %d columns that matter most, is above %.3f. Of %d of these programs, each held against those of other problems, %.1f %% are.\n\n",
			len(c.Distributions), f.Limit, f.Programs, 100*f.FalseAlarms)
	}
	b.WriteString("## Files\n\n")
	rows = nil
	for _, file := range slices.Sorted(maps.Keys(c.SHA256)) {
		rows = append(rows, []string{"`" + file + "`", "`" + c.SHA256[file] + "`"})
	}
	table(&b, []string{"file", "SHA-256"}, rows)
	b.WriteString("The ensembles are LightGBM v3 text; one whose name ends in `.zst` is compressed, and the hash that of the text. ")
	if _, ok := c.SHA256[sourcesFile]; ok {
		fmt.Fprintf(&b, "`%s` holds the first %d bytes of the SHA-256 of every source file that was learned from. ", sourcesFile, SourceLength/2)
	}
	fmt.Fprintf(&b, "`%s` holds all of this for programs, and the names of the features.\n", cardFile)
	return b.String()
}

func table(b *strings.Builder, head []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	cell := strings.NewReplacer("|", `\|`, "\n", " ")
	for _, row := range rows {
		for _, text := range row {
			fmt.Fprintf(b, "| %s ", cell.Replace(text))
		}
		b.WriteString("|\n")
	}
	b.WriteString("\n")
}
