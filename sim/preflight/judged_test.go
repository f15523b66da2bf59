package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestUnready: of starts of a release's server that is not ready the last one counts.
func TestUnready(t *testing.T) {
	var j Judged
	j.Unready(Finding{Outcome: term.NotReady, Release: "v1", Phase: PhaseBaseline, Message: "first"})
	j.Unready(Finding{Outcome: term.NotReady, Release: "v2", Phase: PhaseBaseline, Message: "another release"})
	j.Unready(Finding{Outcome: term.NotReady, Release: "v1", Phase: PhaseBaseline, Message: "last"})
	require.Len(t, j.Baseline(), 2)
	assert.Equal(t, "last", j.Baseline()[0].Message)
}

// TestJudgedAlready: what the first release has already is the same class of the same object and path.
func TestJudgedAlready(t *testing.T) {
	var j Judged
	f := Finding{Outcome: term.Frozen, Direction: Up, Kind: "A", Name: "x", Path: ".a", Release: "old"}
	j.AddBaseline(f)
	back, path, name, class := f, f, f, f
	back.Direction, path.Path, name.Name, class.Outcome = Back, ".b", "y", term.Lost
	assert.True(t, j.Already(f))
	assert.True(t, j.Already(back), "the first release has no direction")
	for _, other := range []Finding{path, name, class} {
		assert.False(t, j.Already(other))
	}
	j.Fix(map[string]string{CauseOf(f): "remove .a", CauseOf(path): ""})
	assert.Equal(t, "remove .a", j.Baseline()[0].Fix)
	j.Fix(map[string]string{CauseOf(path): "remove .b"})
	assert.Equal(t, "remove .a", j.Baseline()[0].Fix, "another cause's fix")
}

// TestJudgedExcludes: only what is excluded is left out.
func TestJudgedExcludes(t *testing.T) {
	var j Judged
	assert.False(t, j.Excluded("a"))
	j.Exclude("a")
	j.Exclude("b")
	assert.True(t, j.Excluded("a"))
	assert.True(t, j.Excluded("b"))
	assert.False(t, j.Excluded("c"))
}

// TestJudgedDefaults: fields that are filled in are counted by group, kind and path, in order.
func TestJudgedDefaults(t *testing.T) {
	var j Judged
	assert.NotNil(t, j.Defaulted(), "no list is null")
	j.Default("", "B", []string{".b", ".a"})
	j.Default("", "A", []string{".b"})
	j.Default("", "B", []string{".a"})
	j.Default("example.com", "B", []string{".a"})
	assert.Equal(t, []Default{{"", "A", ".b", 1}, {"", "B", ".a", 2}, {"", "B", ".b", 1}, {"example.com", "B", ".a", 1}}, j.Defaulted())
}

// TestJudgedOwners: a finding has the root owner of its object, and what manages that if nothing says it of the
// object itself; kinds count each object once for a class.
func TestJudgedOwners(t *testing.T) {
	var j Judged
	count := func(kind, name, metadata string) {
		j.Count(&reading.Record{APIVersion: "apps/v1", Kind: kind, Namespace: "ns", Name: name, Object: []byte(`{"metadata":{` + metadata + `}}`)})
	}
	count("Deployment", "web", `"labels":{"app.kubernetes.io/managed-by":"Helm"}`)
	count("ReplicaSet", "web-1", `"ownerReferences":[{"kind":"Node","name":"n"},{"kind":"Deployment","name":"web","controller":true}]`)
	find := func(manager, path string) Finding {
		return Finding{Outcome: term.Frozen, Group: "apps", Kind: "Pod", Namespace: "ns", Name: "web-1-x" + manager, Owner: "ReplicaSet web-1", Manager: manager, Path: path}
	}
	j.Add(find("", ".a"), find("", ".b"), find("Flux", ".a"), Finding{Outcome: term.NotReady})
	all := j.Findings()
	require.Len(t, all, 4)
	assert.Equal(t, term.NotReady, all[0].Outcome, "the worst first")
	for _, f := range all[1:] {
		assert.Equal(t, "Deployment web", f.Owner)
	}
	assert.Equal(t, []string{"Helm", "Helm", "Flux"}, []string{all[1].Manager, all[2].Manager, all[3].Manager})
	assert.Equal(t, []Kind{
		{"apps", "Deployment", 1, map[term.Outcome]int{}}, {"apps", "Pod", 0, map[term.Outcome]int{term.Frozen: 2}}, {"apps", "ReplicaSet", 1, map[term.Outcome]int{}},
	}, j.Kinds(), "a server that is not ready is no object")
}
