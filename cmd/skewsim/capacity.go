package main

import (
	"math"
	"runtime"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/machine"
)

// What one journey takes of memory at most, in bytes. Measured as the greatest sum of
// the PSS of skewsim and all its servers, asked every tenth of a second (linux/amd64,
// two cores): frobber/star 697 MiB, frobber/plural 573, frobber/add-field 473; seven
// scenarios on one journey of kube-apiserver v1.35.4..v1.36.1 2474, quiet 2384,
// every-kind 2290, ratchet-ip 2082; of sample-apiserver v0.35.4..v0.37.0, where each
// replica is two servers, both scenarios of aggregated on one journey 2625, flunder 2619,
// flunder-reference 2199. A module with a larger API server takes more than that.
const (
	frobberMemory    = 700 << 20
	kubernetesMemory = 2500 << 20
	moduleMemory     = 2700 << 20
)

// What the servers of one journey take to start and stop, in seconds: what is left, of
// the times of journeys alone, of a line by their steps (two busy cores; frobber's ten
// as sim/matrix has them; of kube-apiserver ratchet-ip, 90 steps, 15.2 s, and quiet,
// 1205 steps, 28.0 s).
const (
	frobberFleet    = 3.6
	kubernetesFleet = 14
)

// fleetOf is what the servers of a company take to start and stop.
func fleetOf(c company) float64 {
	if memoryOf(c) == frobberMemory {
		return frobberFleet
	}
	return kubernetesFleet
}

// memoryOf is what the journey of a company takes at most.
func memoryOf(c company) int64 {
	most := int64(frobberMemory)
	for _, ref := range c[0].Refs {
		switch ref.Scheme {
		case servers.SchemeTrain:
		case servers.SchemeModule:
			most = max(most, moduleMemory)
		default:
			most = max(most, kubernetesMemory)
		}
	}
	return most
}

// capacity is what journeys share.
type capacity struct {
	journeys int   // at once
	memory   int64 // bytes
}

// newCapacity is what the user allows; else what this machine has: as many journeys as
// cores that Go may use, in nine tenths of the memory that is free.
func newCapacity(jobs int) capacity {
	if jobs > 0 {
		return capacity{jobs, math.MaxInt64}
	}
	free, known := machine.FreeMemory()
	if !known {
		free = math.MaxInt64
	}
	return capacity{runtime.GOMAXPROCS(0), free / 10 * 9}
}

// atOnce is how many of journeys like the most greedy fit in at once, at least one.
func (c capacity) atOnce(all []company) int {
	most := int64(1)
	for _, journey := range all {
		most = max(most, memoryOf(journey))
	}
	return max(1, min(c.journeys, len(all), int(min(c.memory/most, math.MaxInt32))))
}
