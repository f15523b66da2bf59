package reports_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// sourcesWith are several runs, one of them the given: it failed, another on the same
// pair passed, one with another seed is unknown, one is of a mutant and has no page, one
// cannot be read, and the names of one are hostile.
func sourcesWith(r reports.Run) []result.Source {
	at := func(path string, change func(*result.Result)) result.Source {
		res := view.Sealed(r).Result
		change(&res)
		return result.Source{Path: path, Report: path + "/report.html", Result: res}
	}
	right := func(res *result.Result) {
		res.Verdict, res.Reason, res.Scenario = term.Pass, "the findings are exactly those that the scenario expects", "quiet"
		res.Findings, res.Missing, res.Skipped = nil, nil, nil
		res.Checks = []result.Check{{Name: term.CheckNothingLost, Verdict: term.Pass, Judged: 3}}
	}
	mutant := at("elsewhere/quiet+clears", func(res *result.Result) {
		right(res)
		res.Mutant = &result.Mutant{Name: "clears", Caught: true, Message: "caught by nothing-lost"}
		res.Releases = []string{"v1.9.0", "v1.10.0+clears"}
		res.Builds = []result.Build{{Role: term.Old, Reference: "frobber@1.9", Version: "v1.9.0", Digest: "sha256:99"}}
	})
	mutant.Report = ""
	return []result.Source{
		at("runs/emptydir-mode", func(*result.Result) {}),
		at("runs/quiet", right),
		at("runs/seeded", func(res *result.Result) {
			right(res)
			res.Verdict, res.Reason, res.Seed = term.Unknown, "interrupted: nothing was judged", 8
			res.Checks = []result.Check{{Name: term.CheckNothingLost, Verdict: term.Unknown, Reason: "nothing was judged"}}
		}),
		mutant,
		{Path: "runs/cut", Problem: "result.json: unexpected end of JSON input"},
		at("runs/javascript:"+hostile, func(res *result.Result) {
			right(res)
			res.Scenario, res.Releases, res.Reason = hostile, []string{hostile, "new " + hostile}, hostile
			res.Verdict = term.Fail
		}),
	}
}

func mergedWith(r reports.Run) result.Merged {
	return result.Merge(sourcesWith(r), "runs/copy is the same run as runs/quiet: it counts once", hostile)
}

// mergedPage is index.html.
func mergedPage(w io.Writer, r reports.Run) error { return reports.MergedHTML(w, mergedWith(r)) }

// TestMergedOrder: the page does not show in which order runs were given.
func TestMergedOrder(t *testing.T) {
	sources := sourcesWith(fixedRun(0))
	var pages [2]bytes.Buffer
	for i := range pages {
		require.NoError(t, reports.MergedHTML(&pages[i], result.Merge(sources)))
		require.NoError(t, reports.MergedJUnit(&pages[i], sources, false))
		slices.Reverse(sources)
	}
	assert.Equal(t, pages[0].String(), pages[1].String())
}

// TestMergedPage: every link leads to a run's own report, whatever a directory is
// called, and nothing in the page can run.
func TestMergedPage(t *testing.T) {
	page := write(t, "merged.html", fixedRun(0))
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	ids, links := map[string]bool{}, map[string]bool{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		assert.NotContains(t, []string{"script", "img", "iframe", "link", "object"}, n.Data)
		for _, a := range n.Attr {
			assert.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src", "%s=%q", a.Key, a.Val)
			switch a.Key {
			case "id":
				assert.False(t, ids[a.Val], "id %q twice", a.Val)
				ids[a.Val] = true
			case "href":
				links[a.Val] = true
			}
		}
	}
	assert.Contains(t, links, "runs/emptydir-mode/report.html")
	assert.NotContains(t, links, "elsewhere/quiet+clears/report.html", "a run without a page")
	for link := range links {
		assert.True(t, strings.HasPrefix(link, "runs/") || link == "#grid", link)
	}
}

// TestMergedScheme: a directory that is called like a script's address is still one.
func TestMergedScheme(t *testing.T) {
	s := result.Source{Path: "javascript:alert(1)", Report: "javascript:alert(1)/report.html", Result: result.Result{Scenario: "x", Verdict: term.Pass}}
	var b bytes.Buffer
	require.NoError(t, reports.MergedHTML(&b, result.Merge([]result.Source{s})))
	assert.Contains(t, b.String(), `href="./javascript:alert%281%29/report.html"`)
	assert.NotContains(t, b.String(), `href="javascript:`)
}

// TestMergedGrid: a cell has its run, and its neighbours, which were not played, none.
func TestMergedGrid(t *testing.T) {
	of := func(scenario, old, new string, verdict term.VerdictWord) result.Source {
		return result.Source{Path: scenario + old, Result: result.Result{Scenario: scenario, Releases: []string{old, new}, Verdict: verdict}}
	}
	var b bytes.Buffer
	require.NoError(t, reports.MergedHTML(&b, result.Merge([]result.Source{
		of("late", "v1.9.0", "v1.10.0", term.Fail), of("early", "v1.8.0", "v1.9.0", term.Pass), of("early", "v1.9.0", "v1.10.0", term.Unknown),
	})))
	root, err := html.Parse(&b)
	require.NoError(t, err)
	var rows []string
	for n := range root.Descendants() {
		if n.Data == "table" && len(n.Attr) > 0 {
			for row := range n.Descendants() {
				if row.Data == "tr" {
					rows = append(rows, cellsOf(row))
				}
			}
		}
	}
	assert.Equal(t, []string{"scenario|v1.8.0 .. v1.9.0|v1.9.0 .. v1.10.0", "early|✓ pass|? unknown", "late||✗ fail"}, rows)
}

func cellsOf(row *html.Node) string {
	var cells []string
	for n := range row.ChildNodes() {
		var text strings.Builder
		for t := range n.Descendants() {
			if t.Type == html.TextNode {
				text.WriteString(t.Data)
			}
		}
		cells = append(cells, strings.TrimSpace(text.String()))
	}
	return strings.Join(cells, "|")
}

// TestMergedJUnit: a suite for each run, under a name of its own, and what was not read
// is an error.
func TestMergedJUnit(t *testing.T) {
	var suites struct {
		Suites []struct {
			Name   string `xml:"name,attr"`
			Errors int    `xml:"errors,attr"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(write(t, "merged-junit.xml", fixedRun(0))), &suites))
	names := map[string]int{}
	for _, s := range suites.Suites {
		names[s.Name] = s.Errors
	}
	assert.Len(t, names, len(sourcesWith(fixedRun(0))))
	assert.Equal(t, 1, names["runs/cut"])
	assert.Contains(t, names, "quiet, seed 7 (v1.36.3 .. v1.37.0)")
	assert.Contains(t, names, "quiet, seed 8 (v1.36.3 .. v1.37.0)")
}

// TestMergedChain: a run without checks, as a chain is, still has the case that tells
// its verdict.
func TestMergedChain(t *testing.T) {
	for verdict, want := range map[term.VerdictWord]string{term.Fail: "<failure", term.Unknown: "<error", term.Pass: ""} {
		var b bytes.Buffer
		require.NoError(t, reports.MergedJUnit(&b, []result.Source{{Path: "train", Result: result.Result{Scenario: "train", Verdict: verdict, Reason: "legs differ"}}}, false))
		assert.Equal(t, want != "", strings.Contains(b.String(), "<failure") || strings.Contains(b.String(), "<error"), b.String())
		assert.Contains(t, b.String(), want)
	}
}

// TestMergedMarkdown: what did not pass comes first, with its reason, then a row for each
// pair; and however many runs there are, it can be posted as a comment.
func TestMergedMarkdown(t *testing.T) {
	text := write(t, "merged.md", fixedRun(0))
	failed, unknown, pairs := strings.Index(text, "#### ✗ fail: 2"), strings.Index(text, "#### ? unknown: 2"), strings.Index(text, "| pair |")
	assert.True(t, 0 < failed && failed < unknown && unknown < pairs, text)
	assert.Contains(t, text, "interrupted: nothing was judged")
	assert.Contains(t, text, "<details><summary>Passed: 2</summary>")

	var sources []result.Source
	of := sourcesWith(fixedRun(0))
	for i := range 3000 {
		s := of[i%2]
		s.Path, s.Result.Seed, s.Result.Reason = fmt.Sprint("runs/", i), int64(i), strings.Repeat("word ", 300)
		s.Result.Releases = []string{fmt.Sprintf("v1.%d.0", i), fmt.Sprintf("v1.%d.0", i+1)}
		sources = append(sources, s)
	}
	var long bytes.Buffer
	require.NoError(t, reports.MergedMarkdown(&long, result.Merge(sources)))
	assert.Less(t, utf8.RuneCount(long.Bytes()), maxOfAComment)
	assert.Contains(t, long.String(), "more, in index.html")

	var none bytes.Buffer
	require.NoError(t, reports.MergedMarkdown(&none, result.Merge(nil)))
	assert.Equal(t, "### ? unknown: there is no run\n", none.String())
}
