package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/skewsim/skewsim/reports/view"
)

// The measures of the plot of time, in points.
const (
	partPitch = 26
	nearest   = 2   // bars nearer than this are drawn as one
	thinnest  = 0.8 // no bar is drawn thinner
)

// timeFigure draws the activities of the run over its time.
func timeFigure(r view.Run, c clock) (Figure, error) {
	f := Figure{
		ID: "time", Heading: "Where the run's time went",
		About: "When anything of each part was under way. Parts overlap; a full bar marks when a part was alone, so that the run waited for nothing else.",
		None:  "The history has no stage that began: there is nothing to draw.",
	}
	parts := partsOf(r, c)
	if len(c.Periods) == 0 || len(parts) == 0 {
		return f, nil
	}
	idle := spend(parts, c)
	f.Gist = timeGist(parts, idle, c)
	f.Table = timeTable(parts, idle, c)
	f.Key = []ColorKey{
		{"swatch plot-shared", "beside others", "a low, light bar: other parts were under way too"},
		{"swatch plot-alone", "alone", "a full, dark bar: no other part was under way"},
	}
	f.Stages = c.names()[1:]
	return f.drawn(func(width vg.Length) (*plot.Plot, vg.Length, error) {
		return timePlot(width, parts, c), vg.Length(axisSpace + numbersHeight + partPitch*len(parts)), nil
	})
}

// timeGist says how long each part took.
func timeGist(parts []part, idle []float64, c clock) string {
	var told []string
	for _, p := range parts {
		t := p.total()
		alone := "never alone"
		if t.Alone > 0 {
			alone = "alone for " + lasting(t.Alone)
		}
		told = append(told, fmt.Sprintf("%s for %s (%s)", p.Word, lasting(t.Busy), alone))
	}
	none := 0.0
	for _, s := range idle {
		none += s
	}
	return fmt.Sprintf("Of %s, the run was busy with %s, and with none of these for %s.", lasting(c.Total), strings.Join(told, ", "), lasting(none))
}

// timeTable is the same in numbers, by stage.
func timeTable(parts []part, idle []float64, c clock) Table {
	g := Table{Texts: 1, Columns: []string{"Stage", "took"}}
	for _, p := range parts {
		g.Columns = append(g.Columns, p.Word, "alone")
	}
	g.Columns = append(g.Columns, "none of these")
	all := []string{"in all", lasting(c.Total)}
	none := 0.0
	for i, at := range c.Periods {
		row := []string{numbered(i, at.Name), lasting(at.To - at.From)}
		for _, p := range parts {
			row = append(row, lasting(p.ByPeriod[i].Busy), lasting(p.ByPeriod[i].Alone))
		}
		g.Rows = append(g.Rows, append(row, lasting(idle[i])))
		none += idle[i]
	}
	for _, p := range parts {
		all = append(all, lasting(p.total().Busy), lasting(p.total().Alone))
	}
	g.Rows = append(g.Rows, append(all, lasting(none)))
	return g
}

// timePlot has a row for each part.
func timePlot(width vg.Length, parts []part, c clock) *plot.Plot {
	p := emptyPlot()
	c.hold(p)
	names := make([]string, len(parts))
	for i, at := range parts {
		names[i] = at.Word
		p.Add(strokes{at.Busy, rowAt(i, len(parts)), "plot-shared"}, strokes{at.Alone, rowAt(i, len(parts)), "plot-alone"})
	}
	nameRows(p, width, names)
	p.Y.Max += float64(numbersHeight) / partPitch
	p.X.Min, p.X.Max = 0, c.Total
	return p
}

// strokes are bars in one row, drawn as strokes whose width the page's style sets.
type strokes struct {
	at    []stretch
	row   float64
	class string
}

// Plot implements plot.Plotter.
func (s strokes) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	y := trY(s.row)
	var path vg.Path
	var from, to vg.Length
	for i, at := range s.at {
		left, right := trX(at.From), max(trX(at.To), trX(at.From)+thinnest)
		if i > 0 && left-to < nearest {
			to = max(to, right)
			continue
		}
		path = stroked(path, from, to, y)
		from, to = left, right
	}
	path = stroked(path, from, to, y)
	c.SetColor(ink(s.class))
	c.SetLineWidth(1)
	c.SetLineDash(nil, 0)
	c.Stroke(path)
}

// stroked adds a bar to the path.
func stroked(path vg.Path, from, to, y vg.Length) vg.Path {
	if to > from {
		path.Move(vg.Point{X: from, Y: y})
		path.Line(vg.Point{X: to, Y: y})
	}
	return path
}

// numbered returns a period's name behind its number on an axis.
func numbered(i int, name string) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%d %s", i, name)
}
