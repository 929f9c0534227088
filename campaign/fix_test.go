package campaign_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// Where the time was up before there was a run, that is the reason, and not that there is none.
func TestARunThatHasComeToNothingEndsWithItsOwnError(t *testing.T) {
	up := exit.Mark(exit.Timeout, campaign.ErrTimeIsUp, errors.New("no mutant was run"))
	for _, out := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := campaign.Recorded(out, up); !errors.Is(err, campaign.ErrTimeIsUp) {
			t.Errorf("the error is %v", err)
		}
	}
	if _, err := campaign.Recorded(t.TempDir(), nil); exit.Of(err) != exit.Input {
		t.Errorf("of a folder without a run the error is %v", err)
	}
}
