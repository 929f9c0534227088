package developer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/developer"
)

func TestACommandThatFailsSaysWhyAndWhoSaysSo(t *testing.T) {
	run := func(_ context.Context, args []string, out, errs io.Writer) error {
		fmt.Fprintln(out, len(args), "arguments")
		if len(args) == 0 {
			return errors.New("name a file")
		}
		return nil
	}
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
	}{{nil, 1, "0 arguments\n", "measure: name a file\n"}, {[]string{"a.c"}, 0, "1 arguments\n", ""}} {
		var out, errs strings.Builder
		if got := developer.Status(t.Context(), "measure", run, c.args, &out, &errs); got != c.status || out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%v: status %d, %q, %q", c.args, got, out.String(), errs.String())
		}
	}
}
