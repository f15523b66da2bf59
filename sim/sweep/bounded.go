package sweep

import "github.com/skewsim/skewsim/scenarios/term"

// maxCells is how many cells of an outcome are listed.
const maxCells = 32

// limitCells leaves cells out of an outcome that has many, and counts those. It keeps one of each judgement
// first, then one of each write (verb, client and release) and fate, then one of each write at each stage, then
// the first that were played.
func (o *LapResult) limitCells() {
	if len(o.Cells) <= maxCells {
		return
	}
	kept := make([]bool, len(o.Cells))
	left := maxCells
	for _, key := range []func(Cell) Cell{
		func(c Cell) Cell {
			return Cell{Effect: c.Effect, Class: c.Class, Rule: c.Rule, Cause: c.Cause, PreExisting: c.PreExisting}
		},
		func(c Cell) Cell { return Cell{Effect: c.Effect, Write: c.Write} },
		func(c Cell) Cell { return Cell{Stage: c.Stage, Write: c.Write} },
		func(c Cell) Cell { return c },
	} {
		known := map[Cell]bool{}
		for i, c := range o.Cells {
			if kept[i] {
				known[key(c)] = true
			}
		}
		for i, c := range o.Cells {
			if left > 0 && !kept[i] && !known[key(c)] {
				kept[i], known[key(c)] = true, true
				left--
			}
		}
	}
	var some []Cell
	o.LeftOut = map[string]int{}
	for i, c := range o.Cells {
		if kept[i] {
			some = append(some, c)
		} else {
			o.LeftOut[c.Effect.String()]++
		}
	}
	o.Cells = some
}

// Played returns how many cells an outcome has, with those that are not listed.
func (o LapResult) Played() int {
	all := len(o.Cells)
	for _, n := range o.LeftOut {
		all += n
	}
	return all
}

// PlayedWith returns how many cells of an outcome have an effect, with those that are not listed.
func (o LapResult) PlayedWith(f term.Effect) int {
	all := o.LeftOut[f.String()]
	for _, c := range o.Cells {
		if c.Effect == f {
			all++
		}
	}
	return all
}
