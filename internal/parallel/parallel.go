// Package parallel applies a function to the items of a list, or of a sequence,
// with several workers, in a way that nobody downstream can tell how many there
// were.
//
// Results come back in the order of the items, and the error is that of the
// first failing item in the order of the items, not in time. For that, items
// are started in order, and a failure stops only what comes after it: items
// before it run to their end, because one of them may fail too.
package parallel

import (
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
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
	results := make([]R, len(items))
	err := Each(ctx, min(Workers(workers), len(items)), slices.Values(items), func(ctx context.Context, i int, item T) (err error) {
		results[i], err = f(ctx, i, item)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// Each calls f on every item of a sequence, as Map does on a list. An item is
// asked for when a worker is free, so that no more of them exist at a time than
// there are workers; the sequence is asked by one worker at a time, while others
// are at work. A panic of the sequence is carried to the caller like one of f.
func Each[T any](ctx context.Context, workers int, items iter.Seq[T], f func(ctx context.Context, i int, item T) error) error {
	next, stop := iter.Pull(items)
	defer stop()
	s := &schedule{ctx: ctx, limit: math.MaxInt, running: map[int]context.CancelFunc{}}
	var wg sync.WaitGroup
	for range Workers(workers) {
		wg.Go(func() {
			for {
				var item T
				itemCtx, i, ok := s.next(func() (ok bool) {
					item, ok = next()
					return ok
				})
				if !ok {
					return
				}
				err, panicked := guard(func() error { return f(itemCtx, i, item) })
				s.finish(i, err, panicked)
			}
		})
	}
	wg.Wait()
	switch {
	case s.panicked != nil:
		panic(s.panicked)
	case s.err != nil:
		return s.err
	case !s.exhausted:
		return context.Cause(ctx)
	}
	return nil
}

// Workers is how many workers a number of them means: 0 or less, as many as there are
// usable CPUs.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
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

// guard catches a panic.
func guard(f func() error) (err error, panicked *Panic) {
	defer func() {
		if v := recover(); v != nil {
			panicked = &Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	return f(), nil
}

// schedule hands out item numbers in order and remembers the first failure.
type schedule struct {
	ctx context.Context

	mu        sync.Mutex
	handedOut int                        // items started so far
	exhausted bool                       // there are no further items
	limit     int                        // items at or past it are not started
	running   map[int]context.CancelFunc // by item
	err       error                      // of item number limit, once one failed
	panicked  *Panic                     // likewise
}

// next takes an item, unless there is none any more or work has to stop.
func (s *schedule) next(take func() bool) (context.Context, int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exhausted || s.handedOut >= s.limit || s.ctx.Err() != nil {
		return nil, 0, false
	}
	var taken bool
	if _, panicked := guard(func() error { taken = take(); return nil }); panicked != nil {
		s.fail(s.handedOut, nil, panicked)
		return nil, 0, false
	}
	if !taken {
		s.exhausted = true
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
	s.fail(i, err, panicked)
}

// fail notes the failure of an item, after which only those before it go on.
func (s *schedule) fail(i int, err error, panicked *Panic) {
	s.limit, s.err, s.panicked = i, err, panicked
	for j, cancel := range s.running {
		if j > i {
			cancel()
		}
	}
}
