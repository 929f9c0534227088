package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// faulty are the faulty versions of a benchmark.
type faulty struct {
	subjects map[string]*codeflaws.Subject
	work     *scratch.Folder
}

func openFaulty(benchmark string, work *scratch.Folder) (*faulty, error) {
	all, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return nil, err
	}
	f := &faulty{subjects: map[string]*codeflaws.Subject{}, work: work}
	for i := range all {
		f.subjects[all[i].ID] = &all[i]
	}
	return f, nil
}

func (f *faulty) tables() []string { return []string{dataset.FaultsFile} }
func (f *faulty) name() string     { return "faults, of which the first are said to reveal" }

// open compiles the fault as it was recorded.
func (f *faulty) open(ctx context.Context, tools *clang.Toolchain, r *dataset.Run, _ []string) (*program.Program, map[string][]byte, error) {
	s := f.subjects[r.Manifest.Program]
	if s == nil {
		return nil, nil, nil
	}
	text, err := codeflaws.ReadSource(s.Faulty)
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(f.work.Path, "faulty.c")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return nil, nil, err
	}
	p, err := program.Load(ctx, tools, []program.Input{{Path: path, Flags: codeflaws.CompileFlags()}}, program.LoadOptions{Mutation: program.Mutation{Unjudged: true}})
	if err != nil {
		return nil, nil, err
	}
	inputs, _, err := s.Inputs()
	read := map[string][]byte{}
	for _, in := range inputs {
		read[in.Name] = in.Data
	}
	return p, read, err
}

// projects is a folder of projects that winnow init has described, by their names in the history.
type projects struct{ folder string }

func (p projects) tables() []string { return nil }
func (p projects) name() string {
	return "projects, of which the first are said to kill a share of the minimal mutants"
}

// open builds the project as winnow run does, for the mutants that were recorded.
func (p projects) open(ctx context.Context, tools *clang.Toolchain, r *dataset.Run, mutants []string) (*program.Program, map[string][]byte, error) {
	folder := filepath.Join(p.folder, filepath.Base(filepath.Dir(r.Dir)))
	if !paths.Exist(filepath.Join(folder, project.File)) {
		return nil, nil, nil
	}
	cases, err := project.CasesOf([]string{folder}, false)
	if err != nil {
		return nil, nil, err
	}
	only := map[string]bool{}
	for _, id := range mutants {
		only[id] = true
	}
	inputs, mutation, err := campaign.BuiltSources(ctx, tools, cases[0], program.Mutation{Only: only, Unjudged: true}, 0, func(string) {})
	if err != nil {
		return nil, nil, err
	}
	code, err := program.Load(ctx, tools, inputs, program.LoadOptions{Mutation: mutation})
	return code, nil, err
}
