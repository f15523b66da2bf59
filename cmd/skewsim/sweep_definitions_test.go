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
	for kind, want := range map[string]term.Fate{
		"Shape":   term.FateLostByNew,    // a client of the new version removes what it has no field for
		"Relic":   term.FateRefused,      // clients of the version get 404
		"Listing": term.FateRefused,      // an element twice cannot be applied again
		"Phase":   term.FateDropped,      // a status in the object itself is ignored
		"Report":  term.FateLostByOld,    // the old definition prunes the new field of the status
		"Gauge":   term.FateUndecodable,  // clients with the old types cannot read a fraction
		"Lease":   term.FateLostByOld,    // the new field is pruned; a row below, nothing in the spec can change without it
		"Quorum":  term.FatePartlyFrozen, // nothing in the spec can change while it breaks the new rule
		"Scoped":  term.FateRefused,      // no server changes a scope
		"Vessel":  term.FateLostByNew,    // what the whole object kept beyond its schema is pruned
		"Void":    term.FateLostByNew,    // a stored null is pruned, and the default is there in its place
		"Signal":  term.FatePartlyFrozen, // nothing in the status can change without the new field
		"Amount":  term.FateRefused,      // a text that the old definition takes is not an amount
		"Estate":  term.FateLostByNew,    // an apply of one part removes those of other managers
		"Union":   term.FatePartlyFrozen, // nothing in the spec can change while it fits no alternative
		"Roster":  term.FatePartlyFrozen, // no element can change beside one that is too long
		"Crowd":   term.FatePartlyFrozen, // no element can change while there are too many
		"Spare":   term.FatePartlyFrozen, // after a rollback nothing in the spec can change without the field
		"Crew":    term.FateRefused,      // another value of a key is another item
		"Batch":   term.FatePartlyFrozen, // no element can change beside one that breaks a rule of all
		"Palette": term.FatePartlyFrozen, // no element can change beside one with the value that went
		"Rack":    term.FatePartlyFrozen, // no element with fields can change while there are too many
		"Span":    term.FatePartlyFrozen, // nothing in the spec can change while two members do not fit
		"Padlock": term.FateRefused,      // a field can no longer change, also where another one is tightened
		"Herd":    term.FateRefused,      // clients cannot scale
	} {
		assert.Equal(t, want, worst[kind].Verdict, "%s: %s", kind, worst[kind].Reason)
	}
	for _, row := range result.Rows {
		assert.True(t, row.Exercised || row.Kind != "Padlock", "%s: %s", row.ID, row.Reason)
		assert.False(t, row.Name == sweep.Unstated && slices.Contains([]string{"Lease", "Span", "Palette"}, row.Kind), "%s: a published difference explains it", row.ID)
	}
	for kind, row := range worst {
		if kind != "Herd" && (row.Verdict == term.FateRefused || row.Verdict == term.FateFrozen || row.Verdict == term.FatePartlyFrozen) { // a 404 names no cause
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
		assert.NotEqual(t, term.FateFrozen, row.Verdict, "%s: %s", kind, row.Reason)
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
