package reports_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Findings stand worst first: what is not expected, then by state, then
// violations, then by step; in whatever order the oracle tells them.
func TestFindingsWorstFirst(t *testing.T) {
	r := rolled(2, 3)
	finding := func(path string, step int, state term.Outcome, class term.Class) result.Finding {
		f := found(r, step, state, false)
		f.Path, f.Class = path, class
		return f
	}
	want := []string{".undecodable", ".lost-violation", ".lost-early", ".lost-late", ".hidden"}
	findings := []result.Finding{
		finding(want[0], 40, term.Undecodable, term.Impact), finding(want[1], 35, term.Lost, term.Violation),
		finding(want[2], 12, term.Lost, term.Impact), finding(want[3], 13, term.Lost, term.Impact), finding(want[4], 1, term.Hidden, term.Violation),
	}
	expected := found(r, 1, term.Undecodable, true)
	for seed := range uint64(5) {
		r.Result.Findings = append(slices.Clone(findings), expected)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(r.Result.Findings), func(i, j int) {
			r.Result.Findings[i], r.Result.Findings[j] = r.Result.Findings[j], r.Result.Findings[i]
		})
		root := page(t, r)
		var paths []string
		for _, p := range all(all(root, "div.unexpected")[0], "p.what") {
			paths = append(paths, textOf(all(p, "code")[0]))
		}
		assert.Equal(t, want, paths)
		summary := write(t, "summary.txt", r)
		assert.Less(t, strings.Index(summary, "1 x nothing-lost, impact, undecodable, .undecodable"), strings.Index(summary, ".lost-violation"))
	}
}

// Of many findings that tell the same the first is written out, some are
// folded, and the rest are counted: the page does not grow with them.
func TestManyFindingsStaySmall(t *testing.T) {
	t.Parallel()
	r := rolled(2, 3)
	r.Result.Findings = []result.Finding{found(r, 15, term.Lost, false)}
	assert.Empty(t, all(page(t, r), "details.like"), "one finding is like no other")
	one := len(write(t, "report.html", r))
	for range 4999 {
		r.Result.Findings = append(r.Result.Findings, found(r, 16, term.Lost, false))
	}
	assert.Less(t, len(write(t, "report.html", r))-one, 20_000)
	like := all(page(t, r), "details.like")
	require.Len(t, like, 1)
	assert.Contains(t, textOf(like[0]), "and 4999 like it")
	links := all(like[0], "a")
	assert.Len(t, links, 20)
	assert.Equal(t, "4980 more: filter the states", textOf(links[19]))
	assert.Equal(t, "#?outcome=lost&path=.spec.width", value(links[19], "href"))

	for i := range 5000 { // and none like another
		r.Result.Findings[i].Path = fmt.Sprintf(".spec.field%d", i)
	}
	assert.Less(t, len(write(t, "report.html", r))-one, 60_000)
	assert.Contains(t, textOf(all(page(t, r), "li.more")[0]), "4960 more, of other kinds")
}

// What a copy or a path is called cannot end its link, and comes out of it
// as it was; what is missing is left off.
func TestLinksToEvidence(t *testing.T) {
	for _, c := range []struct{ copied, path, want string }{
		{"w", ".spec.width", "#step-15/w/.spec.width"},
		{"w", "", "#step-15/w"},
		{"", "", "#step-15"},
		{"", ".spec.width", "#step-15"},
		{"a/b?c#d e", `.m["x/y%"]`, `#step-15/a%2Fb%3Fc%23d%20e/.m%5B%22x%2Fy%25%22%5D`},
		{"\xff", "", "#step-15/%EF%BF%BD"},
	} {
		r := rolled(1, 1)
		f := found(r, 15, term.Lost, false)
		f.Copy, f.Path = c.copied, c.path
		r.Result.Findings = []result.Finding{f}
		href := value(all(all(page(t, r), "p.said")[0], "a")[0], "href")
		assert.Equal(t, c.want, href)
		if parts := strings.Split(href, "/"); len(parts) == 3 {
			copied, err := url.PathUnescape(parts[1])
			require.NoError(t, err)
			assert.Equal(t, c.copied, copied)
		}
	}
}

// A long plan is abridged, except for what moves replicas and what a finding
// without a copy leads to; one that is not long stands there whole.
func TestALongPlanIsToldInShort(t *testing.T) {
	r := rolled(1, 1)
	r.Result.Findings = []result.Finding{{Check: term.CheckEverythingDecodes, Kind: "Frobber", Outcome: term.Undecodable, Step: 17, Message: "LIST failed"}}
	assert.Len(t, all(all(page(t, r), "ol.steps")[1], "li"), 10)
	last := &r.Plan.Stages[1]
	for i := range 10_000 {
		last.Steps = append(last.Steps, plan.Step{Number: 21 + i, Action: plan.Operate, Verb: term.Put, Copy: "w", Via: "a"})
	}
	var lines []string
	for _, li := range all(all(page(t, r), "ol.steps")[1], "li") {
		lines = append(lines, value(li, "id")+" "+textOf(li))
	}
	assert.Equal(t, []string{
		"step-11 replace replica a: from here on it runs the new release",
		" 5 operations, to step 16: see the states, or plan.txt",
		"step-17 put w, via a",
		" 10003 operations, to step 10020: see the states, or plan.txt",
	}, lines)
}
