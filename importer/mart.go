package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/mart"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/project"
)

// Mart writes what Mart and Muteria say of a program, in a folder, as a run
// folder below a history, and returns the numbers of mutants and of tests. It has
// no features: Mart's mutants are not winnow's, and are known by number only.
func Mart(folder, program, history, tool string) (mutants, tests int, err error) {
	if program == "" {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return 0, 0, fmt.Errorf("resolving the folder: %w", err)
		}
		program = project.ProgramName(filepath.Base(abs))
	}
	if !project.FolderName(program) {
		return 0, 0, exit.Usagef("program %q: the name is also a folder's: want letters, digits, - and _", program)
	}
	held, err := output.Hold(history)
	if err != nil {
		return 0, 0, err
	}
	defer held.Release()
	out := filepath.Join(history, program)
	if _, err := os.Lstat(out); err == nil {
		return 0, 0, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", out))
	}
	s, err := mart.Read(folder)
	if err != nil {
		return 0, 0, exit.New(exit.Input, err, "give a folder with mutantsInfos.json and SM.dat or STRONG_MUTATION.csv")
	}
	s.Manifest = dataset.Manifest{Tool: tool, Program: program, Inputs: map[string]string{}, Options: map[string]string{"from": "mart"}}
	if err := hashFiles(folder, s.Manifest.Inputs); err != nil {
		return 0, 0, err
	}
	killed := 0
	for i := range s.Kills.Mutants() {
		if s.Kills.Verdict(i) == matrix.Killed {
			killed++
		}
	}
	mutants, tests = len(s.Kills.Mutants()), len(s.Kills.Tests())
	s.Manifest.Counts = map[string]int64{"mutants": int64(mutants), "tests": int64(tests), "killed": int64(killed)}
	return mutants, tests, dataset.WriteSubject(out, s)
}

// hashFiles notes the SHA-256 of a folder's files, by name.
func hashFiles(folder string, into map[string]string) error {
	entries, err := fs.ReadDir(os.DirFS(folder), ".")
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return exit.New(exit.Input, err, "")
		}
		sum := sha256.Sum256(text)
		into[entry.Name()] = hex.EncodeToString(sum[:])
	}
	return nil
}
