package main

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/predict"
)

// How a project is tested decides what is killed: one with a build and tests of its own, and a
// run of it, are ranked by what such tests kill.
func TestProjectsWithTheirOwnTestsAreRankedByTheModelOfSuch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		testfile.Write(t, filepath.Join(dir, name), text)
		return filepath.Dir(filepath.Join(dir, name))
	}
	built := write("built/winnow.toml", "program = \"p\"\n[build]\n")
	plain := write("plain/winnow.toml", "program = \"p\"\nsources = [\"p.c\"]\n[tests]\ndir = \"tests\"\n")
	named := write("named/winnow.toml", "program = \"p\"\nmodel = \"codeflaws\"\n[build]\n")
	write("plain/p.c", "int main(void) { return 0; }\n")
	write("plain/tests/a.in", "")
	write("plain/tests/a.out", "")
	run := write("run/manifest.json", "{\"format\": 1, \"program\": \"p\", \"options\": {\"build\": \"make\"}}\n")
	farm := predict.FaRM
	for _, c := range []struct {
		name, folder string
		strategy     predict.Strategy
		want         string
	}{
		{"", built, predict.Winnow, "projects"}, {"", run, predict.Winnow, "projects"}, {"", built, predict.PredKillable, "projects"},
		{"", built, farm, "codeflaws"}, {"", plain, predict.Winnow, "codeflaws"}, {"", named, predict.Winnow, "codeflaws"},
		{"auto", built, predict.Winnow, "codeflaws"}, {"", "", predict.Winnow, "codeflaws"},
	} {
		bundle, err := modelFor(c.name, c.folder, c.strategy)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if bundle.Card.Name != c.want {
			t.Errorf("named %q, folder %s, strategy %s: model %s, want %s", c.name, filepath.Base(c.folder), c.strategy.Name, bundle.Card.Name, c.want)
		}
	}
}
