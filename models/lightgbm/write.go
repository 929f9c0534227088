// Package lightgbm reads and writes ensembles as LightGBM text models.
//
// The format has no specification; this package follows what LightGBM 3 and 4
// print (gbdt_model_text.cpp, tree.cpp). It writes version v3, which LightGBM
// itself and github.com/dmitryikh/leaves both load, and reads v3 and v4.
//
// A file is a header of key=value lines, a blank line, one block a tree with
// the arrays of its nodes and leaves, the line "end of trees", and remarks that
// scoring does not need. All numbers are printed with 17 digits: reading a file
// gives back the very same ensemble, and the same ensemble gives the same bytes.
//
// What would be scored wrongly is refused: linear trees, random forests
// (averaged output), several classes, and objectives other than binary,
// cross-entropy, plain regression and those that rank. LightGBM gives the raw scores
// of the last, and so does leaves when it is not asked to transform them.
package lightgbm

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Bits of LightGBM's decision_type (tree.h).
const (
	categoricalBit = 1 << 0
	defaultLeftBit = 1 << 1
	missingShift   = 2
)

// Write writes e to w as a LightGBM v3 text model. It fails when e is not valid
// or w fails. Characters of a feature name that the format cannot hold (blanks,
// '=', '%' and controls) are written as %XX.
func Write(w io.Writer, e *tree.Ensemble) error {
	if err := e.Validate(); err != nil {
		return fmt.Errorf("writing a LightGBM model: %w", err)
	}
	blocks := make([]string, len(e.Trees))
	for i := range e.Trees {
		blocks[i] = treeBlock(i, &e.Trees[i])
	}
	out := bufio.NewWriter(w)
	writeHeader(out, e, blocks)
	for _, b := range blocks {
		out.WriteString(b)
	}
	out.WriteString("end of trees\n\n")
	writeRemarks(out, e)
	// bufio.Writer remembers the first error.
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing a LightGBM model: %w", err)
	}
	return nil
}

// objectiveNames are LightGBM's names for what raw scores mean.
var objectiveNames = map[tree.Objective]string{tree.Regression: "regression", tree.Binary: "binary sigmoid:1", tree.Ranking: "lambdarank"}

func writeHeader(out *bufio.Writer, e *tree.Ensemble, blocks []string) {
	names, infos, sizes := make([]string, len(e.Features)), make([]string, len(e.Features)), make([]string, len(blocks))
	for i, f := range e.Features {
		names[i], infos[i] = escape(f.Name), featureInfo(f)
	}
	for i, b := range blocks {
		sizes[i] = strconv.Itoa(len(b))
	}
	fmt.Fprintf(out, "tree\nversion=v3\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=%d\nobjective=%s\n", len(names)-1, objectiveNames[e.Objective])
	fmt.Fprintf(out, "feature_names=%s\nfeature_infos=%s\ntree_sizes=%s\n\n", strings.Join(names, " "), strings.Join(infos, " "), strings.Join(sizes, " "))
}

// writeRemarks writes what follows the trees in LightGBM's own files; its
// Python package looks for the last line.
func writeRemarks(out *bufio.Writer, e *tree.Ensemble) {
	splits := make([]int, len(e.Features))
	for i := range e.Trees {
		for j := range e.Trees[i].Nodes {
			splits[e.Trees[i].Nodes[j].Feature]++
		}
	}
	out.WriteString("feature_importances:\n")
	for i, n := range splits {
		if n > 0 {
			fmt.Fprintf(out, "%s=%d\n", escape(e.Features[i].Name), n)
		}
	}
	objective, _, _ := strings.Cut(objectiveNames[e.Objective], " ")
	fmt.Fprintf(out, "\nparameters:\n[boosting: gbdt]\n[objective: %s]\n\nend of parameters\n\npandas_categorical:null\n", objective)
}

// treeBlock is one tree with the two blank lines that end it. A tree without
// nodes has fewer lines, as in LightGBM. Lines that LightGBM may do without and that
// nothing reads of a finished model are not written, for they are half of its text: the
// weights of nodes and leaves, and what a node would say if it were a leaf.
func treeBlock(index int, t *tree.Tree) string {
	var b strings.Builder
	sets, bounds := []uint32{}, []int{0}
	thresholds := make([]string, len(t.Nodes))
	for i, n := range t.Nodes {
		if n.Decision == tree.Categorical {
			thresholds[i] = strconv.Itoa(len(bounds) - 1)
			sets = append(sets, n.Categories...)
			bounds = append(bounds, len(sets))
			continue
		}
		thresholds[i] = number(n.Threshold)
	}
	fmt.Fprintf(&b, "Tree=%d\nnum_leaves=%d\nnum_cat=%d\n", index, len(t.Leaves), len(bounds)-1)
	nodeLine := func(key string, value func(tree.Node) string) { line(&b, key, t.Nodes, value) }
	leafLine := func(key string, value func(tree.Leaf) string) { line(&b, key, t.Leaves, value) }

	nodeLine("split_feature", func(n tree.Node) string { return strconv.Itoa(int(n.Feature)) })
	nodeLine("split_gain", func(n tree.Node) string { return number(n.Gain) })
	fmt.Fprintf(&b, "threshold=%s\n", strings.Join(thresholds, " "))
	nodeLine("decision_type", func(n tree.Node) string { return strconv.Itoa(decisionType(n)) })
	nodeLine("left_child", func(n tree.Node) string { return strconv.Itoa(int(n.Left)) })
	nodeLine("right_child", func(n tree.Node) string { return strconv.Itoa(int(n.Right)) })
	leafLine("leaf_value", func(l tree.Leaf) string { return number(l.Value) })
	leafLine("leaf_count", func(l tree.Leaf) string { return strconv.Itoa(l.Count) })
	nodeLine("internal_count", func(n tree.Node) string { return strconv.Itoa(n.Count) })
	if len(bounds) > 1 {
		line(&b, "cat_boundaries", bounds, strconv.Itoa)
		line(&b, "cat_threshold", sets, func(w uint32) string { return strconv.FormatUint(uint64(w), 10) })
	}
	fmt.Fprintf(&b, "is_linear=0\nshrinkage=%s\n\n\n", number(t.Shrinkage))
	return b.String()
}

func line[T any](b *strings.Builder, key string, items []T, value func(T) string) {
	b.WriteString(key)
	for i, item := range items {
		separator := byte(' ')
		if i == 0 {
			separator = '='
		}
		b.WriteByte(separator)
		b.WriteString(value(item))
	}
	if len(items) == 0 {
		b.WriteByte('=')
	}
	b.WriteByte('\n')
}

func decisionType(n tree.Node) int {
	bits := int(n.Missing) << missingShift
	if n.Decision == tree.Categorical {
		bits |= categoricalBit
	}
	if n.DefaultLeft {
		bits |= defaultLeftBit
	}
	return bits
}

// featureInfo is LightGBM's summary of a column: its range, its categories, or
// none for a column that was constant.
func featureInfo(f tree.Feature) string {
	switch {
	case len(f.Categories) > 0:
		words := make([]string, len(f.Categories))
		for i, c := range f.Categories {
			words[i] = strconv.Itoa(c)
		}
		return strings.Join(words, ":")
	case f.Min == 0 && f.Max == 0:
		return "none"
	default:
		return "[" + number(f.Min) + ":" + number(f.Max) + "]"
	}
}

// number prints x so that reading it gives x again, as LightGBM does.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 17, 64) }

// mustEscape reports the bytes that would end a name or a key early.
func mustEscape(c byte) bool { return c <= ' ' || c == '=' || c == '%' || c == 0x7f }

func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; mustEscape(c) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescape undoes escape, and leaves any other percent sign alone.
func unescape(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '%' && i+2 < len(name) {
			if c, err := strconv.ParseUint(name[i+1:i+3], 16, 8); err == nil && mustEscape(byte(c)) {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
