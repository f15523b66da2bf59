package plots

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
)

// The measures of the plot of survival, in points.
const (
	barPitch   = 28
	densePitch = 19 // of many bars
	manyBars   = 10 // more than this are many
	axisSpace  = 44

	besideRoom vg.Length = 38 // for text beside a bar
)

// leastLabelled is the width of a part of a bar, in points, that has room for its shape.
const leastLabelled = 13

// survivalFigure draws, for each stage, which share of the acknowledged values the replicas
// served in which state.
func survivalFigure(r view.Run, _ clock) (Figure, error) {
	f := Figure{
		ID: "survival", Heading: "How acknowledged values ended",
		About: "As each live replica served them when the stage ended; a value counts once for each replica. Beside each bar: the share of the worst state in it.",
		None:  "No acknowledged value was read at the end of a stage: there is nothing to draw.",
	}
	var tallies []tally
	for _, t := range survival(r) {
		if t.Total > 0 {
			tallies = append(tallies, t)
		}
	}
	states := seen(tallies)
	if len(states) == 0 {
		return f, nil
	}
	f.Gist = survivalGist(tallies)
	f.Table = survivalTable(tallies, states)
	for _, s := range states {
		f.Key = append(f.Key, ColorKey{Class: "state " + string(s), Word: string(s), Meaning: term.RunOutcomes().Meaning(s)})
	}
	return f.drawn(func(width vg.Length) (*plot.Plot, vg.Length, error) { return survivalPlot(width, tallies, states) })
}

// survivalGist says how the values ended, and where the fewest were kept.
func survivalGist(tallies []tally) string {
	last, least := tallies[len(tallies)-1], tallies[0]
	for _, t := range tallies {
		if t.share(term.Kept) < least.share(term.Kept) {
			least = t
		}
	}
	told := fmt.Sprintf("Of the acknowledged values, %s were kept when the last stage (%s) ended", percent(last.share(term.Kept)), shownName(last.Stage))
	switch {
	case least.share(term.Kept) == last.share(term.Kept):
		return told + "; no stage ended with fewer."
	case percent(least.share(term.Kept)) == percent(last.share(term.Kept)):
		return told + "; no stage ended with far fewer."
	}
	return fmt.Sprintf("%s; the fewest, %s, when stage %s ended.", told, percent(least.share(term.Kept)), shownName(least.Stage))
}

// survivalTable is the same in numbers.
func survivalTable(tallies []tally, states []term.Outcome) Table {
	g := Table{Texts: 1, Columns: []string{"Stage"}}
	for _, s := range states {
		g.Columns = append(g.Columns, string(s))
	}
	g.Columns = append(g.Columns, "values")
	for _, t := range tallies {
		row := []string{t.Stage}
		for _, s := range states {
			row = append(row, fmt.Sprintf("%s (%d)", percent(t.share(s)), t.Count[s]))
		}
		g.Rows = append(g.Rows, append(row, fmt.Sprint(t.Total)))
	}
	return g
}

// survivalPlot has a bar for each stage, from top to bottom.
func survivalPlot(width vg.Length, tallies []tally, states []term.Outcome) (*plot.Plot, vg.Length, error) {
	p := emptyPlot()
	p.X.Label.Text = "share of acknowledged values, %"
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}
	if err := addBars(p, tallies, states, width); err != nil {
		return nil, 0, err
	}
	names := make([]string, len(tallies))
	for i, t := range tallies {
		names[i] = t.Stage
	}
	nameRows(p, width, names)
	p.X.Min, p.X.Max = 0, 100*float64(1+besideRoom/(width/2))
	return p, axisSpace + pitchOf(len(tallies))*vg.Length(len(tallies)), nil
}

// pitchOf returns the distance between bars.
func pitchOf(bars int) vg.Length {
	if bars > manyBars {
		return densePitch
	}
	return barPitch
}

// addBars stacks a bar for each state upon those before it.
func addBars(p *plot.Plot, tallies []tally, states []term.Outcome, width vg.Length) error {
	var below *plotter.BarChart
	for i, s := range states {
		bar, err := plotter.NewBarChart(shares(tallies, s), pitchOf(len(tallies))*2/3)
		if err != nil {
			return fmt.Errorf("bar of %s: %w", s, err)
		}
		bar.Horizontal, bar.Color, bar.LineStyle.Width = true, ink("bar "+string(s)), 0
		if i > 0 {
			bar.StackOn(below)
		}
		below = bar
		p.Add(bar)
	}
	// Bars take half of the width and more.
	labels, err := barLabels(tallies, states, leastLabelled/float64(width/2))
	if err != nil {
		return err
	}
	beside, err := besideBars(tallies)
	if err != nil {
		return err
	}
	p.Add(labels, beside)
	return nil
}

// shares returns one state's share of each stage, in percent, the last stage first as the
// axis counts upwards.
func shares(tallies []tally, s term.Outcome) plotter.Values {
	values := make(plotter.Values, len(tallies))
	for i, t := range tallies {
		values[len(tallies)-1-i] = 100 * t.share(s)
	}
	return values
}

// barLabels writes each part's shape into it, unless its share is less than least, so that
// no reader needs to distinguish colours.
func barLabels(tallies []tally, states []term.Outcome, least float64) (*plotter.Labels, error) {
	var at plotter.XYLabels
	for i, t := range tallies {
		from := 0.0
		for _, s := range states {
			share := t.share(s)
			if share >= least {
				at.XYs = append(at.XYs, plotter.XY{X: 100 * (from + share/2), Y: rowAt(i, len(tallies))})
				at.Labels = append(at.Labels, view.Shape(s))
			}
			from += share
		}
	}
	return labelled(at, draw.XCenter, "on-bar")
}

// besideBars writes beside each bar the share of its worst state: a part that is too small
// for a label is often the important one.
func besideBars(tallies []tally) (*plotter.Labels, error) {
	var at plotter.XYLabels
	for i, t := range tallies {
		if worst := seen([]tally{t}); worst[len(worst)-1] != term.Kept {
			s := worst[len(worst)-1]
			at.XYs = append(at.XYs, plotter.XY{X: 101.5, Y: rowAt(i, len(tallies))})
			at.Labels = append(at.Labels, view.Shape(s)+" "+percent(t.share(s)))
		}
	}
	return labelled(at, draw.XLeft, "plot-beside")
}

// labelled returns texts in the plot's font.
func labelled(at plotter.XYLabels, align draw.XAlignment, class string) (*plotter.Labels, error) {
	labels, err := plotter.NewLabels(at)
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Font.Typeface, style.Font.Variant, style.Font.Size = "Liberation", "Sans", 11
		style.XAlign, style.YAlign = align, draw.YCenter
		style.Color = ink(class)
	}
	return labels, nil
}
