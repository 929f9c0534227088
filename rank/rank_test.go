package rank

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

func TestAModelOfDynamicFeaturesAsksForTests(t *testing.T) {
	project, err := project.Open(projecttest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := features.Columns("complexity+dynamic")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := experiment.DefinitionsOf(columns)
	if err != nil {
		t.Fatal(err)
	}
	model := &models.Bundle{Card: models.Card{Name: "with-tests", Features: columns, Schema: schema}}
	p, err := program.Load(t.Context(), clangtest.Tools(t), project.Inputs(nil), program.LoadOptions{Mutation: programtest.Rules("ROR")})
	if err != nil {
		t.Fatal(err)
	}
	unread := OfProgram(p, nil)
	var needs *NeedsTests
	if _, err := Order(t.Context(), unread, Options{Model: model, Strategy: predict.Random}); !errors.As(err, &needs) || needs.Model != "with-tests" {
		t.Errorf("without tests: %v", err)
	}
	static, err := unread.Features()
	if err != nil {
		t.Fatal(err)
	}
	rows := &withDynamic{static: static, observe: func() (*Observed, error) {
		reached := []features.Observation{{Test: 1, Executions: 1}, {Test: 3, Executions: 1}}
		return &Observed{Dynamic: features.Observe([]features.Place{{ID: p.Mutants()[0].ID}}, 4, reached)}, nil
	}}
	groups, err := rows.Groups("reach_share", columns[0])
	if err != nil {
		t.Fatal(err)
	}
	batch, err := groups.Read(0)
	if err != nil {
		t.Fatal(err)
	}
	reached, err := batch.Floats("reach_share")
	if err != nil {
		t.Fatal(err)
	}
	static0, err := batch.Floats(columns[0])
	if err != nil {
		t.Fatal(err)
	}
	if reached[0] != 0.5 || !math.IsNaN(reached[1]) || math.IsNaN(static0[1]) {
		t.Errorf("reached %v and %v, %s %v", reached[0], reached[1], columns[0], static0[1])
	}
}

// Of three mutants that cost a second, nothing, and five, two seconds buy the
// first two, in the strategy's order.
func TestABudgetKeepsTheMutantsThatItBuys(t *testing.T) {
	project, err := project.Open(projecttest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(t.Context(), clangtest.Tools(t), project.Inputs(nil), program.LoadOptions{Mutation: programtest.Rules("ROR")})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Strategy: predict.SDL, Budget: 2 * time.Second}
	var needs *NeedsTests
	if _, err := Order(t.Context(), OfProgram(p, nil), opts); !errors.As(err, &needs) || needs.Model != "" {
		t.Errorf("without tests: %v", err)
	}
	mutants := p.Mutants()
	probes := 0
	observe := func() (*Observed, error) {
		probes++
		out := &Observed{Seconds: map[string]float64{}}
		for i := range mutants {
			out.Seconds[mutants[i].ID] = 5
		}
		out.Seconds[mutants[2].ID] = 1
		delete(out.Seconds, mutants[1].ID)
		return out, nil
	}
	got, err := Order(t.Context(), OfProgram(p, observe), opts)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range got.Mutants {
		listed[m.ID] = true
	}
	if len(got.Mutants) != 2 || !listed[mutants[1].ID] || !listed[mutants[2].ID] || got.Total != len(mutants) || probes != 1 {
		t.Errorf("%d of %d mutants after %d probes: %+v", len(got.Mutants), got.Total, probes, got.Mutants)
	}
	if b := got.Budget; b.Mutants != 2 || b.Spent != 1 || b.All != 1+5*float64(len(mutants)-2) || !strings.Contains(b.String(), "budget 2s: 2 mutants, which take about 1s") {
		t.Errorf("budget %+v: %v", b, b)
	}
}
