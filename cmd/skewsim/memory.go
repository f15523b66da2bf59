package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/skewsim/skewsim/servers/machine"
)

// CollectWithin has garbage collected when it is that many percent of what is used, and earlier near the
// limit in bytes. What is used alone may come near it, or exceed it, as with definitions of many megabytes: then there
// is room for garbage beside it, or nothing but collecting would be done. Whoever sets GOGC or GOMEMLIMIT has
// decided otherwise.
func CollectWithin(percent int, limit int64) {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		memoryLimit.Store(limit)
		debug.SetMemoryLimit(limit)
		watchCollections()
	}
}

// memoryOfSweep returns an eighth of the memory that is free, within limits: its servers need the rest, since they are many, and
// live at the same time. Without room for garbage a sweep of large definitions collects for a third of its time.
func memoryOfSweep() int64 {
	const minMemory, maxMemory = 400 << 20, 2 << 30
	free, known := machine.FreeMemory()
	if !known {
		return minMemory
	}
	return min(max(free/8, minMemory), maxMemory)
}

var (
	memoryLimit      atomic.Int64 // in bytes, as the command asked for last
	watchCollections = sync.OnceFunc(func() {
		afterCollections(func() { debug.SetMemoryLimit(withRoom(memoryLimit.Load(), readMemory())) })
	})
)

// memory is what the program uses, in bytes: what is reachable, and all that is no heap.
type memory struct{ live, others int64 }

// withRoom returns the limit, or one that leaves room for garbage beside what is used: half of it.
func withRoom(limit int64, used memory) int64 {
	return max(limit, used.others+used.live+used.live/2)
}

func readMemory() memory {
	read := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
	}
	metrics.Read(read)
	of := func(i int) int64 { return int64(read[i].Value.Uint64()) }
	return memory{live: of(0), others: of(1) - of(2) - of(3) - of(4) - of(5)}
}

// collected is garbage at once, so that each collection finds one.
type collected struct{ then func() }

// afterCollections calls a function after each collection.
func afterCollections(then func()) {
	runtime.SetFinalizer(&collected{then}, (*collected).again)
}

func (c *collected) again() {
	c.then()
	runtime.SetFinalizer(c, (*collected).again)
}
