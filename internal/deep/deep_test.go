package deep

import (
	"slices"
	"testing"
)

func TestASampleIsSpreadAndEverythingIsTakenWhenAsked(t *testing.T) {
	items := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	t.Setenv("WINNOW_DEEP", "")
	for n, want := range map[int][]int{1: {0}, 3: {0, 3, 6}, 10: items, 11: items} {
		if got := Sample(t, n, items); !slices.Equal(got, want) {
			t.Errorf("%d of ten: %v, want %v", n, got, want)
		}
	}
	if Count(2, 9) != 2 {
		t.Error("a few are not 2")
	}
	t.Setenv("WINNOW_DEEP", "1")
	if got := Spread(t, 3, items); !slices.Equal(got, []int{0, 3, 6}) {
		t.Errorf("three of ten, whatever is asked for: %v", got)
	}
	if got := Sample(t, 1, items); !slices.Equal(got, items) || Count(2, 9) != 9 {
		t.Errorf("everything is %v, %d times", got, Count(2, 9))
	}
}
