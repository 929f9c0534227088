package foreign

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// xgFile is XGBoost's JSON (doc/model.schema of its repository), as far as it is read.
// Its parameters are texts.
type xgFile struct {
	Learner struct {
		FeatureNames    []string `json:"feature_names"`
		GradientBooster struct {
			Name  string `json:"name"`
			Model struct {
				Trees []xgFileTree `json:"trees"`
			} `json:"model"`
		} `json:"gradient_booster"`
		Parameters struct {
			BaseScore  string `json:"base_score"`
			NumClass   string `json:"num_class"`
			NumFeature string `json:"num_feature"`
			NumTarget  string `json:"num_target"`
		} `json:"learner_model_param"`
		Objective struct {
			Name string `json:"name"`
		} `json:"objective"`
	} `json:"learner"`
}

type xgFileTree struct {
	LeftChildren    []int32   `json:"left_children"`
	RightChildren   []int32   `json:"right_children"`
	SplitIndices    []uint32  `json:"split_indices"`
	SplitConditions []float32 `json:"split_conditions"`
	DefaultLeft     []flag    `json:"default_left"`
	SplitType       []int     `json:"split_type"`
}

// flag is a truth value, which older versions write as a number.
type flag bool

func (f *flag) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "true", "1":
		*f = true
	case "false", "0":
		*f = false
	default:
		return fmt.Errorf("%s is no truth value", text)
	}
	return nil
}

func parseJSON(text []byte) (*xgModel, error) {
	var file xgFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("XGBoost model: %w", err)
	}
	l := &file.Learner
	x := &xgModel{objective: l.Objective.Name, booster: l.GradientBooster.Name}
	if len(l.FeatureNames) > 0 {
		x.names = l.FeatureNames
	}
	var targets int
	for _, p := range []struct {
		name, text string
		to         *int
	}{{"num_feature", l.Parameters.NumFeature, &x.features}, {"num_class", l.Parameters.NumClass, &x.classes}, {"num_target", l.Parameters.NumTarget, &targets}} {
		n, err := strconv.Atoi(p.text)
		if err != nil && p.text != "" {
			return nil, fmt.Errorf("XGBoost model: %s is %q", p.name, p.text)
		}
		*p.to = n
	}
	x.classes = max(x.classes, targets)
	// A list of one since 3.0.
	base, err := strconv.ParseFloat(strings.Trim(l.Parameters.BaseScore, "[]"), 32)
	if err != nil {
		return nil, fmt.Errorf("XGBoost model: base_score is %q", l.Parameters.BaseScore)
	}
	x.base = logOdds(float32(base))
	for i := range l.GradientBooster.Model.Trees {
		nodes, err := l.GradientBooster.Model.Trees[i].nodes()
		if err != nil {
			return nil, fmt.Errorf("XGBoost model: tree %d: %w", i, err)
		}
		x.trees = append(x.trees, nodes)
	}
	return x, nil
}

func (t *xgFileTree) nodes() ([]xgNode, error) {
	n := len(t.LeftChildren)
	if len(t.RightChildren) != n || len(t.SplitIndices) != n || len(t.SplitConditions) != n || len(t.DefaultLeft) != n {
		return nil, fmt.Errorf("its lists have %d, %d, %d, %d and %d entries", n, len(t.RightChildren), len(t.SplitIndices), len(t.SplitConditions), len(t.DefaultLeft))
	}
	for i, kind := range t.SplitType {
		if kind != 0 && i < n && t.LeftChildren[i] != -1 {
			return nil, fmt.Errorf("%w: node %d splits by category", ErrUnsupported, i)
		}
	}
	out := make([]xgNode, n)
	for i := range out {
		out[i] = xgNode{left: t.LeftChildren[i], right: t.RightChildren[i], feature: t.SplitIndices[i], defaultLeft: bool(t.DefaultLeft[i]), value: t.SplitConditions[i]}
	}
	return out, nil
}

func logOdds(p float32) float32 { return float32(-math.Log(1/float64(p) - 1)) }
