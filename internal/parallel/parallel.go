// Package parallel applies a function to the items of a list with several
// workers, in a way that nobody downstream can tell how many there were.
//
// Results come back in the order of the items, and the error is that of the
// first failing item in the order of the items, not in time. For that, items
// are started in order, and a failure stops only what comes after it: items
// before it run to their end, because one of them may fail too.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Map returns f(item) for every item, computed by the given number of workers
// (0 or less: as many as there are usable CPUs).
//
// It returns the results in the order of items, or the error of the first
// failing item in that order, wrapped by nothing. When ctx is cancelled, no
// further item is started and, unless an item failed on its own, the error is
// ctx's. f must be safe to call from several goroutines; its context is
// cancelled when ctx is or when an earlier item fails. A panic in f is carried
// to the caller as a *Panic.
func Map[T, R any](ctx context.Context, workers int, items []T, f func(ctx context.Context, i int, item T) (R, error)) ([]R, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(items))
	s := &schedule{ctx: ctx, limit: len(items), running: map[int]context.CancelFunc{}}
	results := make([]R, len(items))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				itemCtx, i, ok := s.next()
				if !ok {
					return
				}
				result, err, panicked := call(itemCtx, i, items[i], f)
				results[i] = result
				s.finish(i, err, panicked)
			}
		})
	}
	wg.Wait()
	switch {
	case s.panicked != nil:
		panic(s.panicked)
	case s.err != nil:
		return nil, s.err
	case s.handedOut < len(items):
		return nil, context.Cause(ctx)
	}
	return results, nil
}

// Panic is the value that Map panics with when f panicked: the original value
// and the stack of the goroutine it happened in.
type Panic struct {
	Value any
	Stack []byte
}

// Error makes a Panic readable where it is printed as an error.
func (p *Panic) Error() string {
	return fmt.Sprintf("%v\n\nin a worker:\n%s", p.Value, p.Stack)
}

func call[T, R any](ctx context.Context, i int, item T, f func(context.Context, int, T) (R, error)) (result R, err error, panicked *Panic) {
	defer func() {
		if v := recover(); v != nil {
			panicked = &Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	result, err = f(ctx, i, item)
	return result, err, nil
}

// schedule hands out item numbers in order and remembers the first failure.
type schedule struct {
	ctx context.Context

	mu        sync.Mutex
	handedOut int                        // items started so far
	limit     int                        // items at or past it are not started
	running   map[int]context.CancelFunc // by item
	err       error                      // of item number limit, once one failed
	panicked  *Panic                     // likewise
}

func (s *schedule) next() (context.Context, int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handedOut >= s.limit || s.ctx.Err() != nil {
		return nil, 0, false
	}
	i := s.handedOut
	s.handedOut++
	ctx, cancel := context.WithCancel(s.ctx)
	s.running[i] = cancel
	return ctx, i, true
}

func (s *schedule) finish(i int, err error, panicked *Panic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[i]()
	delete(s.running, i)
	if err == nil && panicked == nil || i >= s.limit {
		return
	}
	s.limit, s.err, s.panicked = i, err, panicked
	for j, cancel := range s.running {
		if j > i {
			cancel()
		}
	}
}
