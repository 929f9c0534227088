package built

import (
	"sync"
	"time"
)

// silence is how long a run may say nothing.
const silence = 2 * time.Second

// oneAtATime is say for several goroutines; nil is silent.
func oneAtATime(say func(line string)) func(line string) {
	if say == nil {
		return func(string) {}
	}
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		say(line)
	}
}

// during says what is done, and while it lasts, for how long it has been. The function that it
// returns ends that.
func (r *recording) during(what string) (done func()) {
	r.say("%s", what)
	start, ended := time.Now(), make(chan struct{})
	var ticking sync.WaitGroup
	ticking.Go(func() {
		for pause := silence; ; pause = max(silence, time.Since(start)/4) { // less often what lasts long
			select {
			case <-ended:
				return
			case <-time.After(pause):
				r.say("still %s (%.0f s)", what, time.Since(start).Seconds())
			}
		}
	})
	return sync.OnceFunc(func() {
		close(ended)
		ticking.Wait()
	})
}
