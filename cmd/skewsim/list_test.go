package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
)

// told is what a command line prints.
func told(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(&app{out: &out, err: &out})
	root.SetArgs(args)
	require.NoError(t, root.Execute())
	return out.String()
}

// TestList: every scenario stands once, below its topic, with its pair and twins.
func TestList(t *testing.T) {
	out := told(t, "list")
	assert.Regexp(t, `(?m)^Adding a field\n  frobber/add-field +frobber@1\.0\.\.1\.1 +meaning,null,refuses,required,rewrites,value  `, out)
	assert.Less(t, strings.Index(out, "\nAdding a field\n"), strings.Index(out, "\nRatcheting validation\n"), "in the guide's order")
	entries, err := load.Catalogue()
	require.NoError(t, err)
	for _, e := range entries {
		assert.Equal(t, 1, strings.Count(out, "  "+e.Path()+" "), e.Path())
	}
	assert.Len(t, strings.Fields(told(t, "list", "-o", "name")), len(entries))
	var all []listed
	require.NoError(t, json.Unmarshal([]byte(told(t, "list", "-o", "json")), &all))
	require.Len(t, all, len(entries))
	for _, l := range all {
		assert.NotEmpty(t, l.Topic, l.Name)
	}
}

// TestListWithoutTopic: a scenario that no topic names is listed all the same.
func TestListWithoutTopic(t *testing.T) {
	entries := []load.Entry{
		{Name: "b", Group: "g", Scenario: &scenarios.Scenario{}},
		{Name: "a", Group: "g", Scenario: &scenarios.Scenario{Releases: scenarios.Releases{Pair: "frobber@1.0..1.1"}}},
	}
	var out bytes.Buffer
	require.NoError(t, printScenarios(&out, "table", []rules.Topic{{Name: "Adding", Scenarios: []string{"a", "gone"}}}, entries, nil))
	assert.Equal(t, "Adding\n  g/a   frobber@1.0..1.1   none   any\n\nOther\n  g/b   any   none   any\n", out.String())
}

func TestListTwins(t *testing.T) {
	out := told(t, "list", "--twins")
	assert.Regexp(t, `(?m)^frobber/add-field\+required +frobber@1\.0\.\.1\.1 +new +rule-1 +The width must be sent$`, out)
	assert.Regexp(t, `(?m)^frobber/gate-beta\+clears +frobber@1\.17\.\.1\.18 +old +nothing-lost +`, out)
	var all []listedTwin
	require.NoError(t, json.Unmarshal([]byte(told(t, "list", "--twins", "-o", "json")), &all))
	assert.Len(t, all, strings.Count(out, "\n")-1)
}

// TestListShowsPairs: of the releases that are built, those that a scenario applies
// to: neighbours, unless its own pair lies otherwise or there are none.
func TestListShowsPairs(t *testing.T) {
	built := map[string][]*version.Version{}
	for _, v := range []string{"v1.33.13", "v1.34.4", "v1.36.3", "v1.37.0-rc.1"} {
		built["kube-apiserver"] = append(built["kube-apiserver"], version.Must(version.NewVersion(v)))
	}
	for _, tc := range []struct {
		name    string
		of      scenarios.Releases
		applies string
		pairs   []string
	}{
		{"anything", scenarios.Releases{}, "any", []string{"v1.33.13..v1.34.4", "v1.36.3..v1.37.0-rc.1"}},
		{"constraints", scenarios.Releases{Old: "< 1.37", New: ">= 1.37"}, "old < 1.37; new >= 1.37", []string{"v1.36.3..v1.37.0-rc.1"}},
		{"no neighbours", scenarios.Releases{Old: ">= 1.34, < 1.36"}, "old >= 1.34, < 1.36", []string{"v1.34.4..v1.36.3", "v1.34.4..v1.37.0-rc.1"}},
		{"skips a minor", scenarios.Releases{Pair: "kube-apiserver@v1.35.4..v1.37.0"}, "any", []string{"v1.34.4..v1.36.3"}},
		{"one release", scenarios.Releases{Pair: "kube-apiserver@v1.37.0..v1.37.0", New: "< 1.34"}, "new < 1.34", []string{"v1.33.13..v1.33.13"}},
		{"none", scenarios.Releases{New: ">= 2"}, "new >= 2", nil},
		{"a chain", scenarios.Releases{Through: scenarios.Through{{Release: "kube-apiserver@v1.34.4,v1.35.4"}}}, "any", nil},
		{"never cached", scenarios.Releases{Of: "frobber"}, "any", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.of.Of = cmp.Or(tc.of.Of, "kube-apiserver")
			assert.Equal(t, tc.applies, appliesTo(tc.of))
			assert.Equal(t, tc.pairs, builtPairs(&scenarios.Scenario{Releases: tc.of}, built))
		})
	}
}
