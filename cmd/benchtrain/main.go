// Command benchtrain measures training: it fits boosted trees to made-up data and
// prints what that took and how good they are, as a line of JSON. It is the half of
// "make bench-train" that is ours; scripts/bench_train.py does the same with XGBoost
// on the same data, which -write leaves behind.
//
//	go run ./cmd/benchtrain [-rows N] [-columns N] [-rounds N] [-depth N] [-threads N]
//	go run ./cmd/benchtrain -write FILE [-rows N] [-columns N]
//
// The second form writes FILE and, held out, FILE.test: 32-bit little-endian floats by
// row, the label first; values are rounded to 32 bits for both sides. It is for
// developers and ships with no release.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sort"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// result is a line of output, the same as the script's.
type result struct {
	Tool    string  `json:"tool"`
	Rows    int     `json:"rows"`
	Columns int     `json:"columns"`
	Rounds  int     `json:"rounds"`
	Depth   int     `json:"depth"`
	Threads int     `json:"threads"`
	Wall    float64 `json:"wall_seconds"`
	CPU     float64 `json:"cpu_seconds"`
	AUC     float64 `json:"auc"`
}

func main() { developer.Main("benchtrain", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("benchtrain", flag.ContinueOnError)
	flags.SetOutput(errs)
	rows := flags.Int("rows", 1_000_000, "training rows")
	columns := flags.Int("columns", 100, "columns")
	rounds := flags.Int("rounds", 100, "trees")
	depth := flags.Int("depth", 6, "depth of the trees")
	threads := flags.Int("threads", 2, "goroutines")
	write := flags.String("write", "", "write the data to this file and to it with .test at the end, and train nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	data, test := draw(*rows, *columns, 1), draw(max(*rows/10, 1000), *columns, 2)
	if *write != "" {
		return errors.Join(save(*write, data), save(*write+".test", test))
	}
	wall, cpu := time.Now(), cpuTime()
	model, err := train.Fit(ctx, data, train.Options{
		Rounds: *rounds, MaxDepth: *depth, Leaves: 1 << *depth, RowFraction: 1,
		L2: 1, MinLeafSamples: 1, MinLeafHessian: 1, Workers: *threads,
	})
	if err != nil {
		return err
	}
	r := result{Tool: "winnow", Rows: *rows, Columns: *columns, Rounds: *rounds, Depth: *depth, Threads: *threads,
		Wall: time.Since(wall).Seconds(), CPU: cpuTime() - cpu}
	if r.AUC, err = auc(model, test); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// draw makes normal columns, of which the first ten decide the label, partly by
// products of two, with noise.
func draw(rows, columns int, seed uint64) *train.Data {
	rng := rand.New(rand.NewPCG(99, seed))
	d := &train.Data{Labels: make([]float64, rows)}
	for c := range columns {
		d.Names = append(d.Names, fmt.Sprint("f", c))
		d.Columns = append(d.Columns, train.Dense(make([]float64, rows)))
	}
	x := make([]float64, columns)
	for r := range rows {
		for c := range x {
			x[c] = float64(float32(rng.NormFloat64()))
			d.Columns[c].Values[r] = x[c]
		}
		score := rng.NormFloat64()
		for c := range min(10, columns) {
			score += 0.3 * x[c]
			if c > 0 {
				score += 0.4 * x[c] * x[c-1]
			}
		}
		if score > 0.5 {
			d.Labels[r] = 1
		}
	}
	return d
}

func save(path string, d *train.Data) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var cell [4]byte
	put := func(x float64) error {
		binary.LittleEndian.PutUint32(cell[:], math.Float32bits(float32(x)))
		_, err := w.Write(cell[:])
		return err
	}
	for r := range d.Rows() {
		if err := put(d.Labels[r]); err != nil {
			return errors.Join(err, f.Close())
		}
		for c := range d.Columns {
			if err := put(d.Columns[c].Values[r]); err != nil {
				return errors.Join(err, f.Close())
			}
		}
	}
	return errors.Join(w.Flush(), f.Close())
}

// auc is the share of pairs that the model orders rightly.
func auc(model *tree.Ensemble, d *train.Data) (float64, error) {
	var columns [][]float64
	for _, c := range d.Columns {
		columns = append(columns, c.Values)
	}
	raw, err := model.RawColumns(columns)
	if err != nil {
		return 0, err
	}
	order := make([]int, len(raw))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(a, b int) bool { return raw[order[a]] < raw[order[b]] })
	pairs, positives, negatives := 0.0, 0.0, 0.0
	for _, i := range order { // ties are rare enough among a hundred trees
		if d.Labels[i] == 1 {
			pairs += negatives
			positives++
		} else {
			negatives++
		}
	}
	return pairs / (positives * negatives), nil
}

// cpuTime is what the process has used, in seconds.
func cpuTime() float64 {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return math.NaN()
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(use.Utime) + seconds(use.Stime)
}
