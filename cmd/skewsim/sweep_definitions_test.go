package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/sweep"
)

// definitions names a pair of folders below testdata/sweep.
func definitions(name string) engine.Ends {
	const folder = "crd:testdata/sweep/"
	return engine.Ends{Pair: folder + name + "/old.." + folder + name + "/new"}
}

// TestKubernetesSweepOfDefinitions: changes of custom resource definitions that lose data, or after
// which clients are refused, each have their verdict. One definition whose scope changed costs its
// own kind alone.
func TestKubernetesSweepOfDefinitions(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	newReal(t)
	result := swept(t, definitions("harm"), sweep.Scope{})
	worst := worstByKind(result)
	for kind, want := range map[string]term.Effect{
		"Shape":   term.Lost.By(term.NewRelease), // a client of the new version removes what it has no field for
		"Relic":   term.Refused.Effect(),         // clients of the version get 404
		"Listing": term.Refused.Effect(),         // an element twice cannot be applied again
		"Phase":   term.Dropped.Effect(),         // a status in the object itself is ignored
		"Report":  term.Lost.By(term.OldServer),  // the old definition prunes the new field of the status
		"Gauge":   term.Undecodable.Effect(),     // clients with the old types cannot read a fraction
		"Lease":   term.Lost.By(term.OldServer),  // the new field is pruned; a row below, nothing in the spec can change without it
		"Quorum":  term.PartlyFrozen.Effect(),    // nothing in the spec can change while it breaks the new rule
		"Scoped":  term.Refused.Effect(),         // no server changes a scope
		"Vessel":  term.Lost.By(term.NewRelease), // what the whole object kept beyond its schema is pruned
		"Void":    term.Lost.By(term.NewRelease), // a stored null is pruned, and the default is there in its place
		"Signal":  term.PartlyFrozen.Effect(),    // nothing in the status can change without the new field
		"Amount":  term.Refused.Effect(),         // a text that the old definition takes is not an amount
		"Estate":  term.Lost.By(term.NewRelease), // an apply of one part removes those of other managers
		"Union":   term.PartlyFrozen.Effect(),    // nothing in the spec can change while it fits no alternative
		"Roster":  term.PartlyFrozen.Effect(),    // no element can change beside one that is too long
		"Crowd":   term.PartlyFrozen.Effect(),    // no element can change while there are too many
		"Spare":   term.PartlyFrozen.Effect(),    // after a rollback nothing in the spec can change without the field
		"Crew":    term.Refused.Effect(),         // another value of a key is another item
		"Batch":   term.PartlyFrozen.Effect(),    // no element can change beside one that breaks a rule of all
		"Palette": term.PartlyFrozen.Effect(),    // no element can change beside one with the value that went
		"Rack":    term.PartlyFrozen.Effect(),    // no element with fields can change while there are too many
		"Span":    term.PartlyFrozen.Effect(),    // nothing in the spec can change while two members do not fit
		"Padlock": term.Refused.Effect(),         // a field can no longer change, also where another one is tightened
		"Herd":    term.Refused.Effect(),         // clients cannot scale
	} {
		assert.Equal(t, want, worst[kind].Effect, "%s: %s", kind, worst[kind].Reason)
	}
	for _, row := range result.Rows {
		assert.True(t, row.Exercised || row.Kind != "Padlock", "%s: %s", row.ID, row.Reason)
		assert.False(t, row.Name == sweep.Unstated && slices.Contains([]string{"Lease", "Span", "Palette"}, row.Kind), "%s: a published difference explains it", row.ID)
	}
	for kind, row := range worst {
		if kind != "Herd" && (row.Outcome == term.Refused || row.Outcome == term.Frozen || row.Outcome == term.PartlyFrozen) { // a 404 names no cause
			assert.NotEqual(t, term.Unattributed, row.Cause, "%s: %s", kind, row.Reason)
		}
	}
}

// TestKubernetesSweepOfRightDefinitions: the same changes done right break no rule.
func TestKubernetesSweepOfRightDefinitions(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	newReal(t)
	result := swept(t, definitions("right"), sweep.Scope{})
	assert.Empty(t, breakingBut(result, "rule-tightened", "what servers accept"))
	for kind, row := range worstByKind(result) {
		assert.NotEqual(t, term.Frozen.Effect(), row.Effect, "%s: %s", kind, row.Reason)
	}
}

// breakingBut returns the rows that break a rule, without those whose ID contains a word.
func breakingBut(r sweep.Result, words ...string) (ids []string) {
	for _, id := range breaking(r) {
		known := false
		for _, word := range words {
			known = known || strings.Contains(id, word)
		}
		if !known {
			ids = append(ids, id)
		}
	}
	return ids
}

// worstByKind returns the worst row of each kind: rows are sorted.
func worstByKind(r sweep.Result) map[string]sweep.Row {
	worst := map[string]sweep.Row{}
	for _, row := range r.Rows {
		if _, known := worst[row.Kind]; !known {
			worst[row.Kind] = row
		}
	}
	return worst
}
