package plots

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
)

// The widths of plots, in points: for desktop screens, and for phones. The page's style
// shows one of them.
const (
	wideWidth   vg.Length = 640
	narrowWidth vg.Length = 330
)

// Figure is one plot of the page, with the same numbers as a table.
type Figure struct {
	ID      string // its anchor is plot-ID
	Heading string
	About   string // what is counted, and how
	// Gist is a sentence that sums up the plot. It is empty if there is nothing to draw;
	// then None says why.
	Gist, None   string
	Wide, Narrow template.HTML
	Key          []ColorKey
	Stages       []string // the names of the numbers on the axis
	Table        Table
}

// ColorKey is the meaning of one of a plot's colours.
type ColorKey struct{ Class, Word, Meaning string }

// Table is a table with texts, then numbers, in each row.
type Table struct {
	Texts   int // how many of the columns hold text
	Columns []string
	Rows    [][]string
}

// sketch draws a plot for a width, and returns its height.
type sketch func(width vg.Length) (*plot.Plot, vg.Length, error)

// Draw draws every plot of the page.
func Draw(r view.Run) ([]Figure, error) {
	c := clockOf(r)
	var figures []Figure
	for _, draw := range []func(view.Run, clock) (Figure, error){survivalFigure, timeFigure} {
		f, err := draw(r, c)
		if err != nil {
			return nil, fmt.Errorf("plots: %s: %w", f.ID, err)
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// drawn returns the figure with its plot in both widths.
func (f Figure) drawn(lay sketch) (Figure, error) {
	var err error
	if f.Wide, err = lay.svg(wideWidth, f.Gist); err != nil {
		return f, err
	}
	f.Narrow, err = lay.svg(narrowWidth, f.Gist)
	return f, err
}

// svg draws the plot in a width. Colours are placeholders for CSS classes, so that the
// page's style, dark or light, decides.
func (lay sketch) svg(width vg.Length, title string) (template.HTML, error) {
	p, height, err := lay(width)
	if err != nil {
		return "", err
	}
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var drawn bytes.Buffer
	if _, err := canvas.WriteTo(&drawn); err != nil {
		return "", fmt.Errorf("draw: %w", err)
	}
	return inlineSVG(drawn.Bytes(), title)
}

// emptyPlot is a plot without data, with the page's font and on its background.
func emptyPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, f := range []*font.Font{&p.X.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Label.TextStyle.Font, &p.Y.Tick.Label.Font} {
		*f = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}
	}
	p.X.Label.Padding, p.Y.Label.Padding = 3, 3
	p.X.Tick.Length = 5
	return p
}

// nameRows names the rows of a plot, the first at the top. Row i is at rowAt(i, len(names))
// of the y axis.
func nameRows(p *plot.Plot, width vg.Length, names []string) {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: rowAt(i, len(names)), Label: fitting(p.Y.Tick.Label, name, width*2/5)}
	}
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 4
}

// rowAt returns the position of row i of n: the axis counts upwards.
func rowAt(i, n int) float64 { return float64(n - 1 - i) }

// fitting shortens a name to a width. The table under the plot has the whole name.
func fitting(style text.Style, name string, most vg.Length) string {
	runes := []rune(shownName(name))
	if len(runes) > 60 {
		runes = append(runes[:60], '…') // measuring a name of megabytes would take long
	}
	for len(runes) > 2 && style.Width(string(runes)) > most {
		runes = append(runes[:len(runes)-2], '…')
	}
	return string(runes)
}

// shownName returns a name as a drawing can hold it: XML allows two characters fewer than
// other formats.
func shownName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, term.Visible(name))
}

// lasting formats a duration with its significant digits.
func lasting(s float64) string {
	switch {
	case s <= 0:
		return "0 s"
	case s < 0.001:
		return fmt.Sprintf("%.2f ms", 1000*s)
	case s < 0.00995:
		return fmt.Sprintf("%.1f ms", 1000*s)
	case s < 0.9995:
		return fmt.Sprintf("%.0f ms", 1000*s)
	}
	return view.Seconds(s)
}

// percent formats a share. It rounds a non-zero share never to nothing, and an incomplete
// one never to all.
func percent(share float64) string {
	rounded := math.Round(100 * share)
	switch {
	case share > 0 && rounded == 0:
		return "<1 %"
	case share < 1 && rounded == 100:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", rounded)
}
