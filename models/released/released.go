// Package released holds the models that ship with winnow, inside the program.
//
// Each sub-folder is one model as package models saves it: to release a model,
// save it here and build.
package released

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/winnow-mutants/winnow/models"
)

// The pattern has to match before the first model is released, so it takes in
// this folder as a whole.
//
//go:embed *
var files embed.FS

// Names returns the names of the released models, ascending.
func Names() []string { return names(files) }

// Open returns the released model of that name.
func Open(name string) (*models.Bundle, error) { return open(files, name) }

func names(fsys fs.FS) []string {
	// Both calls can only fail when a folder is missing: then there is no model.
	entries, _ := fs.ReadDir(fsys, ".")
	var out []string
	for _, e := range entries {
		if _, err := fs.Stat(fsys, e.Name()+"/card.json"); e.IsDir() && err == nil {
			out = append(out, e.Name())
		}
	}
	return out
}

func open(fsys fs.FS, name string) (*models.Bundle, error) {
	known := names(fsys)
	for _, n := range known {
		if n != name {
			continue
		}
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("released model %q: %w", name, err)
		}
		b, err := models.LoadFS(sub)
		if err != nil {
			return nil, fmt.Errorf("released model %q: %w", name, err)
		}
		return b, nil
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("released model %q: this build ships no models: name the folder of a model you trained", name)
	}
	return nil, fmt.Errorf("released model %q: unknown, there are %s", name, strings.Join(known, ", "))
}
