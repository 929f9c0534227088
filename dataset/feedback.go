package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
)

// FeedbackFile is the file of a run folder that holds what testers found out, one
// JSON object a line. Lines are only ever added, and the run's seal does not cover
// them.
const FeedbackFile = "feedback.jsonl"

// Told is what a tester says of a mutant.
type Told string

// The values of Told; "" is that nobody said anything.
const (
	// ToldKilled: a test kills the mutant, one of the pool or a new one.
	ToldKilled Told = "killed"
	// ToldEquivalent: no test can.
	ToldEquivalent Told = "equivalent"
	// ToldWorthless: it is not worth a test, killable or not.
	ToldWorthless Told = "worthless"
)

// Feedback is a line of FeedbackFile.
type Feedback struct {
	Mutant string `json:"mutant"`
	Told   Told   `json:"told"`
	// Test is the test that kills the mutant, of ToldKilled.
	Test string `json:"test,omitempty"`
	// Note is why, in the tester's words.
	Note string    `json:"note,omitempty"`
	Time time.Time `json:"time"`
}

func (f *Feedback) validate() error {
	switch {
	case f.Mutant == "":
		return errors.New("feedback names no mutant")
	case f.Told != ToldKilled && f.Told != ToldEquivalent && f.Told != ToldWorthless:
		return fmt.Errorf("feedback on mutant %s says %q: want killed, equivalent or worthless", f.Mutant, f.Told)
	case (f.Test != "") != (f.Told == ToldKilled):
		return fmt.Errorf("feedback on mutant %s: a test is named where, and only where, it was killed", f.Mutant)
	}
	return nil
}

// AppendFeedback adds a line to the feedback of the run folder dir.
func AppendFeedback(dir string, f Feedback) error {
	if err := f.validate(); err != nil {
		return err
	}
	line, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("feedback on mutant %s: %w", f.Mutant, err)
	}
	path := filepath.Join(dir, FeedbackFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("feedback on mutant %s: %w", f.Mutant, err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("feedback on mutant %s: %w", f.Mutant, err)
	}
	if whole := wholeLines(text); len(whole) < len(text) {
		err = file.Truncate(int64(len(whole)))
		text = whole
	} else if len(text) > 0 && text[len(text)-1] != '\n' { // written by hand
		line = append([]byte("\n"), line...)
	}
	if err == nil {
		// One write: lines of several testers do not mix.
		if _, err = file.Write(append(line, '\n')); err != nil { // of which a part may be there
			err = errors.Join(err, file.Truncate(int64(len(text))))
		}
	}
	return errors.Join(err, file.Sync(), file.Close(), atomicfile.SyncFolder(dir))
}

// wholeLines is a text without a last line that was cut off while it was written: one without an
// end that is no JSON.
func wholeLines(text []byte) []byte {
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	if len(last) == 0 || json.Valid(last) {
		return text
	}
	return text[:len(text)-len(last)]
}

// ReadFeedback returns the feedback of a run folder, oldest first; none when
// nobody gave any.
func ReadFeedback(dir string) ([]Feedback, error) {
	text, err := os.ReadFile(filepath.Join(dir, FeedbackFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("feedback: %w", err)
	}
	var out []Feedback
	lines := bufio.NewScanner(bytes.NewReader(wholeLines(text)))
	for number := 1; lines.Scan(); number++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var f Feedback
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w (take the line out)", filepath.Join(dir, FeedbackFile), number, err)
		}
		if err := f.validate(); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w (take the line out)", filepath.Join(dir, FeedbackFile), number, err)
		}
		out = append(out, f)
	}
	return out, lines.Err()
}

// tell puts feedback into the evidence; of several lines on a mutant the last one
// holds. A kill by a test of the pool and an equivalence settle cells; what
// contradicts a run that was seen does not.
func (e *Evidence) tell(feedback []Feedback) {
	if len(feedback) == 0 {
		return
	}
	at := make(map[string]int, len(e.Mutants))
	for m, id := range e.Mutants {
		at[id] = m
	}
	e.Told = make([]Told, len(e.Mutants))
	last := map[int]Feedback{}
	for _, f := range feedback {
		if m, known := at[f.Mutant]; known {
			last[m] = f
		}
	}
	for m, f := range last {
		test := slices.Index(e.Tests, f.Test)
		switch {
		case f.Told == ToldEquivalent && !e.Killed[m].Empty():
			continue // a test was seen to kill it
		case f.Told == ToldEquivalent:
			e.Unknown[m].AndNot(e.Unknown[m])
		case f.Told == ToldKilled && test >= 0 && e.Unknown[m].Get(test):
			e.Unknown[m].Clear(test)
			e.Killed[m].Set(test)
		}
		e.Told[m] = f.Told
	}
}

// told is what was said of mutant m.
func (e *Evidence) told(m int) Told {
	if e.Told == nil {
		return ""
	}
	return e.Told[m]
}
