package experiment

import (
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
)

// Evaluation is how good predictions are, and what the rankings made of them find.
type Evaluation struct {
	Subjects int `json:"subjects"`
	Mutants  int `json:"mutants"`
	// Folds is 0 where a finished model was judged.
	Folds int `json:"folds"`
	// Faultless is how many of the subjects no fault is known of: they say which mutants are
	// killed, and no more.
	Faultless int `json:"faultless,omitempty"`
	// Qualities judge the models' scores of programs that they have not seen,
	// Comparison the rankings made of them; nil where no fault is known.
	Qualities  []*crossval.Quality  `json:"qualities"`
	Comparison *simulate.Comparison `json:"comparison,omitempty"`
	// Lists are how good the first mutants of each order are, with and without tests.
	Lists *shortlist.Table `json:"lists,omitempty"`
	// KillLists are the same for programs without a known fault whose tests kill in several ways:
	// what they reveal is nothing, and what they kill says all.
	KillLists *shortlist.Table `json:"kill_lists,omitempty"`
	// Skipped are the run folders without all the tables needed.
	Skipped []string `json:"skipped,omitempty"`
	// Importance is what features are worth, where that was asked for.
	Importance []*Importance `json:"importance,omitempty"`
	// Ablation is what families of them tell alone, and what all others tell.
	Ablation []*Ablation `json:"ablation,omitempty"`
	// LearningCurve is how good models are that learn from a part.
	LearningCurve []*LearningCurve `json:"learning_curve,omitempty"`
	// Warnings are what a reader must know before believing the figures.
	Warnings []string `json:"warnings,omitempty"`
}

// Importance is what features are worth to the models of one label, in the mean
// over the folds of a cross-validation.
type Importance struct {
	Label string `json:"label"`
	// Families are groups of features, Features those single ones with the most gain.
	Families []Worth `json:"families"`
	Features []Worth `json:"features"`
	// Gains are those of the single Columns, which Families and Features add up.
	Columns []string  `json:"-"`
	Gains   []float64 `json:"-"`
	// Published are the groups that FaRM's scores were published by, in their order;
	// nil where not all of its features were learnt from.
	Published []PublishedWorth `json:"published,omitempty"`
}

// PublishedWorth is what a group of FaRM's features is worth, here and as published.
type PublishedWorth struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Gain is that of Worth; Published the share of the score that Mart's shipped
	// model gives the group, NaN where there is none.
	Gain      number.Float `json:"gain"`
	Published number.Float `json:"published"`
}

// Worth is what one feature, or one family of them, is worth.
type Worth struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Gain is the share of the trees' gain that its splits bring, on the data that
	// were learnt from.
	Gain number.Float `json:"gain"`
	// Loss is by how much of itself the loss on the programs held out grows when the
	// values are dealt out to other mutants, those of a family together.
	Loss number.Float `json:"loss"`
}

// Ablation is how well one label is learnt with each family of features alone and
// with all but it.
type Ablation struct {
	Label string `json:"label"`
	// Sample bounds the mutants of a fault that were learnt from, and judged; 0 is
	// all.
	Sample int `json:"sample,omitempty"`
	// All is with all features, of which there are Columns.
	Columns  int             `json:"columns"`
	All      AUC             `json:"all"`
	Families []AblatedFamily `json:"families"`
}

// AblatedFamily is one family of features.
type AblatedFamily struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
	// Alone is with this family only, Without with all the others; zero where
	// there are no others.
	Alone   AUC `json:"alone"`
	Without AUC `json:"without"`
}

// AUC is the area under the ROC curve over all mutants of all programs, with its
// 95 % interval, and its mean within a program.
type AUC struct {
	Pooled number.Float `json:"pooled"`
	Low    number.Float `json:"low"`
	High   number.Float `json:"high"`
	Within number.Float `json:"within"`
}

// LearningCurve is how good the models of one label are that learn from a growing
// share of the groups that no fold splits. All are judged on the same folds.
type LearningCurve struct {
	Label string `json:"label"`
	// Judged is the label by whose truth the models are judged.
	Judged string       `json:"judged"`
	Points []CurvePoint `json:"points"`
}

// CurvePoint is one share.
type CurvePoint struct {
	Share number.Float `json:"share"`
	// Groups and Mutants are what a model learns from: means over the folds.
	Groups  number.Float `json:"groups"`
	Mutants number.Float `json:"mutants"`
	AUC     AUC          `json:"auc"`
}
