package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/released"
)

// defaultModel is the released model that ranks unless another is named.
const defaultModel = "codeflaws"

// openModel opens a released model by its name, or a model's folder.
func openModel(name string) (*models.Bundle, error) {
	if slices.Contains(released.Names(), name) {
		return released.Open(name)
	}
	if _, err := os.Stat(name); err != nil && filepath.Base(name) == name {
		return nil, exit.New(exit.Input, fmt.Errorf("no model %q", name),
			"released models: "+strings.Join(released.Names(), ", ")+"; or give the folder that winnow train wrote")
	}
	bundle, err := models.Load(name)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	return bundle, nil
}
