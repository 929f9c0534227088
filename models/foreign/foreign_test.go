package foreign

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

// score is what XGBoost's documentation says: from the root, left below the threshold in
// numbers of 32 bits, where a missing value goes by default.
func (x *xgModel) score(row []float64) float64 {
	sum := float64(x.base)
	for _, nodes := range x.trees {
		n := &nodes[0]
		for !n.leaf() {
			v, left := float32(row[n.feature]), n.defaultLeft
			if v == v {
				left = v < n.value
			}
			if left {
				n = &nodes[n.left]
			} else {
				n = &nodes[n.right]
			}
		}
		sum += float64(n.value)
	}
	return 1 / (1 + math.Exp(-sum))
}

// random draws a model whose thresholds are small numbers, so that rows meet them.
func random(rng *rand.Rand) *xgModel {
	x := &xgModel{objective: "binary:logistic", booster: "gbtree", features: 1 + rng.IntN(4), base: float32(rng.NormFloat64())}
	for f := range x.features {
		x.names = append(x.names, fmt.Sprint("f", f))
	}
	for range 1 + rng.IntN(5) {
		var nodes []xgNode
		var grow func(depth int) int32
		grow = func(depth int) int32 {
			at := int32(len(nodes))
			nodes = append(nodes, xgNode{left: -1, right: -1, value: float32(rng.NormFloat64())})
			if depth < 4 && rng.IntN(4) > 0 {
				n := xgNode{feature: uint32(rng.IntN(x.features)), defaultLeft: rng.IntN(2) == 0, value: float32(rng.IntN(7)-3) / 10}
				n.left = grow(depth + 1)
				n.right = grow(depth + 1)
				nodes[at] = n
			}
			return at
		}
		grow(0)
		x.trees = append(x.trees, nodes)
	}
	return x
}

func row(rng *rand.Rand, features int) []float64 {
	out := make([]float64, features)
	for f := range out {
		switch rng.IntN(4) {
		case 0:
			out[f] = math.NaN()
		case 1:
			out[f] = float64(float32(rng.IntN(7)-3) / 10) // a threshold
		case 2:
			out[f] = float64(rng.IntN(7)-3) / 10 // which it becomes in 32 bits
		default:
			out[f] = rng.NormFloat64() / 3
		}
	}
	return out
}

// binaryForm writes a model as XGBoost of that major version does. Deleted nodes and
// statistics hold anything.
func (x *xgModel) binaryForm(rng *rand.Rand, version uint32) []byte {
	out := x.encode()
	if version >= 1 {
		p := float32(1 / (1 + math.Exp(-float64(x.base))))
		binary.LittleEndian.PutUint32(out, math.Float32bits(p))
		binary.LittleEndian.PutUint32(out[4*5:], version)
	}
	at := 4*learnerWords + 8 + len("binary:logistic") + 8 + len("gbtree") + 4*modelWords
	for _, nodes := range x.trees {
		at += 4 * treeWords
		for i := range nodes { // thresholds as they are
			binary.LittleEndian.PutUint32(out[at+4*nodeWords*i+16:], math.Float32bits(nodes[i].value))
		}
		at += 4 * nodeWords * len(nodes)
		for i := range statWords * len(nodes) {
			binary.LittleEndian.PutUint32(out[at+4*i:], rng.Uint32())
		}
		at += 4 * statWords * len(nodes)
	}
	return out
}

// jsonForm writes a model as XGBoost 1.7 does.
func (x *xgModel) jsonForm(t *testing.T) []byte {
	t.Helper()
	var trees []any
	for _, nodes := range x.trees {
		var left, right, indices, defaults []int
		var conditions []float32
		for _, n := range nodes {
			d := 0
			if n.defaultLeft {
				d = 1
			}
			left, right, indices, defaults, conditions = append(left, int(n.left)), append(right, int(n.right)), append(indices, int(n.feature)), append(defaults, d), append(conditions, n.value)
		}
		trees = append(trees, map[string]any{"left_children": left, "right_children": right, "split_indices": indices, "split_conditions": conditions,
			"default_left": defaults, "split_type": make([]int, len(nodes)), "loss_changes": make([]float64, len(nodes))})
	}
	text, err := json.Marshal(map[string]any{"version": []int{1, 7, 4}, "learner": map[string]any{
		"feature_names": x.names, "objective": map[string]any{"name": x.objective},
		"gradient_booster":    map[string]any{"name": x.booster, "model": map[string]any{"trees": trees}},
		"learner_model_param": map[string]any{"base_score": fmt.Sprint(1 / (1 + math.Exp(-float64(x.base)))), "num_class": "0", "num_feature": fmt.Sprint(x.features), "num_target": "1"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestXGBoostModelsScoreAsXGBoostDoes(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(71, seed))
		x := random(rng)
		old, recent, text := x.binaryForm(rng, 0), x.binaryForm(rng, 1), x.jsonForm(t)
		var rows [][]float64
		for range 40 {
			rows = append(rows, row(rng, x.features))
		}
		for name, file := range map[string][]byte{"0.9": old, "1.7": recent, "with a mark": append([]byte("binf"), old...), "JSON": text} {
			m, err := read(file)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			got, err := m.Predict(rows)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				if want := x.score(rows[i]); math.Abs(got[i]-want) > 1e-6 {
					t.Fatalf("seed %d, %s, row %v: %v, want %v", seed, name, rows[i], got[i], want)
				}
			}
			if named := m.Columns != nil; m.Tool != "XGBoost" || named != (name == "JSON") {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}

func TestLightGBMModelsScoreAsLightGBMDoes(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(72, seed))
		e := treetest.Ensemble(rng, treetest.Size{Features: 1 + rng.IntN(5), Trees: 1 + rng.IntN(6), Leaves: 1 + rng.IntN(12)})
		e.Objective = tree.Binary
		var text bytes.Buffer
		if err := lightgbm.Write(&text, e); err != nil {
			t.Fatal(err)
		}
		file := strings.Replace(text.String(), "version=v3", "version=v4", 1)
		if seed%2 == 0 {
			file = strings.Replace(file, "objective=binary sigmoid:1", "objective=cross_entropy", 1)
		}
		m, err := read([]byte(file))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var rows [][]float64
		for range 30 {
			rows = append(rows, treetest.Row(rng, e))
		}
		got, err := m.Predict(rows)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if want := e.Predict(rows[i]); math.Abs(got[i]-want) > 1e-12 || m.Ensemble.Predict(rows[i]) != want {
				t.Fatalf("seed %d, row %v: %v, want %v", seed, rows[i], got[i], want)
			}
		}
	}
}

func TestModelsThatWouldBeScoredWronglyAreRefused(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	spoilt := func(change func(x *xgModel)) []byte {
		x := random(rng)
		x.trees = append(x.trees, []xgNode{{left: 1, right: 2}, {left: -1, right: -1}, {left: -1, right: -1}})
		change(x)
		return x.jsonForm(t)
	}
	var text bytes.Buffer
	e := treetest.Ensemble(rng, treetest.Size{Features: 2, Trees: 2, Leaves: 3})
	e.Objective = tree.Regression
	if err := lightgbm.Write(&text, e); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"a regression of LightGBM":   {text.Bytes(), "objective=binary"},
		"a random forest":            {[]byte(strings.Replace(text.String(), "version=v3", "average_output\nversion=v3", 1)), "random forest"},
		"a text that is cut":         {text.Bytes()[:text.Len()/2], "truncated"},
		"UBJSON":                     {[]byte("{L\x00\x00\x00\x00\x00\x00\x00\x07learner"), "JSON"},
		"a linear booster":           {spoilt(func(x *xgModel) { x.booster = "gblinear" }), "gblinear"},
		"a rank":                     {spoilt(func(x *xgModel) { x.objective = "rank:pairwise" }), "rank:pairwise"},
		"no tree":                    {spoilt(func(x *xgModel) { x.trees = nil }), "no trees"},
		"a circle":                   {spoilt(func(x *xgModel) { x.trees[len(x.trees)-1][0].right = 0 }), "reached twice"},
		"a node that is not there":   {spoilt(func(x *xgModel) { x.trees[len(x.trees)-1][0].left = 9 }), "not there"},
		"a feature too far":          {spoilt(func(x *xgModel) { x.trees[len(x.trees)-1][0].feature = 9 }), "feature 9"},
		"a feature without a name":   {spoilt(func(x *xgModel) { x.names = x.names[:len(x.names)-1]; x.names = append(x.names, "a", "b") }), "names"},
		"neither of the formats":     {[]byte("PK\x03\x04, a zip file"), "neither"},
		"a file that promises much":  {promising(random(rng).encode()), "left"},
		"a file of XGBoost that end": {random(rng).encode()[:500], "promised"},
		"an empty file":              {nil, "neither"},
	} {
		if _, err := read(c.file); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want something about %q", name, err, c.says)
		}
	}
	if _, err := read(spoilt(func(x *xgModel) { x.booster = "dart" })); !errors.Is(err, ErrUnsupported) {
		t.Errorf("dart: %v", err)
	}
}

// promising makes the number of nodes of the first tree a billion.
func promising(file []byte) []byte {
	at := 4*learnerWords + 8 + len("binary:logistic") + 8 + len("gbtree") + 4*modelWords
	binary.LittleEndian.PutUint32(file[at+4:], 1<<30)
	return file
}

func TestAFileBesideAModelNamesItsFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(74, 1))
	x := random(rng)
	path := filepath.Join(t.TempDir(), "model.bin")
	if err := os.WriteFile(path, x.encode(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), FeaturesSuffix) {
		t.Errorf("a model without names: %v", err)
	}
	names := strings.Repeat("depth\n", x.features)
	if err := os.WriteFile(path+FeaturesSuffix, []byte(names), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := Open(path)
	if err != nil || len(m.Columns) != x.features || m.Columns[0] != "depth" {
		t.Errorf("%+v, %v", m, err)
	}
	if err := os.WriteFile(path+FeaturesSuffix, []byte(names+"width"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "names") {
		t.Errorf("a name too many: %v", err)
	}
	if _, err := m.Predict([][]float64{make([]float64, x.features+1)}); err == nil {
		t.Error("a row of another width was scored")
	}
}

// FuzzRead reads anything without a panic, a circle or more memory than it is worth.
func FuzzRead(f *testing.F) {
	rng := rand.New(rand.NewPCG(75, 1))
	x := random(rng)
	f.Add(x.encode())
	f.Add([]byte(`{"learner":{"gradient_booster":{"name":"gbtree","model":{"trees":[]}}}}`))
	f.Add([]byte("tree\nversion=v3\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := read(file)
		if err != nil {
			return
		}
		if got, err := m.Predict([][]float64{make([]float64, m.width)}); err != nil || !(got[0] >= 0 && got[0] <= 1) {
			t.Errorf("%v, %v", got, err)
		}
	})
}
