package reports

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/skewsim/skewsim/sim/term"
)

// The plot's measures, in points. Its height follows the number of stages.
const (
	plotWidth = 640
	barHeight = 20
	barPitch  = 30
	axisSpace = 52
)

// leastLabelled is the share below which a part of a bar has no room for its shape.
const leastLabelled = 0.025

// survivalPlot draws, for each stage, which share of the acknowledged values
// the replicas served in which state. It returns "" where there is nothing to
// draw. Colours are placeholders that become CSS classes, so that the page's
// style, dark or light, decides.
func survivalPlot(tallies []tally) (template.HTML, error) {
	states := seen(tallies)
	if len(states) == 0 {
		return "", nil
	}
	p := emptyPlot(tallies)
	if err := addBars(p, tallies, states); err != nil {
		return "", err
	}
	height := vg.Length(axisSpace + barPitch*len(tallies))
	canvas := vgsvg.New(plotWidth, height)
	p.Draw(draw.New(canvas))
	var drawn bytes.Buffer
	if _, err := canvas.WriteTo(&drawn); err != nil {
		return "", fmt.Errorf("plot of survival: draw: %w", err)
	}
	return inlineSVG(drawn.Bytes(), survivalTitle(tallies))
}

// survivalTitle is what a reader who does not see the plot is told; the same
// numbers follow it as a table.
func survivalTitle(tallies []tally) string {
	last := tallies[len(tallies)-1]
	return fmt.Sprintf("Share of acknowledged values by state, for each of %d stages; %.0f %% kept at the end",
		len(tallies), 100*last.share(term.Kept))
}

// emptyPlot is the plot with its axes: stages from top to bottom.
func emptyPlot(tallies []tally) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the page's own
	p.X.Min, p.X.Max = 0, 100
	p.X.Label.Text = "share of acknowledged values, %"
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}
	names := make([]string, len(tallies))
	for i, t := range tallies {
		names[len(tallies)-1-i] = visible(t.Stage)
	}
	p.NominalY(names...)
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font} {
		f.Typeface, f.Variant, f.Size = "Liberation", "Sans", 11
	}
	return p
}

// addBars stacks a bar for each state upon those before it.
func addBars(p *plot.Plot, tallies []tally, states []term.State) error {
	var below *plotter.BarChart
	for i, s := range states {
		bar, err := plotter.NewBarChart(shares(tallies, s), barHeight)
		if err != nil {
			return fmt.Errorf("plot of survival: bar of %s: %w", s, err)
		}
		bar.Horizontal, bar.Color, bar.LineStyle.Width = true, placeholder(s), 0
		if i > 0 {
			bar.StackOn(below)
		}
		below = bar
		p.Add(bar)
	}
	labels, err := barLabels(tallies, states)
	if err != nil {
		return err
	}
	p.Add(labels)
	return nil
}

// shares is one state's share of each stage, in percent, the last stage first
// as the axis counts upwards.
func shares(tallies []tally, s term.State) plotter.Values {
	values := make(plotter.Values, len(tallies))
	for i, t := range tallies {
		values[len(tallies)-1-i] = 100 * t.share(s)
	}
	return values
}

// barLabels writes each part's shape into it, so that no one has to tell
// colours apart.
func barLabels(tallies []tally, states []term.State) (*plotter.Labels, error) {
	var at plotter.XYLabels
	for i, t := range tallies {
		from := 0.0
		for _, s := range states {
			share := t.share(s)
			if share >= leastLabelled {
				at.XYs = append(at.XYs, plotter.XY{X: 100 * (from + share/2), Y: float64(len(tallies) - 1 - i)})
				at.Labels = append(at.Labels, shape(s))
			}
			from += share
		}
	}
	labels, err := plotter.NewLabels(at)
	if err != nil {
		return nil, fmt.Errorf("plot of survival: labels: %w", err)
	}
	for i := range labels.TextStyle {
		style := &labels.TextStyle[i]
		style.Font.Typeface, style.Font.Variant, style.Font.Size = "Liberation", "Sans", 11
		style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
		style.Color = onBar
	}
	return labels, nil
}

// onBar marks text that lies on a bar.
var onBar = color.RGBA{R: 0xff, B: 0xff, A: 0xff}

// placeholder is the colour that stands for a state until the SVG is inlined:
// its place in the list of states.
func placeholder(s term.State) color.RGBA {
	for i, e := range term.States() {
		if e.Word == s {
			return color.RGBA{R: 0x10, G: 0x20, B: uint8(i + 1), A: 0xff}
		}
	}
	return color.RGBA{R: 0x10, G: 0x20, A: 0xff}
}
