package parallel

import (
	"fmt"
	"runtime"
	"strings"
)

// Cause says what was recovered, and where in winnow's code it was raised. It is asked right after the
// panic, in the function that recovers. Of a *Panic, which is another goroutine's, it says what, not where.
func Cause(recovered any) string {
	if v, ok := recovered.(*Panic); ok {
		return fmt.Sprint(v.Value)
	}
	return fmt.Sprint(recovered) + raisedAt()
}

// raisedAt is the place in winnow's code that panicked, for the stack that a recover sees.
func raisedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	raised := false
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
			raised = raised || frame.Function == "runtime.gopanic"
		case raised:
			file := frame.File[strings.LastIndexByte(frame.File, '/')+1:]
			return fmt.Sprintf(" in %s (%s:%d)", frame.Function[strings.LastIndexByte(frame.Function, '/')+1:], file, frame.Line)
		}
		if !more {
			return ""
		}
	}
}
