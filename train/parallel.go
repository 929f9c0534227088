package train

import (
	"sync"
	"sync/atomic"
)

// parallel calls do(i) for every i below n, from up to workers goroutines. The
// calls must not depend on each other.
func parallel(workers, n int, do func(i int)) {
	workers = min(workers, n)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

// chunkRows is how many rows a worker takes at a time where rows are
// independent.
const chunkRows = 8192

// parallelRows calls do for consecutive ranges of rows.
func parallelRows(workers, rows int, do func(from, to int)) {
	parallel(workers, (rows+chunkRows-1)/chunkRows, func(i int) {
		do(i*chunkRows, min((i+1)*chunkRows, rows))
	})
}
