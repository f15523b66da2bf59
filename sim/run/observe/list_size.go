package observe

import (
	"encoding/json"

	"github.com/skewsim/skewsim/sim/plan"
)

// left is how many objects of earlier legs are in the store besides the run's copies. LISTs
// show them too.
func left(p *plan.Plan) int {
	if leg := p.Leg; leg != nil {
		return leg.Left
	}
	return 0
}

// largestLeft returns how many bytes those may add to a LIST, given how long an object of
// each manifest may be.
func largestLeft(p *plan.Plan, sizes map[string]int64) int64 {
	var each int64
	for _, size := range sizes {
		each = max(each, size)
	}
	return each * int64(left(p))
}

// A LIST holds an object as its manifest has it, several times as long for what servers add
// (every field a second time, for its manager, defaults and a status), and some bytes for
// each however short it is.
const (
	timesManifest = 6
	besideEach    = 8 << 10
)

// Longest returns how long a LIST of the run's largest kind may be.
func Longest(p *plan.Plan) int64 {
	sizes, kinds := map[string]int64{}, map[string]int64{}
	for file, m := range p.Manifests {
		body, _ := json.Marshal(m.Body) // it was read from a file
		sizes[file] = timesManifest*int64(len(body)) + besideEach
	}
	var most int64
	for _, c := range p.Copies {
		kind := p.Manifests[c.Manifest].Kind
		kinds[kind] += sizes[c.Manifest]
		most = max(most, kinds[kind])
	}
	return most + largestLeft(p, sizes)
}
