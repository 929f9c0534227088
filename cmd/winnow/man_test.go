package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

func TestEveryCommandHasAPageWithItsFlags(t *testing.T) {
	root, _ := newRoot()
	folder := t.TempDir()
	n, err := writeManual(root, folder)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != n || n < len(verbs()) {
		t.Fatalf("%d pages said, %d written, of %d commands (%v)", n, len(entries), len(verbs()), err)
	}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		page := testfile.Read(t, filepath.Join(folder, pageName(cmd)+".1"))
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if want := strings.ReplaceAll("--"+flag.Name, "-", `\-`); !flag.Hidden && !strings.Contains(page, want) {
				t.Errorf("the page of %s lacks --%s", cmd.CommandPath(), flag.Name)
			}
		})
		for line := range strings.Lines(page) {
			if request.MatchString(line) != known.MatchString(line) {
				t.Errorf("the page of %s has a line that is a request by accident: %s", cmd.CommandPath(), line)
			}
		}
		for _, sub := range documented(cmd) {
			check(sub)
		}
	}
	check(root)
}

var (
	request = regexp.MustCompile(`^[.']`)
	known   = regexp.MustCompile(`^\.(TH|SH|PP|TP|B|BR|nf|fi)[ \n]`)
)

func TestTextOfAPageIsNoRequest(t *testing.T) {
	for text, want := range map[string]string{
		".c files":     `\&.c files`,
		"a\n'b":        "a\n\\&'b",
		`C:\n --out`:   `C:\en \-\-out`,
		"plain":        "plain",
		"first\n.next": "first\n\\&.next",
	} {
		if got := roff(text); got != want {
			t.Errorf("%q is set as %q, want %q", text, got, want)
		}
	}
}
