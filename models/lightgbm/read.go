package lightgbm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/models/tree"
)

// maxBytes bounds what Read takes in: memory is proportional to the input, and
// no real model comes near.
const maxBytes = 1 << 30

// endMark is the line after the last tree.
const endMark = "end of trees"

// ErrUnsupported is wrapped by the errors for models that are sound but that
// this package would score wrongly: linear trees, random forests, several
// classes, other objectives, and models of other libraries.
var ErrUnsupported = errors.New("this kind of model is not supported")

// FormatError says where a model file is not what it should be.
type FormatError struct {
	// Line counts from 1. For a truncated file it is the line after the last.
	Line int
	// Problem says what was expected and what was found.
	Problem string
	// Err is the cause: ErrUnsupported, io.ErrUnexpectedEOF for a truncated
	// file, a reading error, or nil.
	Err error
}

// Error gives the line, the problem and, for a truncated file, what to do.
func (e *FormatError) Error() string {
	text := fmt.Sprintf("LightGBM model, line %d: %s", e.Line, e.Problem)
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		text += " (the file is truncated: copy or train it again)"
	} else if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Read reads a LightGBM text model, version v3 or v4. Every error but one of
// r's own is a *FormatError. The ensemble it returns is valid.
func Read(r io.Reader) (*tree.Ensemble, error) {
	s := &source{in: bufio.NewReader(io.LimitReader(r, maxBytes))}
	first, err := s.next("the first line, which should be \"tree\"")
	if err != nil {
		return nil, err
	}
	if first != "tree" {
		return nil, s.notLightGBM(first)
	}
	header, err := s.block("a header line or a blank line")
	if err != nil {
		return nil, err
	}
	e, sizes, err := readHeader(header)
	if err != nil {
		return nil, err
	}
	for {
		title, err := s.nextFilled(fmt.Sprintf("\"Tree=%d\" or %q", len(e.Trees), endMark))
		if err != nil {
			return nil, err
		}
		if title == endMark {
			break
		}
		if title != fmt.Sprintf("Tree=%d", len(e.Trees)) {
			return nil, s.bad("expected \"Tree=%d\" or %q, found %s", len(e.Trees), endMark, quote(title))
		}
		block, err := s.block("a line of the tree or a blank line")
		if err != nil {
			return nil, err
		}
		t, err := readTree(block)
		if err != nil {
			return nil, err
		}
		if err := t.Validate(len(e.Features)); err != nil {
			return nil, &FormatError{Line: block.start, Problem: fmt.Sprintf("Tree=%d is not a tree: %v", len(e.Trees), err)}
		}
		e.Trees = append(e.Trees, t)
	}
	if len(e.Trees) != sizes {
		return nil, s.bad("the header promised %d trees, found %d", sizes, len(e.Trees))
	}
	if err := e.Validate(); err != nil {
		return nil, &FormatError{Line: header.start, Problem: err.Error()}
	}
	return e, nil
}

// readHeader returns the ensemble without its trees, and their number.
func readHeader(h *block) (*tree.Ensemble, int, error) {
	if h.has("average_output") {
		return nil, 0, h.unsupported("average_output", "a random forest (boosting=rf): train with boosting=gbdt")
	}
	version, err := h.text("version")
	if err != nil {
		return nil, 0, err
	}
	if version != "v3" && version != "v4" {
		return nil, 0, h.unsupported("version", "format version %s: save the model with LightGBM 3 or 4", quote(version))
	}
	for _, key := range []string{"num_class", "num_tree_per_iteration"} {
		n, err := h.integer(key)
		if err != nil {
			return nil, 0, err
		}
		if n != 1 {
			return nil, 0, h.unsupported(key, "%d classes: only one output is scored", n)
		}
	}
	e := &tree.Ensemble{}
	if e.Objective, err = readObjective(h); err != nil {
		return nil, 0, err
	}
	if e.Features, err = readFeatures(h); err != nil {
		return nil, 0, err
	}
	sizes, err := array(h, "tree_sizes", -1, asIs)
	return e, len(sizes), err
}

// readObjective maps LightGBM's objectives to ours where the link is the same.
func readObjective(h *block) (tree.Objective, error) {
	text, err := h.text("objective")
	if err != nil {
		return 0, err
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0, h.bad("objective", "expected an objective, found none")
	}
	switch words[0] {
	case "binary":
		if len(words) == 2 && words[1] == "sigmoid:1" {
			return tree.Binary, nil
		}
	case "cross_entropy", "xentropy":
		return tree.Binary, nil
	case "lambdarank", "rank_xendcg":
		return tree.Ranking, nil
	case "regression", "regression_l1", "huber", "fair", "quantile", "mape":
		if len(words) == 1 || words[len(words)-1] != "sqrt" {
			return tree.Regression, nil
		}
	}
	return 0, h.unsupported("objective", "objective %s: binary sigmoid:1, cross_entropy, regression and lambdarank are", quote(text))
}

func readFeatures(h *block) ([]tree.Feature, error) {
	last, err := h.integer("max_feature_idx")
	if err != nil {
		return nil, err
	}
	names, err := array(h, "feature_names", -1, asIs)
	if err != nil {
		return nil, err
	}
	if len(names) != last+1 {
		return nil, h.bad("feature_names", "expected %d names (max_feature_idx=%d), found %d", last+1, last, len(names))
	}
	infos, err := array(h, "feature_infos", len(names), asIs)
	if err != nil {
		return nil, err
	}
	features := make([]tree.Feature, len(names))
	for i, info := range infos {
		f, err := readFeatureInfo(info)
		if err != nil {
			return nil, h.bad("feature_infos", "entry %d: expected \"none\", \"[min:max]\" or categories, found %s", i+1, quote(info))
		}
		f.Name = unescape(names[i])
		features[i] = f
	}
	return features, nil
}

func readFeatureInfo(info string) (f tree.Feature, err error) {
	if info == "none" {
		return f, nil
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(info, "["), "]"), ":")
	if strings.HasPrefix(info, "[") {
		if len(parts) != 2 {
			return f, strconv.ErrSyntax
		}
		if f.Min, err = strconv.ParseFloat(parts[0], 64); err != nil {
			return f, err
		}
		f.Max, err = strconv.ParseFloat(parts[1], 64)
		return f, err
	}
	for _, p := range parts {
		c, err := strconv.Atoi(p)
		if err != nil {
			return f, err
		}
		f.Categories = append(f.Categories, c)
	}
	return f, nil
}
