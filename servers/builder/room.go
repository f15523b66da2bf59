package builder

import (
	"runtime"

	"github.com/skewsim/skewsim/servers/machine"
)

// buildMemory is what one build is given room for, in bytes: linking a kube-apiserver
// takes 1.9 GB, and compilers run before the last one's memory is free.
const buildMemory = 3 << 30

// AtOnce is how many of so many builds are made at once: no more than there are
// cores, which one build alone keeps busy but while it links, and than memory allows.
func AtOnce(builds int) int {
	room := runtime.GOMAXPROCS(0)
	if free, known := machine.FreeMemory(); known {
		room = min(room, int(free/buildMemory))
	}
	return max(1, min(builds, room))
}
