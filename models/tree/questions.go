package tree

import (
	"cmp"
	"math"
	"slices"
)

// question is what a node asks of its feature: whether a row goes right. Nodes that
// ask the same have one answer in common.
type question struct {
	feature    int32
	decision   Decision
	threshold  float64
	missing    Missing
	right      bool   // where missing values go
	categories string // the bitset, byte by byte
}

// questions are those of some trees. They get numbers by feature.
type questions struct{ numbers map[question]uint32 }

func newQuestions() *questions { return &questions{map[question]uint32{}} }

func questionOf(n *Node) question {
	if n.Decision == Categorical {
		var set []byte
		for _, word := range n.Categories {
			set = append(set, byte(word), byte(word>>8), byte(word>>16), byte(word>>24))
		}
		return question{feature: n.Feature, decision: Categorical, categories: string(set)}
	}
	return question{feature: n.Feature, threshold: n.Threshold + 0, missing: n.Missing, right: !n.DefaultLeft} // -0 becomes 0
}

func (q *questions) add(n *Node) { q.numbers[questionOf(n)] = 0 }

// number gives the questions numbers and returns the features that are asked.
func (q *questions) number() (asked []askedFeature, count int) {
	all := make([]question, 0, len(q.numbers))
	for question := range q.numbers {
		all = append(all, question)
	}
	slices.SortFunc(all, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.decision, b.decision), cmp.Compare(a.threshold, b.threshold),
			cmp.Compare(a.missing, b.missing), cmp.Compare(a.categories, b.categories), compareBool(a.right, b.right))
	})
	for number, question := range all {
		q.numbers[question] = uint32(number)
		if len(asked) == 0 || asked[len(asked)-1].feature != question.feature {
			asked = append(asked, askedFeature{feature: question.feature, first: number})
		}
		asked[len(asked)-1].add(question)
	}
	return asked, len(all)
}

func compareBool(a, b bool) int {
	if a == b {
		return 0
	}
	if b {
		return -1
	}
	return 1
}

// askedFeature is a feature and the questions about it, from number first on.
type askedFeature struct {
	feature int32
	first   int
	// thresholds ascend; above is the place of each numeric question's among them.
	thresholds []float64
	numeric    []numericQuestion
	sets       []Node // categorical questions, which come after the numeric ones
	missing    bool   // some numeric question sends missing values right
	zero       bool   // some numeric question counts 0 as missing
}

type numericQuestion struct {
	above     int32 // place of its threshold
	missing   bool  // missing values go right
	zeroLeft  bool  // 0 counts as missing, and does not go right
	zeroRight bool  // the same, and does
}

func (a *askedFeature) add(q question) {
	if q.decision == Categorical {
		set := make([]uint32, len(q.categories)/4)
		for i := range q.categories {
			set[i/4] |= uint32(q.categories[i]) << (i % 4 * 8)
		}
		a.sets = append(a.sets, Node{Decision: Categorical, Categories: set})
		return
	}
	if n := len(a.thresholds); n == 0 || a.thresholds[n-1] != q.threshold {
		a.thresholds = append(a.thresholds, q.threshold)
	}
	n := numericQuestion{above: int32(len(a.thresholds) - 1), missing: q.right}
	switch q.missing {
	case MissingNone: // a missing value counts as 0
		n.missing = 0 > q.threshold
	case MissingZero:
		n.zeroLeft, n.zeroRight = !q.right, q.right
		a.zero = true
	}
	a.missing = a.missing || n.missing
	a.numeric = append(a.numeric, n)
}

// rankMasks has, by place, the rows that are above a threshold.
type rankMasks struct{ above []uint64 }

// answer writes the answers to all questions about the feature for up to 64 rows. The
// bits of rows beyond these mean nothing.
func (a *askedFeature) answer(values []float64, answers []uint64, ranks *rankMasks) {
	answers = answers[a.first:]
	if len(a.thresholds) > 0 {
		a.answerNumeric(values, answers, ranks)
	}
	for k := range a.sets {
		right := uint64(0)
		for i, x := range values {
			if !a.sets[k].GoesLeft(x) {
				right |= 1 << i
			}
		}
		answers[len(a.numeric)+k] = right
	}
}

func (a *askedFeature) answerNumeric(values []float64, answers []uint64, ranks *rankMasks) {
	if constant(values) {
		a.answerConstant(values[0], answers)
		return
	}
	above := a.rank(values, ranks)
	missing, zero := uint64(0), uint64(0)
	if a.missing {
		for i, x := range values {
			missing |= one(x != x) << (i & 63)
		}
	}
	if a.zero {
		for i, x := range values {
			zero |= one(x > -zeroWidth && x <= zeroWidth) << (i & 63)
		}
	}
	for k := range a.numeric {
		q := &a.numeric[k]
		right := above[q.above]
		if q.missing {
			right |= missing
		}
		if q.zeroLeft {
			right &^= zero
		}
		if q.zeroRight {
			right |= zero
		}
		answers[k] = right
	}
}

// constant says whether all values have the same bits, as those of a feature of a
// statement have for its mutants, which come one after the other.
func constant(values []float64) bool {
	first, differ := math.Float64bits(values[0]), uint64(0)
	for _, x := range values {
		differ |= math.Float64bits(x) ^ first
	}
	return differ == 0
}

func (a *askedFeature) answerConstant(x float64, answers []uint64) {
	isZero := x > -zeroWidth && x <= zeroWidth
	for k := range a.numeric {
		q := &a.numeric[k]
		right := x > a.thresholds[q.above]
		if x != x {
			right = q.missing
		} else if isZero && (q.zeroLeft || q.zeroRight) {
			right = q.zeroRight
		}
		answers[k] = -one(right)
	}
}

// fewThresholds is the number up to which rows are compared with every threshold.
const fewThresholds = 3

// rank returns, for each threshold, the rows above it. NaN is above none.
func (a *askedFeature) rank(values []float64, ranks *rankMasks) []uint64 {
	n := len(a.thresholds)
	if len(ranks.above) <= n {
		ranks.above = make([]uint64, n+1)
	}
	above := ranks.above[:n+1]
	if n <= fewThresholds {
		for k, t := range a.thresholds {
			rows := uint64(0)
			for i, x := range values {
				rows |= one(x > t) << (i & 63)
			}
			above[k] = rows
		}
		return above
	}
	// First above[k] has the rows that are above k thresholds and no more.
	clear(above)
	low, before := 0, math.NaN()
	for i, x := range values {
		if x != before { // as a rule several rows in turn have the same value
			before, low = x, 0
			for size := n; size > 1; {
				half := size >> 1
				low += half & -int(one(x > a.thresholds[low+half-1]))
				size -= half
			}
			low += int(one(x > a.thresholds[low]))
		}
		above[low] |= 1 << (i & 63)
	}
	rows := above[n]
	for k := n - 1; k >= 0; k-- {
		here := above[k]
		above[k] = rows
		rows |= here
	}
	return above
}

// one is 1 for true. The compiler makes no branch of it.
func one(b bool) uint64 {
	var out uint64
	if b {
		out = 1
	}
	return out
}
