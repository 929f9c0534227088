package execute

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
)

// worker owns a server and decides batches with it, whatever becomes of the
// server meanwhile. It keeps to one thread from its beginning to its end, since the
// kernel ends a server with the thread that started it: a server is there for the next
// call, too, for to start one takes as long as a thousand runs.
type worker struct {
	engine *Engine
	server *server    // nil when none runs
	folder *runFolder // nil when all share the engine's
	tasks  chan func(*worker)
	ended  chan error
}

func newWorker(e *Engine) *worker {
	w := &worker{engine: e, tasks: make(chan func(*worker)), ended: make(chan error, 1)}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for task := range w.tasks {
			task(w)
		}
		w.stop()
		if w.folder != nil {
			w.ended <- w.folder.remove()
		}
		close(w.ended)
	}()
	return w
}

// do has the worker do a task, and waits.
func (w *worker) do(task func(*worker)) {
	done := make(chan struct{})
	w.tasks <- func(w *worker) {
		defer close(done)
		task(w)
	}
	<-done
}

// end ends the worker with its server, and removes its folder.
func (w *worker) end() error {
	close(w.tasks)
	return <-w.ended
}

// decided is the final observation of one run; failure says why there is none
// when its cause is CauseFailed.
type decided struct {
	observation
	failure  string
	handedOn bool // by InProcess to a safer tier
}

// start starts a server in the worker's folder, or in the engine's.
func (w *worker) start(ctx context.Context) (err error) {
	folder := w.engine.folder
	if w.engine.private() {
		if w.folder == nil {
			if w.folder, err = newRunFolder(w.engine); err != nil {
				return err
			}
		}
		folder = w.folder.open
	}
	w.server, err = startServer(ctx, w.engine, w.engine.confine, folder)
	return err
}

func (w *worker) stop() {
	if w.server != nil {
		_ = w.server.close() // its last words matter only while a batch waits for them
		w.server = nil
	}
}

// try makes the runs of a batch once. A broken server is put away; the error
// says how, and the results before it are valid. fatal is set when no server
// can be started at all.
func (w *worker) try(ctx context.Context, b *batch) (done []observation, broken, fatal error) {
	if w.server == nil {
		if fatal = w.start(ctx); fatal != nil {
			return nil, nil, fatal
		}
	}
	unwatch := context.AfterFunc(ctx, w.server.kill)
	if w.folder == nil {
		done, broken = w.server.run(b)
	} else {
		done, broken, fatal = w.runInFolder(b)
	}
	if !unwatch() {
		w.stop() // it is killed, or will be
	}
	if fatal != nil {
		return done, broken, fatal
	}
	if w.engine.options.Output == OutputIgnored {
		for i := range done {
			done[i].OutputLength, done[i].OutputHash = 0, 0
		}
	}
	if broken != nil {
		w.stop()
		if ctx.Err() != nil {
			return done, broken, ctx.Err()
		}
	}
	return done, broken, nil
}

// decide makes the runs of a batch and repeats what looks doubtful with the
// judge: what a broken server left unanswered, failed runs, the wall-clock
// fence (a busy machine looks the same), and kills that we did not send.
func (w *worker) decide(ctx context.Context, b *batch) ([]decided, error) {
	if b.tier.Name == InProcess.Name {
		return w.decideInProcess(ctx, b)
	}
	seen, broken, err := w.try(ctx, b)
	if err != nil {
		return nil, err
	}
	out := make([]decided, len(b.selectors))
	for i := range out {
		if i < len(seen) && !doubtful(seen[i]) {
			out[i].observation = seen[i]
			continue
		}
		reason := "the run could not be started"
		if i >= len(seen) {
			reason = fmt.Sprintf("the server broke (%v)", broken)
		}
		if out[i], err = w.judge(ctx, b, b.selectors[i], reason); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func doubtful(o observation) bool {
	return o.Cause == CauseFailed || o.Cause == CauseTime || o.Cause == CauseSignal && o.Status == int(syscall.SIGKILL)
}

// judge makes one run of a batch with Fresh, with twice the patience.
func (w *worker) judge(ctx context.Context, b *batch, selector int32, reason string) (decided, error) {
	single := *b
	single.tier, single.wall, single.selectors, single.slice = Fresh, 2*b.wall, []int32{selector}, 0
	seen, broken, err := w.try(ctx, &single)
	if err != nil {
		return decided{}, err
	}
	if broken != nil {
		reason = fmt.Sprintf("%s, and again in a fresh process (%v)", reason, broken)
	}
	if len(seen) == 0 || seen[0].Cause == CauseFailed {
		return decided{failure: reason}, nil
	}
	return decided{observation: seen[0]}, nil
}
