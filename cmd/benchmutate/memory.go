package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// memory is the most that this process and those it has started held at a time,
// as far as looking at them every now and then tells. What wait4 says of an ended
// process does not serve: Linux counts what its parent held when it was started.
type memory struct {
	peak atomic.Int64 // bytes
	done chan struct{}
}

// often is how often one looks; an opt process lives ten times as long.
const often = 50 * time.Millisecond

func watchMemory() *memory {
	m := &memory{done: make(chan struct{})}
	go func() {
		for {
			m.peak.Store(max(m.peak.Load(), resident("self")+children()))
			select {
			case <-m.done:
				return
			case <-time.After(often):
			}
		}
	}()
	return m
}

// stop returns the peak in MB.
func (m *memory) stop() int64 {
	close(m.done)
	return m.peak.Load() >> 20
}

// children is what the processes hold that this one has started, and those that
// they have.
func children() int64 {
	var sum int64
	open := []string{"self"}
	for len(open) > 0 {
		lists, _ := filepath.Glob("/proc/" + open[0] + "/task/*/children") // the pattern is well formed
		open = open[1:]
		for _, list := range lists {
			text, err := os.ReadFile(list)
			if err != nil {
				continue // it has ended
			}
			for _, pid := range strings.Fields(string(text)) {
				sum += resident(pid)
				open = append(open, pid)
			}
		}
	}
	return sum
}

// resident is what a process holds; 0 for one that has ended.
func resident(pid string) int64 {
	text, err := os.ReadFile("/proc/" + pid + "/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
