package reports_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// page is report.html, parsed.
func page(t *testing.T, r reports.Run) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(write(t, "report.html", r)))
	require.NoError(t, err)
	return root
}

// all finds the elements below a node that have every one of the classes, or
// the name, that are given: "rect.server.old".
func all(root *html.Node, selector string) (found []*html.Node) {
	name, classes, _ := strings.Cut(selector, ".")
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || name != "" && n.Data != name {
			continue
		}
		has := strings.Fields(value(n, "class"))
		if classes == "" || !slices.ContainsFunc(strings.Split(classes, "."), func(c string) bool { return !slices.Contains(has, c) }) {
			found = append(found, n)
		}
	}
	return found
}

// value is that of an attribute.
func value(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if strings.EqualFold(a.Key, name) {
			return a.Val
		}
	}
	return ""
}

// pixels is an attribute that is a number.
func pixels(t *testing.T, n *html.Node, name string) int {
	t.Helper()
	i, err := strconv.Atoi(value(n, name))
	require.NoError(t, err, "%s of <%s>", name, n.Data)
	return i
}

// textOf is the text of a node, titles apart.
func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "title" {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func textsOf(nodes []*html.Node) (texts []string) {
	for _, n := range nodes {
		texts = append(texts, textOf(n))
	}
	return texts
}

// Each fault is drawn with its sign and its words, is described to readers who do not see
// the drawing, and stands in the table; a run without it has none of these.
func TestFaultsAreDrawn(t *testing.T) {
	good := rolled(2, 3)
	for name, c := range map[string]struct {
		event history.Server
		class string
		words string
	}{
		"died":        {history.Server{Step: 21, Event: history.Died, Message: "exit status 1"}, "died", "died"},
		"killed":      {history.Server{Step: 21, Event: history.Died, Killed: true}, "died", "killed by another"},
		"unready":     {history.Server{Step: 21, Event: history.Unready}, "died", "not ready in time"},
		"tripped":     {history.Server{Step: 1, Event: history.Tripped}, "stumbled", "tripped, started again"},
		"ended early": {history.Server{Step: 21, Event: history.EndedEarly}, "stumbled", "ended early, started again"},
		"settles":     {history.Server{Step: 21, Event: history.Ready, Seconds: 9, Lacks: "the caches", Settles: true}, "stumbled", "ready 9.00 s, but waits a minute for the caches"},
		"lacks":       {history.Server{Step: 21, Event: history.Ready, Seconds: 9, Lacks: "the caches"}, "stumbled", "ready 9.00 s, but lacks the caches"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.event.Replica = r.Plan.Replicas[0]
			if c.event.Step == 21 {
				c.event.Replica = r.Plan.Replicas[1]
			}
			r.Servers = append(slices.Clone(good.Servers), c.event)
			root := page(t, r)
			require.Len(t, all(root, "g.fault"), 1)
			assert.Len(t, all(root, "g.fault."+c.class), 1)
			assert.Contains(t, strings.Join(textsOf(all(root, "text.note."+c.class)), "|"), c.words)
			assert.Contains(t, value(all(root, "svg.lanes")[0], "aria-label"), c.words)
			assert.Contains(t, textOf(all(root, "td.faulty")[0]), c.words)
		})
	}
	root := page(t, good)
	assert.Empty(t, all(root, "g.fault"))
	assert.Empty(t, all(root, "td.faulty"))
	assert.Contains(t, value(all(root, "svg.lanes")[0], "aria-label"), "No server failed")
}

// A bar ends where its server died, or where the run was last seen.
func TestWhatWasNotPlayedIsNotFilled(t *testing.T) {
	gone := func(r reports.Run) int { return len(all(page(t, r), "rect.server.gone")) }
	r := rolled(2, 1)
	require.Zero(t, gone(r), "all was played")
	r.Servers = append(r.Servers, history.Server{Step: 11, Replica: "a", Event: history.Died})
	r.Ledger.Copies[0].Rows[0].Step = 25
	assert.Equal(t, 1, gone(r), "the rest of the life of a")

	r = rolled(2, 1)
	r.Servers = slices.DeleteFunc(r.Servers, func(e history.Server) bool { return e.Step > 20 })
	r.Ledger.Copies[0].Rows[0].Step = 15
	root := page(t, r)
	assert.Len(t, all(root, "rect.server.gone"), 2, "both replicas in the last stage")
	assert.Contains(t, strings.Join(textsOf(all(root, "text.on.gone")), "|"), "not played")
}

// Lanes change release where a roll-out replaces their server; nothing is
// drawn outside, and nothing over its neighbour, however many stages there are.
func TestLanesOfAnySize(t *testing.T) {
	for _, c := range []struct{ replicas, rollouts int }{{1, 2}, {2, 3}, {3, 3}, {6, 5}} {
		t.Run(fmt.Sprintf("%d replicas, %d roll-outs", c.replicas, c.rollouts), func(t *testing.T) {
			r := rolled(c.replicas, c.rollouts)
			root := page(t, r)
			svg := all(root, "svg.lanes")[0]
			assert.Equal(t, fmt.Sprintf("0 0 %s %s", value(svg, "width"), value(svg, "height")), value(svg, "viewBox"))
			bars := all(svg, "rect.server")
			assert.Len(t, bars, c.replicas*(c.rollouts+1))
			assert.Len(t, all(svg, "rect.server.new"), c.replicas*((c.rollouts+1)/2))
			assert.Len(t, all(svg, "g.takeover"), len(bars))
			assert.Len(t, all(svg, "g.takeover.first"), c.replicas)
			assert.Len(t, all(svg, "text.leg"), c.rollouts)
			assert.GreaterOrEqual(t, len(all(svg, "text.stage")), len(r.Plan.Stages))
			assert.Len(t, all(all(root, "table.lanetable")[0], "td"), (c.replicas+1)*len(r.Plan.Stages))
			right := pixels(t, svg, "width")
			for i, b := range bars {
				end := pixels(t, b, "x") + pixels(t, b, "width")
				assert.LessOrEqual(t, end, right)
				assert.Positive(t, pixels(t, b, "width"))
				if i+1 < len(bars) && (i+1)%(c.rollouts+1) != 0 {
					assert.Less(t, end, pixels(t, bars[i+1], "x"), "the next bar of the lane")
				}
			}
		})
	}
}

// A name that is longer than its place is cut, and told whole.
func TestLongNamesAreCut(t *testing.T) {
	r := rolled(1, 1)
	r.Plan.Stages[1].Name = strings.Repeat("long ", 100)
	stage := all(page(t, r), "text.stage")[1]
	assert.True(t, strings.HasSuffix(textOf(stage), "…"))
	assert.Less(t, len(textOf(stage)), 200)
	assert.Contains(t, stage.LastChild.FirstChild.Data, r.Plan.Stages[1].Name)
	assert.Equal(t, "old", textOf(all(page(t, r), "text.stage")[0]))

	r.Servers = append(r.Servers, history.Server{Step: 11, Replica: "a", Event: history.Died, Message: strings.Repeat("panic ", 100_000)})
	assert.Less(t, len(write(t, "report.html", r)), 200_000, "a log's last words are no log")
}

// Chips count every finding at its stage: one leads to its evidence, several to
// the states of that kind. What has no room is counted too.
func TestFindingsAboveTheTimeline(t *testing.T) {
	r := rolled(2, 1)
	assert.Empty(t, all(page(t, r), "svg.strip"), "nothing was found")
	r.Result.Findings = append(r.Result.Findings, found(r, 15, term.Lost, true), found(r, 16, term.Lost, true), found(r, 25, term.Changed, false))
	marks := all(page(t, r), "a.mark")
	require.Len(t, marks, 2)
	assert.Equal(t, []string{"✗ 2", "≠ 1"}, textsOf(marks))
	assert.Contains(t, value(marks[0], "class"), "expected")
	assert.Equal(t, "#?stage=upgrade%201%2F2%20of%201&outcome=lost", value(marks[0], "href"))
	assert.Contains(t, value(marks[1], "class"), "unexpected")
	assert.Equal(t, "#step-25/w/.spec.width", value(marks[1], "href"))

	r = rolled(6, 5)
	for _, e := range term.RunOutcomes() {
		for range 1000 {
			r.Result.Findings = append(r.Result.Findings, found(r, 15, e.Word, len(e.Word)%2 == 0))
		}
	}
	sum, above := 0, all(page(t, r), "a.mark")
	for _, m := range above {
		text := textOf(m)
		n, err := strconv.Atoi(text[strings.LastIndexAny(text, " +")+1:])
		require.NoError(t, err)
		sum += n
		assert.LessOrEqual(t, pixels(t, all(m, "rect")[0], "y"), 60, "three rows")
	}
	assert.Equal(t, len(r.Result.Findings), sum)
}

// What is drawn as not played was never ready, whatever its server told.
func TestWhatWasNotPlayedIsNotReady(t *testing.T) {
	r := rolled(2, 1)
	r.Servers = slices.DeleteFunc(r.Servers, func(e history.Server) bool { return e.Step > 20 && e.Event == history.Serving })
	require.Len(t, all(page(t, r), "text.note"), 4, "the last step was played")
	r.Ledger.Copies[0].Rows[0].Step = 15
	root := page(t, r)
	assert.NotEmpty(t, all(root, "text.on.gone"))
	assert.Len(t, all(root, "text.note"), 3)
	r.Servers = append(r.Servers, history.Server{Step: 21, Replica: "b", Event: history.Died})
	assert.Contains(t, strings.Join(textsOf(all(page(t, r), "text.note.died")), "|"), "died")
}

// An incomplete run promises nothing of what it did not find.
func TestCutRunPromisesNothing(t *testing.T) {
	r := rolled(1, 1)
	r.Result.Verdict = term.Pass
	figures := func() string { return textOf(all(page(t, r), "dl.figures")[0]) }
	assert.Contains(t, textOf(page(t, r)), "✓ No unexpected finding.")
	assert.Contains(t, figures(), "missing0 ")
	r.Result.Verdict = term.Unknown
	assert.NotContains(t, textOf(page(t, r)), "✓ No unexpected finding")
	assert.Contains(t, figures(), "missing0 ")
	r.Cut = true
	text := textOf(page(t, r))
	assert.NotContains(t, text, "No unexpected finding")
	assert.Contains(t, text, "None was found before the run ended.")
	assert.Contains(t, figures(), "missingnot judged ")
}

// On long journeys a stage's name takes two lines and its steps are named whole; where
// there is room each has one line.
func TestLongJourneysAreNotCut(t *testing.T) {
	r := rolled(3, 4)
	for i := range r.Plan.Stages {
		for j := range r.Plan.Stages[i].Steps {
			r.Plan.Stages[i].Steps[j].Number += 100_000
		}
	}
	r.Plan.Stages[4].Name = "rolling-back 1/3"
	root := page(t, r)
	drawn := textsOf(all(root, "text.stage"))
	assert.Contains(t, drawn, "rolling-back")
	assert.Contains(t, drawn, "1/3")
	assert.Contains(t, textsOf(all(root, "text.steps")), "100041–100050")
	assert.Contains(t, textOf(all(root, "table.lanetable")[0]), "steps 100041–100050")
	root = page(t, rolled(1, 1))
	assert.Len(t, all(root, "text.stage"), 2)
	assert.Contains(t, textsOf(all(root, "text.steps")), "steps 11–20")
}
