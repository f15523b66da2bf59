package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestMergedUnplayed: a run that was not played has its cell, its row and its suite, which
// say so; one that passed after the machine had ended it says that, too. Nothing of either
// can run.
func TestMergedUnplayed(t *testing.T) {
	of := func(path, scenario string, releases ...string) result.Source {
		return result.Source{Path: path, Component: "frobber", Result: result.Result{Scenario: scenario, Releases: releases, Verdict: term.Pass}}
	}
	tried, unplayed := of("a", "a", "v1.0.0", "v1.1.0"), of("b", "a", "v1.1.0", "image:nope:1")
	tried.Tried = "server a-1 was killed, then pass <script>"
	unplayed.Problem, unplayed.Unplayed = "no such image <script>", true
	sources := []result.Source{tried, unplayed, of("c", "c", "v1.0.0", "v1.1.0")}
	m := result.Merge(sources)
	var page, text, suites bytes.Buffer
	require.NoError(t, reports.MergedHTML(&page, m))
	require.NoError(t, reports.MergedMarkdown(&text, m))
	require.NoError(t, reports.MergedJUnit(&suites, sources, false))
	for _, want := range []string{
		"<caption>frobber</caption>", `<th scope="col" class="pair"><span>v1.1.0 .. image:nope:1</span></th>`, `<span class="told">not played</span>`,
		"? not played:</span> no such image", "<small>1 of them not played</small>", `id="tried"`, "server a-1 was killed, then pass",
	} {
		assert.Contains(t, page.String(), want)
	}
	assert.Equal(t, 1, strings.Count(page.String(), "<caption>"), "one grid")
	assert.NotContains(t, page.String(), "<script>")
	assert.Contains(t, text.String(), "| frobber v1.1.0 .. `image:nope:1` | 0 | 0 | 1 |")
	assert.Contains(t, text.String(), "#### Ended by the machine at least once, which is no verdict: 1")
	assert.Contains(t, text.String(), "no such image `<script>`")
	assert.Equal(t, strings.Count(text.String(), "<script>"), strings.Count(text.String(), "`<script>`"))
	assert.Contains(t, suites.String(), `<testsuite name="a (v1.1.0 .. image:nope:1)"`)
	assert.Contains(t, suites.String(), "was not played: no such image")
	assert.Equal(t, 1, strings.Count(suites.String(), "<error"))
	assert.Equal(t, 1, strings.Count(suites.String(), "ended by the machine, which is no verdict: server a-1 was killed"))

	page.Reset()
	require.NoError(t, reports.MergedHTML(&page, result.Merge(sources[2:])))
	assert.NotContains(t, page.String(), `told">not played`)
	assert.NotContains(t, page.String(), "of them not played")
	assert.NotContains(t, page.String(), `id="tried"`)
}
