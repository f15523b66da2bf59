package machine

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what processes took of the machine.
type Usage struct {
	CPU      time.Duration // of this process
	Children time.Duration // CPU of its children that have ended
	Memory   int64         // the most bytes that this process had at once
}

// Waited returns for how long, since the machine started, a task has had to wait for a CPU; 0 where nobody
// knows.
func Waited() time.Duration {
	text, _ := os.ReadFile("/proc/pressure/cpu") // absent: unknown
	return waited(string(text))
}

// waited reads the time of the line some: some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS.
func waited(pressure string) time.Duration {
	some, _, _ := strings.Cut(pressure, "\n")
	_, total, _ := strings.Cut(some, "total=")
	n, err := strconv.ParseInt(total, 10, 64)
	if err != nil || !strings.HasPrefix(some, "some ") {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}
