package matrix

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
)

// Weighed is a cell with its cost, for the split.
type Weighed struct {
	ID      string  // identifies it
	Journey string  // cells with the same value share a journey; "": it runs alone
	Cost    float64 // seconds
}

// Shard is one of several parts of a matrix.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

// String returns the shard as users write it: 2/3.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }

// maxShards is the maximum number of parts of a matrix: more than anybody has machines, and
// few enough to inspect each.
const maxShards = 10_000

// ParseShard parses INDEX/N, counted from 1, or job/N: the part that an Indexed Job has given
// to this pod, whose index, counted from 0, is completionIndex.
func ParseShard(text, completionIndex string) (Shard, error) {
	const want = "want INDEX/N such as 1/3, or job/N in a pod of an Indexed Job"
	first, second, ok := strings.Cut(text, "/")
	of, err := strconv.Atoi(second)
	if !ok || err != nil {
		return Shard{}, fault.Optionf("{shard} %q: %s", text, want)
	}
	if of < 1 {
		return Shard{}, fault.Optionf("{shard} %q: there are no %d shards: %s", text, of, want)
	}
	if of > maxShards {
		return Shard{}, fault.Optionf("{shard} %q: %d shards are more than the %d that a matrix has at most: ask for fewer", text, of, maxShards)
	}
	s := Shard{Of: of}
	if first == "job" {
		if completionIndex == "" {
			return Shard{}, fault.Optionf("{shard} %q: JOB_COMPLETION_INDEX is not set, which Kubernetes sets in pods of Jobs with completionMode: Indexed: elsewhere give the shard as INDEX/N", text)
		}
		if s.Index, err = strconv.Atoi(completionIndex); err != nil || s.Index < 0 || s.Index >= of {
			return Shard{}, fault.Optionf("{shard} %q: JOB_COMPLETION_INDEX is %q, and not between 0 and %d: the Job's completions and the number of shards must be equal", text, completionIndex, of-1)
		}
		s.Index++
		return s, nil
	}
	if s.Index, err = strconv.Atoi(first); err != nil {
		return Shard{}, fault.Optionf("{shard} %q: %s", text, want)
	}
	if s.Index < 1 || s.Index > of {
		return Shard{}, fault.Optionf("{shard} %q: shards are numbered from 1 to %d", text, of)
	}
	return s, nil
}

// Split distributes cells in any order over n shards, and returns the shard of each, from 1.
// The most expensive journey goes first, each to the shard with the lowest load. Cells of one
// journey stay together, unless the journey is more than a shard's fair share: then Split cuts
// it into as many parts as have one.
func Split(cells []Weighed, n int) map[string]int {
	type part struct {
		cells []Weighed
		cost  float64
	}
	together := journeys(cells)
	fair := sum(slices.Concat(together...)) / float64(n) // in one order: sums of floats depend on it
	var parts []part
	for _, journey := range together {
		for _, some := range deal(journey, partsOf(journey, fair, n)) {
			parts = append(parts, part{some, sum(some)})
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(a.cells[0].ID, b.cells[0].ID))
	})
	loads, in := make([]float64, n), map[string]int{}
	for _, p := range parts {
		least := lightest(loads)
		loads[least] += p.cost
		for _, c := range p.cells {
			in[c.ID] = least + 1
		}
	}
	return in
}

// partsOf returns the number of parts that a journey is cut into.
func partsOf(journey []Weighed, fair float64, n int) int {
	if fair <= 0 || len(journey) == 1 {
		return 1
	}
	return max(1, min(int(math.Ceil(sum(journey)/fair-1e-9)), n, len(journey)))
}

// journeys groups the cells of each journey, in the order of their names.
func journeys(cells []Weighed) (all [][]Weighed) {
	sorted := slices.SortedFunc(slices.Values(cells), func(a, b Weighed) int { return cmp.Compare(a.ID, b.ID) })
	at := map[string]int{}
	for _, c := range sorted {
		i, known := at[c.Journey]
		if c.Journey == "" || !known {
			at[c.Journey] = len(all)
			all = append(all, []Weighed{c})
			continue
		}
		all[i] = append(all[i], c)
	}
	return all
}

// deal cuts a journey into n parts of about equal cost.
func deal(journey []Weighed, n int) [][]Weighed {
	sorted := slices.SortedFunc(slices.Values(journey), func(a, b Weighed) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(a.ID, b.ID))
	})
	parts, loads := make([][]Weighed, n), make([]float64, n)
	for _, c := range sorted {
		i := lightest(loads)
		parts[i], loads[i] = append(parts[i], c), loads[i]+c.Cost
	}
	return slices.DeleteFunc(parts, func(p []Weighed) bool { return len(p) == 0 })
}

// lightest returns the first shard with the lowest load.
func lightest(loads []float64) int {
	least := 0
	for i, load := range loads {
		if load < loads[least] {
			least = i
		}
	}
	return least
}

func sum(cells []Weighed) (cost float64) {
	for _, c := range cells {
		cost += c.Cost
	}
	return cost
}
