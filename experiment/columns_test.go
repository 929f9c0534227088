package experiment

import (
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/models/released"
)

// TestReleasedModelsFindTheirColumns fails when a column that a released model
// reads was dropped, renamed or defined anew: then the model must be released
// anew as well.
func TestReleasedModelsFindTheirColumns(t *testing.T) {
	for _, name := range released.Names() {
		b, err := released.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.CheckSchema(ColumnsOf(features.FullSchema())); err != nil {
			t.Error(err)
		}
	}
}

func TestTheDefinitionsOfAnUnknownFeatureAreAnError(t *testing.T) {
	all := features.Schema().Names()[1:]
	if _, err := DefinitionsOf(append(slices.Clone(all), "zodiac")); err == nil {
		t.Error("an unknown column was accepted")
	}
	a, errA := DefinitionsOf(all[:3])
	b, errB := DefinitionsOf(all[1:4])
	if errA != nil || errB != nil || a == b {
		t.Errorf("%s, %v; %s, %v", a, errA, b, errB)
	}
}
