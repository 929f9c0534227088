package features

import (
	"sync"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
)

// batchRows bounds the rows that are handed over at once.
const batchRows = 2048

// batches are the rows of a table in the making. Workers write rows where they belong,
// each those of one function in order, and one reader takes the batches in order as they
// become complete. Few are open at a time: a worker that is ahead waits. So functions
// must be begun in the order of their first mutants: then the first row that is missing is
// that of a function at work, whose worker does not wait.
type batches struct {
	schema table.Schema
	rows   int
	ahead  int // how many may be open

	mu      sync.Mutex
	changed *sync.Cond
	first   int // the number of the first that was not handed over
	open    map[int]*batch
	sweeps  int // tasks of sweeps that are not done
	stopped bool
	gaveUp  chan<- struct{} // program.stopped
}

// batch is some rows, from the one with number from, by column.
type batch struct {
	from, to int
	columns  [][]float64
	left     int // rows that are not written
}

func newBatches(p *program, schema table.Schema) *batches {
	b := &batches{schema: schema, rows: len(p.mutants), ahead: 1 + parallel.Workers(p.inputs.workers), open: map[int]*batch{}, sweeps: len(p.tasks), gaveUp: p.stopped}
	b.changed = sync.NewCond(&b.mu)
	for _, f := range p.functions {
		// A function with mutants here and there needs batches that are far apart.
		if last := len(f.mutants) - 1; f.mutants[last]-f.mutants[0] != last {
			b.ahead = len(p.mutants)
		}
	}
	return b
}

// waitFor waits until something holds; false when the work was stopped before.
func (b *batches) waitFor(holds func() bool) bool {
	for !b.stopped && !holds() {
		b.changed.Wait()
	}
	return !b.stopped
}

// stop makes everybody who waits give up.
func (b *batches) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.stopped {
		b.stopped = true
		close(b.gaveUp)
		b.changed.Broadcast()
	}
}

// swept notes that a task of a sweep is done.
func (b *batches) swept() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sweeps--
	b.changed.Broadcast()
}

func (b *batches) waitForSweeps() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waitFor(func() bool { return b.sweeps == 0 })
}

// batch returns the batch of a number, which a worker may write to; nil when the work was
// stopped.
func (b *batches) batch(number int) *batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waitFor(func() bool { return number < b.first+b.ahead }) {
		return nil
	}
	return b.openBatch(number)
}

func (b *batches) openBatch(number int) *batch {
	if b.open[number] == nil {
		from := number * batchRows
		to := min(from+batchRows, b.rows)
		n := to - from
		cells := make([]float64, (len(b.schema)-1)*n)
		open := &batch{from: from, to: to, columns: make([][]float64, len(b.schema)-1), left: n}
		for k := range open.columns {
			open.columns[k] = cells[k*n : (k+1)*n : (k+1)*n]
		}
		b.open[number] = open
	}
	return b.open[number]
}

// written notes that so many more rows of a batch are there.
func (b *batches) written(to *batch, rows int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if to.left -= rows; to.left == 0 {
		b.changed.Broadcast()
	}
}

// complete waits until all rows of a batch are there; nil when the work was stopped.
func (b *batches) complete(number int) *batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waitFor(func() bool { return b.openBatch(number).left == 0 }) {
		return nil
	}
	return b.open[number]
}

// handedOver makes room for another batch.
func (b *batches) handedOver(number int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, number)
	b.first = number + 1
	b.changed.Broadcast()
}

func (b *batch) table(mutants []mutant.Mutant, schema table.Schema) (*table.Table, error) {
	ids := make([]string, b.to-b.from)
	for k := range ids {
		ids[k] = mutants[b.from+k].ID
	}
	all := []any{ids}
	for _, c := range b.columns {
		all = append(all, c)
	}
	return table.FromColumns(schema, all...)
}
