// Package mart reads what Mart and Muteria write of a program's mutants: the
// description of the mutants (mutantsInfos.json) and matrices of which test kills
// (SM.dat, STRONG_MUTATION.csv) and infects (WM.dat, WEAK_MUTATION.csv) which.
//
// A matrix is text: words between blanks, a mutant a line, a test a column. The
// first line names the tests behind a word for the key column; a cell is positive
// when the test kills, 0 when it does not, and negative when that is not known. A
// mutant's key may carry the tool's name before a colon, as in mart_0:12.
package mart

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// The files, by the names that Mart's scripts and Muteria give them.
const infosFile = "mutantsInfos.json"

var (
	strongFiles = []string{"SM.dat", "STRONG_MUTATION.csv"}
	weakFiles   = []string{"WM.dat", "WEAK_MUTATION.csv"}
)

// Matrix is one matrix as it is written.
type Matrix struct {
	Tests []string
	// Keys are the mutants, without the tool's name; Cells are theirs, by test.
	Keys  []string
	Cells [][]int
}

// maxLine bounds a line: a mutant with cells for a million tests.
const maxLine = 16 << 20

// ReadMatrix reads a matrix.
func ReadMatrix(r io.Reader) (*Matrix, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	m := &Matrix{}
	seen := map[string]bool{}
	for number := 1; lines.Scan(); number++ {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
			continue
		case m.Tests == nil:
			m.Tests = append([]string{}, words[1:]...)
			continue
		case len(words) != len(m.Tests)+1:
			return nil, fmt.Errorf("line %d has %d cells for %d tests", number, len(words)-1, len(m.Tests))
		}
		key := words[0][strings.LastIndexByte(words[0], ':')+1:]
		if key == "" || seen[key] {
			return nil, fmt.Errorf("line %d: the mutant %q has no key of its own", number, words[0])
		}
		seen[key] = true
		cells := make([]int, len(m.Tests))
		for i, word := range words[1:] {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("line %d, test %s: %q is no number", number, m.Tests[i], word)
			}
			cells[i] = n
		}
		m.Keys, m.Cells = append(m.Keys, key), append(m.Cells, cells)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(m.Tests) == 0 || len(m.Keys) == 0 {
		return nil, errors.New("the matrix has no tests or no mutants")
	}
	return m, nil
}

// Info is a mutant in mutantsInfos.json.
type Info struct {
	Type        string
	FuncName    string
	IRPosInFunc []int
	SrcLoc      string // file:line:column; "" when not known
}

// place takes SrcLoc apart; line and column are 0 when they are not known.
func (i Info) place() (file string, line, column int64) {
	parts := strings.Split(i.SrcLoc, ":")
	if len(parts) < 3 {
		return i.SrcLoc, 0, 0
	}
	n := len(parts)
	line, err1 := strconv.ParseInt(parts[n-2], 10, 64)
	column, err2 := strconv.ParseInt(parts[n-1], 10, 64)
	if err1 != nil || err2 != nil || line < 0 || column < 0 {
		return i.SrcLoc, 0, 0
	}
	return strings.Join(parts[:n-2], ":"), line, column
}

// Read reads the subject in a folder: its mutants and who kills whom. What Mart
// does not say (the C text of a change, features) is missing.
func Read(folder string) (*dataset.Subject, error) {
	text, err := os.ReadFile(filepath.Join(folder, infosFile))
	if err != nil {
		return nil, err
	}
	infos := map[string]Info{}
	if err := json.Unmarshal(text, &infos); err != nil {
		return nil, fmt.Errorf("%s: %w", infosFile, err)
	}
	keys := make([]string, 0, len(infos))
	for key := range infos {
		if n, err := strconv.ParseInt(key, 10, 32); err != nil || n < 1 {
			return nil, fmt.Errorf("%s: mutant %q: want a number from 1", infosFile, key)
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return number(a) - number(b) })
	s := &dataset.Subject{}
	if s.Mutants, err = mutants(keys, infos); err != nil {
		return nil, err
	}
	strong, err := readFirst(folder, strongFiles)
	if err != nil {
		return nil, err
	}
	if strong == nil {
		return nil, fmt.Errorf("%s: there is no matrix: want one of %s", folder, strings.Join(strongFiles, ", "))
	}
	weak, err := readFirst(folder, weakFiles)
	if err != nil {
		return nil, err
	}
	for _, key := range strong.Keys {
		if _, known := infos[key]; !known {
			return nil, fmt.Errorf("mutant %s of the matrix is not in %s", key, infosFile)
		}
	}
	s.Kills, err = kills(strong, weak)
	return s, err
}

// number reads a key that was checked.
func number(key string) int {
	n, _ := strconv.Atoi(key)
	return n
}

func readFirst(folder string, names []string) (*Matrix, error) {
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		m, err := ReadMatrix(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return m, nil
	}
	return nil, nil
}

// mutants makes the table of mutants. Those that touch the same instructions are
// of one site, those of one line of one statement.
func mutants(keys []string, infos map[string]Info) (*table.Table, error) {
	t, err := table.New(dataset.MutantsSchema())
	if err != nil {
		return nil, err
	}
	sites, statements := map[string]int64{}, map[string]int64{}
	ordinal := func(seen map[string]int64, key string) int64 {
		if _, ok := seen[key]; !ok {
			seen[key] = int64(len(seen))
		}
		return seen[key]
	}
	for _, key := range keys {
		info := infos[key]
		file, line, column := info.place()
		site := ordinal(sites, fmt.Sprint(info.FuncName, info.IRPosInFunc))
		statement := ordinal(statements, fmt.Sprint(info.FuncName, file, ":", line))
		err := t.Append(key, int64(number(key)), site, statement, info.Type, "", "", info.Type, info.FuncName, file, line, column, "", "", false, false, "")
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// kills makes the kill matrix. That a test kills stands, whatever the weak matrix
// says: Mart's weak mutation is known to miss some.
func kills(strong, weak *Matrix) (*kill.Matrix, error) {
	m, err := kill.New(strong.Keys, strong.Tests)
	if err != nil {
		return nil, err
	}
	infects := map[[2]string]int{}
	if weak != nil {
		for i, key := range weak.Keys {
			for t, test := range weak.Tests {
				infects[[2]string{key, test}] = weak.Cells[i][t]
			}
		}
	}
	for i, key := range strong.Keys {
		for t, test := range strong.Tests {
			cell := kill.Cell{Verdict: matrix.Survived}
			switch n := strong.Cells[i][t]; {
			case n > 0:
				cell = kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}
			case n < 0:
				cell = kill.Cell{Verdict: matrix.Unknown}
			default:
				if weakly, known := infects[[2]string{key, test}]; known && weakly == 0 {
					cell.Cause = matrix.NotInfected
				}
			}
			if err := m.Set(i, t, cell); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}
