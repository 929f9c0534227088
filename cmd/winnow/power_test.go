//go:build linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/internal/diskfault"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// A power failure takes what was not synchronised: the content of a file, and the names in a
// folder. When a command has ended, all that is there of what it has written is synchronised,
// its output folder's own name and those above it among it.
func TestWhatACommandHasWrittenOutlivesAPowerFailure(t *testing.T) {
	m := newMaterial(t)
	for _, c := range deep.Spread(t, deep.Count(5, len(writingCommands)), writingCommands) {
		t.Run(c.name, func(t *testing.T) {
			out := m.prepare(t, c)
			if c.end == "" && c.first == nil && !slices.Contains([]string{"mutate", "rank", "features", "report", "ci --write-baseline"}, c.name) {
				out = filepath.Join(filepath.Dir(out), "deep", "deeper", "out") // others go to folders that are there
			}
			cmd, stderr := m.command(t, t.TempDir(), c.with(out)...)
			did, err := diskfault.Run(t.Context(), cmd, diskfault.Plan{Kind: diskfault.None})
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			above := filepath.Dir(out)
			for above != filepath.Dir(above) && strings.Contains(above, "deep") {
				above = filepath.Dir(above)
			}
			names, contents := lost(did.Made, above)
			for _, path := range names {
				t.Errorf("the name of %s was not synchronised", path)
			}
			for _, path := range contents {
				t.Errorf("the content of %s was not synchronised", path)
			}
		})
	}
}

// lost are the files and folders below a folder that are there, and whose names, or contents,
// a power failure after some calls might take.
func lost(made []diskfault.Call, below string) (names, contents []string) {
	name, content := map[string]bool{}, map[string]bool{}
	for _, call := range made {
		switch call.What {
		case "open":
			name[call.Path] = true // as if there had been none
		case "mkdir", "link":
			name[call.Path+call.To] = true
		case "write", "truncate":
			content[call.Path] = true
		case "rename":
			for _, of := range []map[string]bool{name, content} {
				for path := range of {
					if path == call.Path || strings.HasPrefix(path, call.Path+"/") {
						delete(of, path)
						of[call.To+strings.TrimPrefix(path, call.Path)] = true
					}
				}
			}
			name[call.To] = true
		case "sync all":
			clear(name)
			clear(content)
		case "sync":
			delete(content, call.Path)
			for path := range name {
				if filepath.Dir(path) == call.Path {
					delete(name, path)
				}
			}
		}
	}
	there := func(of map[string]bool) (out []string) {
		for path := range of {
			if strings.HasPrefix(path, below+"/") && paths.Exist(path) {
				out = append(out, path)
			}
		}
		slices.Sort(out)
		return out
	}
	return there(name), there(content)
}

func TestWhatAPowerFailureTakesIsKnown(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	m := []diskfault.Call{
		{What: "mkdir", Path: at("new")}, {What: "open", Path: at("new/a")}, {What: "write", Path: at("new/a")},
		{What: "rename", Path: at("new"), To: at("out")},
	}
	testfile.Write(t, at("out/a"), "")
	sync := func(name string) diskfault.Call { return diskfault.Call{What: "sync", Path: at(name)} }
	for _, want := range []struct {
		then            []diskfault.Call
		names, contents []string
	}{
		{nil, []string{at("out"), at("out/a")}, []string{at("out/a")}},
		{[]diskfault.Call{sync("out/a")}, []string{at("out"), at("out/a")}, nil},
		{[]diskfault.Call{sync("out/a"), sync("out")}, []string{at("out")}, nil},
		{[]diskfault.Call{sync("out/a"), sync("out"), {What: "sync", Path: folder}}, nil, nil},
	} {
		names, contents := lost(append(slices.Clone(m), want.then...), folder)
		if !slices.Equal(names, want.names) || !slices.Equal(contents, want.contents) {
			t.Errorf("after %v: %v, %v", want.then, names, contents)
		}
	}
}
