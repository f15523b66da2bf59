package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/catalogue"
)

// told is what a command line prints.
func told(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(&App{Out: &out, Err: &out})
	root.SetArgs(args)
	require.NoError(t, root.Execute())
	return out.String()
}

// TestList: every scenario appears once, below its topic, with its pair and mutants.
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
	var all []catalogue.Scenario
	require.NoError(t, json.Unmarshal([]byte(told(t, "list", "-o", "json")), &all))
	require.Len(t, all, len(entries))
	for _, l := range all {
		assert.NotEmpty(t, l.Topic, l.Name)
	}
}

func TestListMutants(t *testing.T) {
	out := told(t, "list", "--mutants")
	assert.Regexp(t, `(?m)^frobber/add-field\+required +frobber@1\.0\.\.1\.1 +new +rule-1 +The width must be sent$`, out)
	assert.Regexp(t, `(?m)^frobber/gate-beta\+clears +frobber@1\.17\.\.1\.18 +old +nothing-lost +`, out)
	var all []catalogue.Mutant
	require.NoError(t, json.Unmarshal([]byte(told(t, "list", "--mutants", "-o", "json")), &all))
	assert.Len(t, all, strings.Count(out, "\n")-1)
}
