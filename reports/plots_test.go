package reports_test

import (
	"fmt"
	"html/template"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// plotted is a plot of the page, as a reader has it.
type plotted struct {
	drawn []string // the text of each drawing, by its elements
	title string
	rows  []string // the table, its cells joined by |
	text  string   // all
}

// plotsOf reads the plots of a page, by what follows plot- in their anchors.
func plotsOf(t *testing.T, page string) map[string]*plotted {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	plots := map[string]*plotted{}
	var now *plotted
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "h3" && strings.HasPrefix(attribute(n, "id"), "plot-"):
			now = &plotted{}
			plots[strings.TrimPrefix(attribute(n, "id"), "plot-")] = now
		case now == nil:
		case n.Data == "svg":
			now.drawn = append(now.drawn, words(n))
			now.title = attribute(n, "aria-label")
			assert.Equal(t, "img", attribute(n, "role"))
		case n.Data == "tr":
			now.rows = append(now.rows, words(n))
		case n.Data == "p":
			now.text += words(n)
		case n.Data == "section":
			now = nil
		}
	}
	return plots
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// words joins the texts of an element.
func words(n *html.Node) string {
	var all []string
	for c := range n.Descendants() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			all = append(all, strings.TrimSpace(c.Data))
		}
	}
	return strings.Join(all, "|")
}

func plotOf(t *testing.T, r reports.Run, id string) *plotted {
	t.Helper()
	plots := plotsOf(t, write(t, "report.html", r))
	require.Contains(t, plots, id)
	return plots[id]
}

func TestTimeIsToldByPart(t *testing.T) {
	r := journeyOf(2)
	r.Servers = []history.Server{{At: 2, Step: 1, Event: history.Ready, Seconds: 1.5}, {At: 3, Step: 1, Event: history.Ready, Seconds: 1.5}, {At: 9, Step: 2, Event: history.Stopped, Seconds: 1},
		{At: 4, Step: 1, Event: history.Serving}}
	r.Operations = []history.Operation{{At: 4, Step: 1, Purpose: history.Act, Exchange: history.Exchange{Code: 200, Seconds: 2}},
		{At: 6, Step: 2, Purpose: history.Try, Exchange: history.Exchange{Code: 200, Seconds: 0.5}}}
	r.Listings = nil
	p := plotOf(t, r, "time")
	assert.Equal(t, []string{
		"Stage|took|server starts|alone|server stops|alone|operations|alone|looks|alone|none of these",
		"before the first stage|1.00 s|500 ms|500 ms|0 s|0 s|0 s|0 s|0 s|0 s|500 ms",
		"1 re-upgrading 1/2|4.00 s|2.00 s|1.00 s|0 s|0 s|2.00 s|1.00 s|0 s|0 s|1.00 s",
		"2 re-upgrading 2/2|4.00 s|0 s|0 s|1.00 s|1.00 s|0 s|0 s|500 ms|500 ms|2.50 s",
		"in all|9.00 s|2.50 s|1.50 s|1.00 s|1.00 s|2.00 s|1.00 s|500 ms|500 ms|4.00 s",
	}, p.rows)
	assert.Equal(t, "Of 9.00 s, the run was busy with server starts for 2.50 s (alone for 1.50 s), server stops for 1.00 s (alone for 1.00 s), "+
		"operations for 2.00 s (alone for 1.00 s), looks for 500 ms (alone for 500 ms), and with none of these for 4.00 s.", p.title)
	assert.NotContains(t, p.drawn[0], "trials")

	r.Trials = []history.Trial{{At: 8.75, Seconds: 0.25}}
	p = plotOf(t, r, "time")
	assert.Contains(t, p.drawn[0], "trials")
	assert.Contains(t, p.title, "trials for 250 ms (never alone)")
}

func TestSurvivalNeverRoundsALossAway(t *testing.T) {
	r := journeyOf(1)
	for i := range 400 {
		state := term.Kept
		if i == 0 {
			state = term.Lost
		}
		r.Ledger.Copies = append(r.Ledger.Copies, result.CopyLedger{Copy: fmt.Sprint(i), Fields: []result.Field{{Path: ".a", Step: 1}},
			Rows: []result.Row{{Step: 1, Stage: "re-upgrading 1/1", Views: []result.View{{Replica: "a", Outcomes: map[string]term.Outcome{".a": state}}}}}})
	}
	p := plotOf(t, r, "survival")
	assert.Equal(t, []string{"Stage|kept|lost|values", "re-upgrading 1/1|>99 % (399)|<1 % (1)|400"}, p.rows)
	assert.Contains(t, p.drawn[0], "✗ <1 %")
	assert.Contains(t, p.title, ">99 % were kept when the last stage (re-upgrading 1/1) ended; no stage ended with fewer.")

	r.Ledger.Copies = r.Ledger.Copies[1:]
	p = plotOf(t, r, "survival")
	assert.Equal(t, "re-upgrading 1/1|100 % (399)|399", p.rows[1])
	assert.NotContains(t, p.drawn[0], "✗")
}

func TestPlotsAreDrawnOfData(t *testing.T) {
	t.Parallel()
	full := fixedRun(0)
	assert.Len(t, plotsOf(t, write(t, "report.html", full)), 2)
	for id, without := range map[string]func(*reports.Run){
		"survival": func(r *reports.Run) { r.Ledger = result.Ledger{} },
		"time":     func(r *reports.Run) { r.Stages = nil },
	} {
		assert.Len(t, plotOf(t, full, id).drawn, 2, "%s: in two widths", id)
		less := full
		without(&less)
		p := plotOf(t, less, id)
		assert.Empty(t, p.drawn, id)
		assert.Empty(t, p.rows, id)
		assert.Contains(t, p.text, "there is nothing to draw", id)
	}
}

func TestPlotsAreTheSameEachTime(t *testing.T) {
	assert.Equal(t, write(t, "report.html", journeyOf(9)), write(t, "report.html", journeyOf(9)))
}

// What a damaged history says of times does not break the page.
func TestPlotsOfOddTimes(t *testing.T) {
	for name, odd := range map[string]float64{"negative": -1, "huge": 1e300, "nothing": 0} {
		r := journeyOf(3)
		r.Result.Timing.Total = max(r.Result.Timing.Total, odd)
		for i := range r.Operations {
			r.Operations[i].At, r.Operations[i].Exchange.Seconds = odd, odd
		}
		for i := range r.Stages {
			r.Stages[i].At = odd
			r.Servers[i].At, r.Servers[i].Seconds = odd, odd
		}
		for id, p := range plotsOf(t, write(t, "report.html", r)) {
			for _, drawing := range p.drawn {
				assert.NotRegexp(t, `NaN|Inf`, drawing, "%s: %s", name, id)
			}
		}
	}
}

var drawings = regexp.MustCompile(`(?s)<svg role="img".*?</svg>`)

func TestPlotsOfHostileStages(t *testing.T) {
	r := fixedRun(0)
	r.Plan.Stages = slices.Clone(r.Plan.Stages)
	names := []string{hostile, "\ufffe\uffff\x00\xff" + hostile, strings.Repeat("long ", 2000), ""}
	for i, name := range names {
		r.Plan.Stages[i].Name = name
		r.Stages[i].Name = name
		for j := range r.Ledger.Copies {
			for k := range r.Ledger.Copies[j].Rows {
				if row := &r.Ledger.Copies[j].Rows[k]; row.Stage == stageNames[i] {
					row.Stage = name
				}
			}
		}
	}
	drawn := drawings.FindAllString(write(t, "report.html", r), -1)
	require.Len(t, drawn, 4)
	for _, svg := range drawn {
		root, err := html.Parse(strings.NewReader(svg))
		require.NoError(t, err)
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			assert.Contains(t, []string{"html", "head", "body", "svg", "g", "path", "text"}, n.Data)
			for _, a := range n.Attr {
				assert.Contains(t, []string{"role", "aria-label", "viewbox", "d", "x", "y", "transform", "class"}, strings.ToLower(a.Key))
			}
		}
		assert.NotRegexp(t, `[\x00-\x08\x0b-\x1f\x{202a}-\x{202e}\x{fffe}\x{ffff}]`, svg)
	}
	assert.Contains(t, drawn[0], template.HTMLEscapeString(`</script>`), "it is shown, as text")
}

// A long run through many stages, each of whose seconds is full of requests.
func TestPlotsStaySmall(t *testing.T) {
	t.Parallel()
	const most = 40_000
	r := journeyOf(30)
	const requests, bursts = 60_000, 170
	for i := range requests {
		burst := r.Result.Timing.Total * (float64(i%bursts) + float64(i)/requests/3) / bursts
		r.Operations = append(r.Operations, history.Operation{At: burst, Step: 1 + i%30, Copy: r.Plan.Copies[i%2].Name, Role: term.Roles()[i%2].Word,
			Purpose:  []history.Purpose{history.Act, history.Look}[2*i/requests],
			Exchange: history.Exchange{Method: "PUT", Code: 200, Revision: int64(1000 + i), Seconds: 1e-5 * float64(i%7)}})
	}
	drawn := drawings.FindAllString(write(t, "report.html", r), -1)
	require.Len(t, drawn, 2)
	for i, svg := range drawn {
		t.Logf("plot %d: %d bytes", i, len(svg))
		assert.Less(t, len(svg), most, svg[:200])
	}
}

// Every class of a drawing has a rule in the page's style.
func TestPlotsAreStyled(t *testing.T) {
	css, err := os.ReadFile("page/assets/plots.css")
	require.NoError(t, err)
	classes := map[string]bool{}
	for _, svg := range drawings.FindAllString(write(t, "report.html", fixedRun(0)), -1) {
		assert.NotContains(t, svg, "#10", "no colour of its own")
		for _, m := range regexp.MustCompile(`class="([a-z-]+)`).FindAllStringSubmatch(svg, -1) {
			classes[m[1]] = true
		}
	}
	assert.Greater(t, len(classes), 6)
	for class := range classes {
		assert.Contains(t, string(css), ".plot svg ."+class, class)
	}
}
