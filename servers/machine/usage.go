package machine

import "time"

// Usage is what processes took of the machine.
type Usage struct {
	CPU      time.Duration // of this process
	Children time.Duration // CPU of its children that have ended
	Memory   int64         // the most bytes that this process had at once
}
