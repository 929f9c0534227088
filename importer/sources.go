package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// CodeflawsCases returns a sample of the benchmark's faulty programs, drawn from
// a seed, with all their tests. Their files are written below a folder.
func CodeflawsCases(benchmark, folder string, n int, seed uint64) ([]project.Case, error) {
	subjects, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var ids []string
	for _, s := range subjects {
		ids = append(ids, s.ID)
	}
	chosen, _ := codeflaws.Pick(subjects, codeflaws.Sample(ids, seed))
	var out []project.Case
	for k := range chosen {
		if len(out) == n {
			break
		}
		work := filepath.Join(folder, chosen[k].ID)
		if err := os.MkdirAll(work, 0o755); err != nil {
			return nil, fmt.Errorf("making a folder for %s: %w", chosen[k].ID, err)
		}
		c, err := CaseOf(&chosen[k], work)
		var why *campaign.Unusable
		if errors.As(err, &why) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.Fixed = nil
		out = append(out, *c)
	}
	return out, nil
}

// CaseOf writes the fault's sources and tests to a folder.
func CaseOf(s *codeflaws.Subject, work string) (*project.Case, error) {
	c, err := sourcesOf(s, work)
	if err != nil {
		return nil, err
	}
	inputs, _, err := s.Inputs()
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		path := filepath.Join(work, "test-"+in.Name)
		if err := os.WriteFile(path, in.Data, 0o644); err != nil {
			return nil, fmt.Errorf("writing a test: %w", err)
		}
		c.Tests = append(c.Tests, execute.Test{Name: in.Name, Input: path})
	}
	if len(c.Tests) == 0 {
		return nil, &campaign.Unusable{Reason: "no usable input"}
	}
	return c, nil
}

// sourcesOf writes the fault's sources to files: a case without tests.
func sourcesOf(s *codeflaws.Subject, work string) (*project.Case, error) {
	flags := append(codeflaws.CompileFlags(), codeflaws.LinkFlags()...)
	c := &project.Case{Program: s.ID, Problem: s.Problem, Fault: "faulty", Folder: work}
	for _, version := range []struct {
		name, source string
		inputs       *[]program.Input
	}{{"faulty.c", s.Faulty, &c.Inputs}, {"fixed.c", s.Fixed, &c.Fixed}} {
		text, err := codeflaws.ReadSource(version.source)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(work, version.name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, fmt.Errorf("writing %s: %w", version.name, err)
		}
		*version.inputs = []program.Input{{Path: path, Flags: flags}}
	}
	return c, nil
}

// sourceOf finds the sources and tests of a recorded program; work is a folder to
// write them to.
type sourceOf func(program, work string) (*project.Case, error)

func codeflawsSource(benchmark string) (sourceOf, error) {
	subjects, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	byID := map[string]*codeflaws.Subject{}
	for i := range subjects {
		byID[subjects[i].ID] = &subjects[i]
	}
	return func(program, work string) (*project.Case, error) {
		s := byID[program]
		if s == nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s is not in %s", program, benchmark), "")
		}
		c, err := CaseOf(s, work)
		if why := (*campaign.Unusable)(nil); errors.As(err, &why) { // no test to follow
			return sourcesOf(s, work)
		}
		return c, err
	}, nil
}

func pairsSource(folder string) (sourceOf, error) {
	pairs, err := pairsIn(folder)
	if err != nil {
		return nil, err
	}
	byName := map[string]*Pair{}
	for i := range pairs {
		byName[pairs[i].Name] = &pairs[i]
	}
	return func(program, _ string) (*project.Case, error) {
		p := byName[program]
		if p == nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s is not in %s", program, folder), "")
		}
		return p.Case(folder)
	}, nil
}
