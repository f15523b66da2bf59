package campaign

import (
	"math"
	"runtime"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/machine"
)

// The most memory that one run, or shared run, takes, in bytes, by what its servers are.
// Measured as the greatest sum of the PSS of skewsim and all its servers, sampled every
// tenth of a second (linux/amd64, two cores). The reference server: star 697 MiB, plural
// 573, add-field 473. kube-apiserver v1.35.4..v1.36.1: seven scenarios in one run 2474,
// quiet 2384, every-kind 2290, ratchet-ip 2082. sample-apiserver v0.35.4..v0.37.0, where
// each replica is two servers: both scenarios in one run 2625, flunder 2619,
// flunder-reference 2199. A module with a larger API server takes more than that. Today's servers take less, though their
// heaps grow further: v1.36.3..v1.37.0 quiet 1769, every-kind 1660.
const (
	trainMemory   = 700 << 20
	releaseMemory = 2500 << 20
	moduleMemory  = 2700 << 20
)

// How long the servers of one run take to start and stop, in seconds. It is the intercept
// of a line through the times of runs alone by their steps (two busy cores; the reference
// server's ten as sim/matrix has them; of kube-apiserver ratchet-ip, 90 steps, 15.2 s, and
// quiet, 1205 steps, 28.0 s).
const (
	trainFleet   = 3.6
	releaseFleet = 14
)

// fleet returns how long the servers of a group take to start and stop, in seconds.
func (g Group) fleet() float64 {
	if g.memory() == trainMemory {
		return trainFleet
	}
	return releaseFleet
}

// memory returns how much memory a group takes at most.
func (g Group) memory() int64 {
	most := int64(trainMemory)
	for _, ref := range g[0].Run.Refs {
		switch ref.Scheme {
		case servers.SchemeTrain:
		case servers.SchemeModule:
			most = max(most, moduleMemory)
		default:
			most = max(most, releaseMemory)
		}
	}
	return most
}

// Room is the capacity that runs share.
type Room struct {
	Runs   int   // at the same time
	Memory int64 // bytes
}

// NewRoom returns room for as many runs at once as the user allows. With 0 it allows as
// many as the cores that Go may use, within nine tenths of this machine's free memory.
func NewRoom(jobs int) Room {
	if jobs > 0 {
		return Room{jobs, math.MaxInt64}
	}
	free, known := machine.FreeMemory()
	if !known {
		free = math.MaxInt64
	}
	return Room{runtime.GOMAXPROCS(0), free / 10 * 9}
}

// AtOnce returns how many groups like the largest fit in at once, at least one.
func (r Room) AtOnce(all []Group) int {
	most := int64(1)
	for _, g := range all {
		most = max(most, g.memory())
	}
	return max(1, min(r.Runs, len(all), int(min(r.Memory/most, math.MaxInt32))))
}
