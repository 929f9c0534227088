package dataset

import (
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix/table"
)

func TestAProbeOfBeforeValuesWereNotedIsStillRead(t *testing.T) {
	for columns, refused := range map[int]string{7: "", 6: "", 4: "", 5: "values", 3: "infections"} {
		probe, err := table.New(ProbeSchema()[:columns])
		if err != nil {
			t.Fatal(err)
		}
		if got := ProbeNotesValues(probe); got != (columns > 4) {
			t.Errorf("%d columns: values are noted: %v", columns, got)
		}
		err = (&Subject{Probe: probe}).Validate()
		if refused == "" && err != nil || refused != "" && err == nil {
			t.Errorf("%d columns: %v", columns, err)
		}
		if refused == "infections" && !strings.Contains(err.Error(), refused) {
			t.Errorf("%d columns: the error does not say what is missing: %v", columns, err)
		}
	}
}
