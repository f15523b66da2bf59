package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skewsim/skewsim/reports/view"
)

// longestRun is the longest run that is drawn, in seconds: what a damaged history says
// beyond it is not.
const longestRun = 1e7

// clock is a run's time: its periods, in order and without gaps. It is empty if no stage
// began.
type clock struct {
	Total   float64  // seconds
	Periods []period // the first is before the first stage, and the others are the stages
}

// period is a part of a run's time, in seconds since the run began.
type period struct {
	Name     string
	From, To float64
}

// clockOf reads the run's time from the history's stages.
func clockOf(r view.Run) clock {
	c := clock{Total: r.Result.Timing.Total}
	if len(r.Stages) == 0 || c.Total <= 0 || c.Total > longestRun {
		return clock{}
	}
	c.Periods = []period{{Name: "before the first stage"}}
	for _, stage := range r.Stages {
		last := &c.Periods[len(c.Periods)-1]
		last.To = min(max(stage.At, last.From), c.Total)
		c.Periods = append(c.Periods, period{Name: stage.Name, From: last.To})
	}
	c.Periods[len(c.Periods)-1].To = c.Total
	return c
}

// names returns those of the periods.
func (c clock) names() []string {
	names := make([]string, len(c.Periods))
	for i, p := range c.Periods {
		names[i] = p.Name
	}
	return names
}

// hold makes the clock a plot's x axis: alternate stages are shaded, and numbered if there
// is room.
func (c clock) hold(p *plot.Plot) {
	p.X.Label.Text = "time since the run began, s"
	p.Add(stageBands{clock: c, style: p.X.Tick.Label})
	p.X.Min, p.X.Max = 0, c.Total
	p.X.Padding = 0
	p.X.Tick.Marker = plainTicks{}
}

// plainTicks marks an axis at round numbers, without zeros behind the point.
type plainTicks struct{}

// Ticks implements plot.Ticker.
func (plainTicks) Ticks(least, most float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(least, most)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', 6, 64)
		}
	}
	return ticks
}

// numbersHeight is the height of the numbers of stages above a plot's data, in points.
const numbersHeight = 16

// stageBands shades every other stage, and numbers them.
type stageBands struct {
	clock clock
	style text.Style
}

// Plot implements plot.Plotter.
func (b stageBands) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	var shaded vg.Path
	for i, at := range b.clock.Periods {
		if i%2 == 1 {
			shaded = append(shaded, box(trX(at.From), c.Min.Y, trX(at.To), c.Max.Y)...)
		}
	}
	c.SetColor(ink("plot-band"))
	c.Fill(shaded)
	b.style.XAlign, b.style.YAlign, b.style.Color = draw.XCenter, draw.YTop, ink("plot-number")
	free := c.Min.X
	for i, at := range b.clock.Periods {
		middle := (trX(at.From) + trX(at.To)) / 2
		number := fmt.Sprint(i)
		half := b.style.Width(number)/2 + 2
		if i > 0 && middle-half >= free && middle+half <= c.Max.X {
			c.FillText(b.style, vg.Point{X: middle, Y: c.Max.Y - 2}, number)
			free = middle + half
		}
	}
}

// box returns a rectangle as a path.
func box(left, bottom, right, top vg.Length) vg.Path {
	var path vg.Path
	path.Move(vg.Point{X: left, Y: bottom})
	path.Line(vg.Point{X: right, Y: bottom})
	path.Line(vg.Point{X: right, Y: top})
	path.Line(vg.Point{X: left, Y: top})
	path.Close()
	return path
}

// within reports whether a time is within the run.
func (c clock) within(seconds float64) bool {
	return seconds >= 0 && seconds <= c.Total && !math.IsNaN(seconds)
}
