package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// The measures of the plot of latency, in points.
const (
	spreadHeight = 9
	spreadPitch  = 17
)

// The limits of an axis of latencies, in seconds: a logarithmic one has no zero.
const (
	leastLatency = 1e-6
	mostLatency  = 1e4
)

// spread is how long the operations of one stage took through servers of one release.
type spread struct {
	Stage   string
	Role    term.Role
	Seconds plotter.Values
}

// label names the row, with its number of operations.
func (s spread) label() string {
	return fmt.Sprintf("%s, %s (%d)", s.Stage, s.Role, len(s.Seconds))
}

// spreads groups the answered operations, by stage in the plan's order, and by release.
func spreads(r view.Run) []spread {
	stages := map[int]int{}
	for i, stage := range r.Plan.Stages {
		for _, step := range stage.Steps {
			stages[step.Number] = i
		}
	}
	type cell struct {
		stage int
		role  term.Role
	}
	found := map[cell]plotter.Values{}
	for _, op := range r.Operations {
		stage, ok := stages[op.Step]
		if !ok || op.Purpose != history.Act || op.Exchange.Code == 0 {
			continue
		}
		at := cell{stage, op.Role}
		found[at] = append(found[at], min(max(op.Exchange.Seconds, leastLatency), mostLatency))
	}
	var all []spread
	for i, stage := range r.Plan.Stages {
		for _, e := range term.Roles() {
			if values := found[cell{i, e.Word}]; len(values) > 0 {
				all = append(all, spread{stage.Name, e.Word, values})
			}
		}
	}
	return all
}

// latencyFigure draws how long operations took, by stage and release.
func latencyFigure(r view.Run, _ clock) (Figure, error) {
	f := Figure{
		ID: "latency", Heading: "Latency of operations by stage and release",
		About: "From the request to the end of its answer; the operations themselves, without looks and tries, through servers of either release. In brackets: how many. A box holds the middle half, the stroke in it is the median, and the line reaches from the fastest to the slowest. Operations overlap, so servers were under load.",
		None:  "The history has no answered operation: there is nothing to draw.",
	}
	all := spreads(r)
	if len(all) == 0 {
		return f, nil
	}
	boxes := make([]*plotter.BoxPlot, len(all))
	for i, s := range all {
		var err error
		if boxes[i], err = spreadBox(s, rowAt(i, len(all))); err != nil {
			return f, err
		}
	}
	f.Gist = latencyGist(all, boxes)
	f.Table = latencyTable(all, boxes)
	for _, e := range term.Roles() {
		if slices.ContainsFunc(all, func(s spread) bool { return s.Role == e.Word }) {
			f.Key = append(f.Key, ColorKey{Class: "swatch plot-spread " + string(e.Word), Word: string(e.Word), Meaning: term.Roles().Meaning(e.Word)})
		}
	}
	return f.drawn(func(width vg.Length) (*plot.Plot, vg.Length, error) { return latencyPlot(width, all, boxes) })
}

// spreadBox draws one row. Its line reaches to the extremes: each of them is of interest,
// and hundreds of dots would be no plot.
func spreadBox(s spread, row float64) (*plotter.BoxPlot, error) {
	b, err := plotter.NewBoxPlot(spreadHeight, row, s.Seconds)
	if err != nil {
		return nil, fmt.Errorf("stage %q: %w", s.Stage, err)
	}
	b.Horizontal, b.Outside, b.AdjLow, b.AdjHigh = true, nil, b.Min, b.Max
	b.BoxStyle.Width = 0 // the page's style draws the border
	b.FillColor = ink("plot-spread " + string(s.Role))
	b.MedianStyle.Color = ink("plot-median")
	b.WhiskerStyle.Color, b.WhiskerStyle.Dashes = ink("plot-whisker"), nil
	b.CapWidth = spreadHeight / 2
	return b, nil
}

// latencyGist names the fastest operation, the slowest stage, and the slowest operation.
func latencyGist(all []spread, boxes []*plotter.BoxPlot) string {
	low, high, longest, n := 0, 0, 0, 0
	for i, b := range boxes {
		n += len(all[i].Seconds)
		if b.Median < boxes[low].Median {
			low = i
		}
		if b.Median > boxes[high].Median {
			high = i
		}
		if b.Max > boxes[longest].Max {
			longest = i
		}
	}
	where := func(i int) string {
		return fmt.Sprintf("stage %s, %s release", shownName(all[i].Stage), all[i].Role)
	}
	if len(all) == 1 {
		return fmt.Sprintf("%s took %s in the median and %s at most (%s).", view.Plural(n, "operation"), lasting(boxes[0].Median), lasting(boxes[0].Max), where(0))
	}
	return fmt.Sprintf("%s: their median by stage and release lies between %s (%s) and %s (%s); the slowest took %s (%s).", view.Plural(n, "operation"),
		lasting(boxes[low].Median), where(low), lasting(boxes[high].Median), where(high), lasting(boxes[longest].Max), where(longest))
}

// latencyTable is the same in numbers.
func latencyTable(all []spread, boxes []*plotter.BoxPlot) Table {
	g := Table{Texts: 2, Columns: []string{"Stage", "Release", "operations", "fastest", "a quarter within", "median", "three quarters within", "slowest"}}
	for i, b := range boxes {
		g.Rows = append(g.Rows, []string{all[i].Stage, string(all[i].Role), fmt.Sprint(len(all[i].Seconds)),
			lasting(b.Min), lasting(b.Quartile1), lasting(b.Median), lasting(b.Quartile3), lasting(b.Max)})
	}
	return g
}

// latencyPlot has a row for each stage and release.
func latencyPlot(width vg.Length, all []spread, boxes []*plotter.BoxPlot) (*plot.Plot, vg.Length, error) {
	p := emptyPlot()
	low, high := math.Inf(1), math.Inf(-1)
	names := make([]string, len(all))
	for i, b := range boxes {
		p.Add(logarithmic(*b))
		names[i] = all[i].label()
		low, high = min(low, b.Min), max(high, b.Max)
	}
	nameRows(p, width, names)
	p.X.Label.Text = "time to the answer, on a logarithmic scale"
	from, to := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high))
	to = max(to, from+1)
	p.X.Tick.Marker = decades(int(from), int(to))
	p.X.Min, p.X.Max = from, to
	return p, vg.Length(axisSpace + spreadPitch*len(all)), nil
}

// logarithmic is the box on an axis of powers of ten. It shows the logarithms of the
// quartiles, not the quartiles of logarithms.
func logarithmic(b plotter.BoxPlot) *plotter.BoxPlot {
	for _, x := range []*float64{&b.Min, &b.AdjLow, &b.Quartile1, &b.Median, &b.Quartile3, &b.AdjHigh, &b.Max} {
		*x = math.Log10(*x)
	}
	return &b
}

// decades marks an axis of powers of ten, in seconds, and nine parts of each.
func decades(from, to int) plot.ConstantTicks {
	names := map[int]string{-6: "1 µs", -5: "10 µs", -4: "0.1 ms", -3: "1 ms", -2: "10 ms", -1: "0.1 s", 0: "1 s", 1: "10 s", 2: "100 s", 3: "1000 s", 4: "10000 s"}
	var ticks plot.ConstantTicks
	for power := from; power <= to; power++ {
		ticks = append(ticks, plot.Tick{Value: float64(power), Label: names[power]})
		for times := 2; power < to && times < 10; times++ {
			ticks = append(ticks, plot.Tick{Value: float64(power) + math.Log10(float64(times))})
		}
	}
	return ticks
}
