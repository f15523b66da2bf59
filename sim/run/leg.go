package run

// carriesOn tells whether the run is a later leg of a chain: its store holds what
// earlier ones left there.
func (w *walker) carriesOn() bool {
	leg := w.config.Plan.Leg
	return leg != nil && leg.Number > 1
}

// left is how many objects of earlier legs lie in the store that are none of the
// run's copies. LISTs show them all the same.
func (w *walker) left() int {
	if leg := w.config.Plan.Leg; leg != nil {
		return leg.Left
	}
	return 0
}

// largestLeft is how much those may add to a LIST, given how long an object of
// each manifest may be.
func (w *walker) largestLeft(sizes map[string]int64) int64 {
	var each int64
	for _, size := range sizes {
		each = max(each, size)
	}
	return each * int64(w.left())
}
