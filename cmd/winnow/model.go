package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/foreign"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/project"
)

// defaultModel stands for the released models, one of which ranks unless another is named.
const defaultModel = "auto"

// chosenModel is the model that ranks a project's mutants: the one that was named, else the
// one that its winnow.toml names, else the default one. A folder without winnow.toml, or
// none, names none.
func chosenModel(named, folder string) (string, error) {
	switch {
	case named != "":
		return named, nil
	case folder == "":
		return defaultModel, nil
	}
	p, err := project.Open(folder)
	if errors.Is(err, project.ErrNoProject) {
		return defaultModel, nil
	}
	if err != nil || p.Model == "" {
		return defaultModel, err
	}
	return modelPaths(p.Model, func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}), nil
}

// ownTestsModel is the released model that learned from projects with a build and tests of their
// own. How a program is tested decides what is killed, and its text does not say that: by what features
// tell, most such projects are as like to the programs of a contest (docs/results/learning.md).
const ownTestsModel = "projects"

// hasOwnTests reports whether a folder is a project with a build and tests of its own, or a run
// of one. What cannot be read is none: who needs it says so.
func hasOwnTests(folder string) bool {
	if p, err := project.Open(folder); err == nil {
		return p.Build != nil
	}
	run, err := dataset.ReadManifest(folder)
	return err == nil && run.Options["build"] != ""
}

// modelPaths changes the paths in a model's name; a released model's has none.
func modelPaths(name string, change func(path string) string) string {
	if name == defaultModel || slices.Contains(released.Names(), name) {
		return name
	}
	parts := strings.Split(name, ",")
	for i, part := range parts {
		what, path, _ := strings.Cut(part, "=")
		if what == "fault" || what == "kill" {
			parts[i] = what + "=" + change(path)
		} else {
			parts[i] = change(part)
		}
	}
	return strings.Join(parts, ",")
}

// releasedFor are the released models that the default stands for: the one is asked whose
// programs are most like the one to be ranked.
var releasedFor = []string{"codeflaws", ownTestsModel}

// modelHelp says what --model takes.
const modelHelp = "auto: the released model whose programs are most like this one; or a released model's name, a folder that winnow train wrote, or files of LightGBM or XGBoost: FILE, or fault=FILE,kill=FILE"

// rankingModelHelp says it where a model ranks.
const rankingModelHelp = modelHelp + "; without it the one that winnow models use wrote into winnow.toml, else projects for a project with [build], else auto"

// openModel opens a released model by its name, a model's folder, or files of models that
// other tools trained.
func openModel(name string) (*models.Bundle, error) {
	if name == defaultModel {
		return openReleased(releasedFor)
	}
	if slices.Contains(released.Names(), name) {
		return released.Open(name)
	}
	if paths, are := foreignPaths(name); are {
		return openForeign(paths)
	}
	if _, err := os.Stat(name); err != nil && filepath.Base(name) == name {
		return nil, exit.New(exit.Input, fmt.Errorf("no model %q", name),
			"released models: "+strings.Join(released.Names(), ", ")+"; or give the folder that winnow train wrote, or the file of a model of LightGBM or XGBoost")
	}
	bundle, err := models.Load(name)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	return bundle, nil
}

// openReleased opens released models, of which the one is asked that fits.
func openReleased(names []string) (*models.Bundle, error) {
	first, err := released.Open(names[0])
	if err != nil || len(names) == 1 {
		return first, err
	}
	first.Otherwise, err = openReleased(names[1:])
	return first, err
}

// foreignPaths takes FILE, or fault=FILE and kill=FILE joined by a comma, apart. A file
// alone is a model of fault revelation.
func foreignPaths(name string) (foreign.Paths, bool) {
	if info, err := os.Stat(name); err == nil {
		return foreign.Paths{Fault: name}, !info.IsDir()
	}
	var paths foreign.Paths
	for part := range strings.SplitSeq(name, ",") {
		what, path, named := strings.Cut(part, "=")
		switch {
		case named && what == "fault" && paths.Fault == "":
			paths.Fault = path
		case named && what == "kill" && paths.Kill == "":
			paths.Kill = path
		default:
			return foreign.Paths{}, false
		}
	}
	return paths, true
}

func openForeign(paths foreign.Paths) (*models.Bundle, error) {
	bundle, err := foreign.Load(paths)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	// What the columns meant when the model learned from them is not known: that they
	// mean the same is taken for granted.
	if bundle.Card.Schema, err = experiment.DefinitionsOf(bundle.Card.Features); err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("model %s: %w", bundle.Card.Name, err), exit.HintOf(err))
	}
	return bundle, nil
}

// orderBy is the order where none was asked for: a model of another tool has not what the
// default one reads.
func orderBy(bundle *models.Bundle, s predict.Strategy) predict.Strategy {
	switch {
	case bundle.Foreign == nil:
		return s
	case bundle.Foreign.Fault == nil:
		return predict.PredKillable
	}
	return predict.FaRM
}
