package plots

import (
	"fmt"
	"net/http"
	"slices"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

const (
	storedHeight = 240 // of the plot, in points
	sampled      = 2   // distance between samples of the sizes, in points
)

// level is how many bytes etcd held from a time on, by role of the copies, in the order of
// term.CopyRoles.
type level struct {
	At    float64
	Sizes []int
}

// total sums up the roles.
func (l level) total() int {
	n := 0
	for _, size := range l.Sizes {
		n += size
	}
	return n
}

// storedLevels follows the store's changes of the run's copies. A key belongs to the copy
// whose write was answered with the revision of a change of it; other keys are the servers'
// own, and omitted.
func storedLevels(r view.Run, c clock) []level {
	roles := term.CopyRoles().Words()
	owners := keyRoles(r)
	held := map[string]int{}
	levels := []level{{Sizes: make([]int, len(roles))}}
	for _, change := range r.Changes {
		role := slices.Index(roles, string(owners[change.Key]))
		if role < 0 || !c.within(change.At) {
			continue
		}
		size := max(change.Size, 0)
		if change.Deleted {
			size = 0
		}
		sizes := slices.Clone(levels[len(levels)-1].Sizes)
		sizes[role] += size - held[change.Key]
		held[change.Key] = size
		levels = append(levels, level{max(change.At, levels[len(levels)-1].At), sizes})
	}
	return levels
}

// keyRoles returns the role of the copy of each key of the store.
func keyRoles(r view.Run) map[string]term.CopyRole {
	roles := map[string]term.CopyRole{}
	for _, c := range r.Plan.Copies {
		roles[c.Name] = c.Role
	}
	writers := map[int64]string{}
	for _, op := range r.Operations {
		if x := op.Exchange; (op.Purpose == history.Act || op.Purpose == history.Rewrite) && x.Succeeded() && x.Revision > 0 &&
			slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, x.Method) {
			writers[x.Revision] = op.Copy
		}
	}
	owners := map[string]term.CopyRole{}
	for _, change := range r.Changes {
		if role, ok := roles[writers[change.Revision]]; ok && owners[change.Key] == "" {
			owners[change.Key] = role
		}
	}
	return owners
}

// levelAt returns the level at a time.
func levelAt(levels []level, seconds float64) level {
	return levels[sort.Search(len(levels), func(i int) bool { return levels[i].At > seconds })-1]
}

// storedFigure draws how many bytes etcd held of the run's copies over time.
func storedFigure(r view.Run, c clock) (Figure, error) {
	f := Figure{
		ID: "stored", Heading: "Stored bytes over time",
		About: "What etcd held of the run's copies, as its watch told: the size of each key's newest value, by the role of the copy. What servers store for themselves is left out.",
		None:  "The history has no change of a stored copy: there is nothing to draw.",
	}
	levels := storedLevels(r, c)
	if len(c.Periods) == 0 || len(levels) == 1 {
		return f, nil
	}
	most := slices.MaxFunc(levels, func(a, b level) int { return a.total() - b.total() })
	last := levels[len(levels)-1]
	f.Gist = fmt.Sprintf("In %s etcd came to hold at most %s of the run's copies (in stage %s), and %s at the end.",
		lasting(c.Total), view.Size(most.total()), shownName(c.Periods[c.at(most.At)].Name), view.Size(last.total()))
	roles := presentRoles(levels)
	for i := len(roles) - 1; i >= 0; i-- { // the legend is in the order of the plot, from the top down
		word := term.CopyRoles()[roles[i]].Word
		f.Key = append(f.Key, ColorKey{Class: "swatch plot-stored " + string(word), Word: string(word), Meaning: term.CopyRoles().Meaning(word)})
	}
	f.Stages = c.names()[1:]
	f.Table = storedTable(levels, c, roles)
	return f.drawn(func(width vg.Length) (*plot.Plot, vg.Length, error) {
		return storedPlot(width, levels, c, roles, most.total()), storedHeight, nil
	})
}

// presentRoles returns the indices of the roles with stored bytes.
func presentRoles(levels []level) []int {
	var roles []int
	for role := range levels[0].Sizes {
		if slices.ContainsFunc(levels, func(l level) bool { return l.Sizes[role] > 0 }) {
			roles = append(roles, role)
		}
	}
	return roles
}

// storedTable is the same in numbers: at the end of each stage.
func storedTable(levels []level, c clock, roles []int) Table {
	g := Table{Texts: 1, Columns: []string{"As the stage ended", "at"}}
	for _, role := range roles {
		g.Columns = append(g.Columns, string(term.CopyRoles()[role].Word))
	}
	g.Columns = append(g.Columns, "in all")
	for i, p := range c.Periods {
		l := levelAt(levels, p.To)
		row := []string{numbered(i, p.Name), lasting(p.To)}
		for _, role := range roles {
			row = append(row, view.Size(l.Sizes[role]))
		}
		g.Rows = append(g.Rows, append(row, view.Size(l.total())))
	}
	return g
}

// numbered returns a period's name behind its number on an axis.
func numbered(i int, name string) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%d %s", i, name)
}

// storedPlot draws stacked areas, one for each role.
func storedPlot(width vg.Length, levels []level, c clock, roles []int, most int) *plot.Plot {
	p := emptyPlot()
	c.hold(p)
	unit, name := byteUnit(most)
	p.Y.Label.Text = "bytes stored, " + name
	p.Y.Min, p.Y.Max = 0, float64(max(most, 1))/unit*storedHeight/(storedHeight-2*numbersHeight)
	p.Y.Padding = 0
	p.Y.Tick.Marker = plainTicks{}
	times := make([]float64, int(width/sampled)+1)
	for i := range times {
		times[i] = c.Total * float64(i) / float64(len(times)-1)
	}
	// Each area reaches down to the axis and is covered by the ones below it.
	for i := len(roles) - 1; i >= 0; i-- {
		p.Add(steps{times: times, height: stacked(levels, times, roles[:i+1], unit), class: "plot-stored " + string(term.CopyRoles()[roles[i]].Word)})
	}
	return p
}

// stacked returns the sums of the roles' sizes, at each of the times.
func stacked(levels []level, times []float64, roles []int, unit float64) []float64 {
	sums := make([]float64, len(times))
	for i, at := range times {
		l := levelAt(levels, at)
		for _, role := range roles {
			sums[i] += float64(l.Sizes[role]) / unit
		}
	}
	return sums
}

// byteUnit returns the unit for sizes of up to most bytes.
func byteUnit(most int) (float64, string) {
	switch {
	case most >= 2<<20:
		return 1 << 20, "MiB"
	case most >= 2<<10:
		return 1 << 10, "KiB"
	}
	return 1, "B"
}

// steps is an area under a line that goes up and down in steps.
type steps struct {
	times, height []float64
	class         string
}

// Plot implements plot.Plotter.
func (s steps) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	var path vg.Path
	path.Move(vg.Point{X: trX(s.times[0]), Y: trY(0)})
	before := 0.0
	for i, height := range s.height {
		if height != before {
			path.Line(vg.Point{X: trX(s.times[i]), Y: trY(before)})
			path.Line(vg.Point{X: trX(s.times[i]), Y: trY(height)})
			before = height
		}
	}
	end := trX(s.times[len(s.times)-1])
	path.Line(vg.Point{X: end, Y: trY(before)})
	path.Line(vg.Point{X: end, Y: trY(0)})
	path.Close()
	c.SetColor(ink(s.class))
	c.Fill(path)
}
