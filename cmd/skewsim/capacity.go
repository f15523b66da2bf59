package main

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
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
	free, known := freeMemory(os.ReadFile)
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

// freeMemory is what this process may still take, in bytes: what the machine has, or
// what is left of its cgroup, whichever is less; false where neither says.
func freeMemory(read func(string) ([]byte, error)) (int64, bool) {
	free, known := int64(math.MaxInt64), false
	if raw, err := read("/proc/meminfo"); err == nil {
		if kilobytes, ok := fieldOf(raw, "MemAvailable:"); ok {
			free, known = kilobytes<<10, true
		}
	}
	for _, group := range cgroups(read) {
		if left, ok := leftOf(read, group); ok {
			free, known = min(free, left), true
		}
	}
	return max(0, free), known
}

// cgroups are the directories that may tell of this process's limits: its own group and
// those above it, of version 2 or 1.
func cgroups(read func(string) ([]byte, error)) (all []string) {
	raw, err := read("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(raw)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root := "/sys/fs/cgroup"
		if parts[1] == "memory" {
			root = "/sys/fs/cgroup/memory"
		} else if parts[1] != "" {
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			all = append(all, path.Join(root, at))
			if at == "/" {
				break
			}
		}
	}
	return all
}

// leftOf is what a cgroup has left. What it holds of files that nobody uses just now,
// the kernel gives back.
func leftOf(read func(string) ([]byte, error), group string) (int64, bool) {
	for _, names := range [][3]string{
		{"memory.max", "memory.current", "inactive_file"},
		{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
	} {
		limit, limited := numberIn(read, path.Join(group, names[0]))
		used, known := numberIn(read, path.Join(group, names[1]))
		if !limited || !known || limit > 1<<60 { // version 1 has no word for none
			continue
		}
		stat, _ := read(path.Join(group, "memory.stat")) // what it does not say is not given back
		inactive, _ := fieldOf(stat, names[2])
		return limit - used + inactive, true
	}
	return 0, false
}

func numberIn(read func(string) ([]byte, error), name string) (int64, bool) {
	raw, err := read(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil
}

// fieldOf is the number behind a word at the beginning of a line.
func fieldOf(raw []byte, word string) (int64, bool) {
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 1 && fields[0] == word {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
