package reports_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// survivalOf reads the rows of the page's table of survival, their cells joined by |.
func survivalOf(t *testing.T, page string) (rows []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		if n.Data == "table" && slices.Contains(n.Attr, html.Attribute{Key: "class", Val: "survival"}) {
			for row := range n.Descendants() {
				if row.Data == "tr" {
					rows = append(rows, words(row))
				}
			}
		}
	}
	return rows
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

func TestSurvivalNeverRoundsALossAway(t *testing.T) {
	var r reports.Run
	r.Plan.Stages = []plan.Stage{{Name: "upgrading 1/1"}, {Name: "nothing is read"}}
	for i := range 400 {
		state := term.Kept
		if i == 0 {
			state = term.Lost
		}
		r.Ledger.Copies = append(r.Ledger.Copies, result.CopyLedger{Copy: fmt.Sprint(i), Fields: []result.Field{{Path: ".a", Step: 1}, {Path: ".later", Step: 2}},
			Rows: []result.Row{{Step: 1, Stage: "upgrading 1/1", Views: []result.View{{Replica: "a", States: map[string]term.State{".a": state}}}}}})
	}
	page := write(t, "report.html", r)
	assert.Equal(t, []string{"Stage|share|kept|lost|values", "upgrading 1/1|>99 % (399)|<1 % (1)|400"}, survivalOf(t, page))
	assert.Contains(t, page, `<rect class="bar lost" x="98.5" width="1.5" height="10"/>`, "the least part is seen")
	assert.Contains(t, page, "&gt;99 % were kept when the last stage (upgrading 1/1) ended; no stage ended with fewer.")

	r.Ledger.Copies = r.Ledger.Copies[1:]
	page = write(t, "report.html", r)
	assert.Equal(t, []string{"Stage|share|kept|values", "upgrading 1/1|100 % (399)|399"}, survivalOf(t, page))
	assert.NotContains(t, page, "bar lost")

	r.Ledger = result.Ledger{}
	assert.Empty(t, survivalOf(t, write(t, "report.html", r)))
}

func TestSurvivalOfHostileStages(t *testing.T) {
	r := fixedRun(0)
	r.Plan.Stages = slices.Clone(r.Plan.Stages)
	names := []string{hostile, "\ufffe\uffff\x00\xff" + hostile, strings.Repeat("long ", 2000), ""}
	for i, name := range names {
		r.Plan.Stages[i].Name = name
		for j := range r.Ledger.Copies {
			for k := range r.Ledger.Copies[j].Rows {
				if row := &r.Ledger.Copies[j].Rows[k]; row.Stage == stageNames[i] {
					row.Stage = name
				}
			}
		}
	}
	rows := survivalOf(t, write(t, "report.html", r))
	assert.Greater(t, len(rows), len(names))
	assert.Contains(t, rows[1], "</script>", "it is shown, as text")
	for _, row := range rows {
		assert.NotRegexp(t, regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x{202a}-\x{202e}]`), row)
	}
}
