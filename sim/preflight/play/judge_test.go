package play

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// TestWritten: after real writes, what is read no more, what is gone and what was refused although its
// dry runs were accepted is a finding; what is as it was, and what a dry run was refused for, is not.
func TestWritten(t *testing.T) {
	record := func(name string, code int, object string, tries ...reading.Try) reading.Record {
		r := reading.Record{Key: name, APIVersion: "v1", Form: "v1", Kind: "A", Name: name, Code: code, Revision: 3, Tries: tries}
		if object != "" {
			r.Object = []byte(object)
		} else {
			r.Message = "no"
		}
		return r
	}
	h := newHop(&session{}, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	const kept = `{"spec":{"a":1}}`
	before := taken{role: term.New, phase: preflight.PhaseAlone, file: recorded(t,
		record("broken", http.StatusOK, kept), record("ended", http.StatusOK, kept), record("gone", http.StatusOK, kept), record("missing", http.StatusOK, kept), record("same", http.StatusOK, kept))}
	deleted := record("gone", http.StatusNotFound, "")
	deleted.Gone = true
	after := taken{role: term.New, phase: preflight.PhaseWritten, file: recorded(t,
		record("broken", http.StatusInternalServerError, ""), deleted, record("missing", http.StatusNotFound, ""), record("same", http.StatusOK, kept))}
	require.NoError(t, h.lost(before, after, term.Old))
	refused := reading.Try{Write: reading.Put, Code: http.StatusRequestEntityTooLarge, Message: "etcdserver: request is too large"}
	at := taken{role: term.New, phase: preflight.PhaseRewrote}
	h.unwritten(at, record("large", http.StatusOK, kept, reading.Try{Write: reading.Label, Code: http.StatusOK}), refused)
	h.unwritten(at, record("known", http.StatusOK, kept, reading.Try{Write: reading.Label, Code: http.StatusUnprocessableEntity}), refused)
	for name, w := range map[string]reading.Write{"its-pods": reading.Template, "its-changes": reading.Edit, "anew": reading.Create} { // refuses another write
		h.unwritten(at, record(name, http.StatusOK, kept, reading.Try{Write: reading.Label, Code: http.StatusOK}, reading.Try{Write: w, Code: http.StatusUnprocessableEntity}), refused)
	}
	var found []string
	for _, f := range h.judged.Findings() {
		found = append(found, fmt.Sprintf("%s %s %s", f.Outcome, f.Direction, f.Name))
	}
	assert.ElementsMatch(t, []string{"undecodable back broken", "lost back ended", "lost back gone", "indeterminate back missing", "indeterminate back large", "indeterminate back its-pods", "indeterminate back its-changes", "indeterminate back anew"}, found)
}

// TestRolledBack: where the newer release has stored the objects, what the older one shows otherwise of them is a
// finding, and so is a template that its controllers compare with the one that pods were made from. What it only
// hides, its writes show; where it stored the objects itself, it shows them as before.
func TestRolledBack(t *testing.T) {
	record := func(name, form, object string) reading.Record {
		return reading.Record{Key: name, APIVersion: "a.io/v1", Form: form, Kind: "A", Namespace: "n", Name: name, Code: http.StatusOK, Revision: 3, Object: []byte(object)}
	}
	const with, without = `{"spec":{"template":{"spec":{"a":1,"b":1}}}}`, `{"spec":{"template":{"spec":{"a":1}}}}`
	h := newHop(&session{}, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	h.rollback = true
	h.revisedBy["n/A/restarted"] = true
	newer := taken{role: term.New, phase: preflight.PhaseBaseline, file: recorded(t,
		record("changed", "a.io/v1", `{"spec":{"c":1}}`), record("hidden", "a.io/v1", with), record("other", "a.io/v2", with), record("restarted", "a.io/v1", with), record("same", "a.io/v1", with))}
	older := taken{role: term.Old, phase: preflight.PhaseBack, file: recorded(t,
		record("changed", "a.io/v1", `{"spec":{"c":2}}`), record("hidden", "a.io/v1", without), record("other", "a.io/v1", with), record("restarted", "a.io/v1", without), record("same", "a.io/v1", with))}
	require.NoError(t, h.returned(upgraded{alone: newer}, older))
	found := []string{}
	for _, f := range h.judged.Findings() {
		found = append(found, fmt.Sprintf("%s %s %s %s", f.Outcome, f.Direction, f.Name, f.Path))
	}
	assert.ElementsMatch(t, []string{"restarted back restarted .spec.template", "changed back changed .spec.c", "indeterminate back other "}, found)
}

// TestBaseline: an object of a kind that the first release does not serve is found once, as is a key whose value is no
// object; one whose GET decides nothing is found once, and makes both directions unknown; one that is shown is no finding.
func TestBaseline(t *testing.T) {
	h := newHop(&session{}, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	h.filled = 9
	base := taken{role: term.Old, phase: preflight.PhaseBaseline, file: recorded(t,
		reading.Record{Key: "/registry/as/gone", APIVersion: "a.io/v1", Kind: "A", Name: "gone"},
		reading.Record{Key: "/registry/weird/key", Name: "key"},
		reading.Record{Key: "/registry/weird/other/key", Namespace: "other", Name: "key"},
		reading.Record{Key: "/registry/bs/odd", APIVersion: "v1", Kind: "B", Form: "v1", Name: "odd", Code: http.StatusBadRequest, Message: "no"},
		reading.Record{Key: "/registry/bs/shown", APIVersion: "v1", Kind: "B", Form: "v1", Name: "shown", Code: http.StatusOK, Object: []byte(`{}`)},
	)}
	require.NoError(t, h.baseline(base))
	said := func(all []preflight.Finding) (found []string) {
		for _, f := range all {
			found = append(found, fmt.Sprintf("%s %s %s %s", f.Outcome, f.Direction, f.Kind, f.Name))
		}
		return found
	}
	assert.ElementsMatch(t, []string{
		"not-served up A gone", "undecodable up key /registry/weird/key", "undecodable up key /registry/weird/other/key", "indeterminate up B odd",
	}, said(h.judged.Baseline()))
	assert.Empty(t, h.judged.Findings(), "the upgrade has nothing to do with it")
	counted := map[string]int{}
	for _, k := range h.judged.Kinds() {
		counted[k.Kind] = k.Objects
	}
	assert.Equal(t, map[string]int{"A": 1, "B": 2, "key": 2}, counted)
}

// TestUnknown: of a release that does not become ready, the objects in versions that it does not know are
// named, and those of custom resources and of known versions are not.
func TestUnknown(t *testing.T) {
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer store.Close()
	for key, version := range map[string]string{
		"flowschemas/old": "flowcontrol.apiserver.k8s.io/v1beta1", "flowschemas/now": "flowcontrol.apiserver.k8s.io/v1beta3",
		"example.com/things/n/x": "example.com/v9", "configmaps/n/x": "v1", "configmaps/n/odd": "v9",
	} {
		require.NoError(t, store.Put(t.Context(), Prefix+key, fmt.Appendf(nil, `{"apiVersion":%q,"kind":"FlowSchema","metadata":{"name":"x"}}`, version)))
	}
	s := &session{seal: snapshot.NewSeal(), Host: Host{Facts: func(context.Context, servers.Build) (source.Facts, bool, error) {
		return source.Facts{VersionPriority: map[string][]string{"": {"v1"}, "flowcontrol.apiserver.k8s.io": {"v1", "v1beta3"}}}, true, nil
	}}}
	h := newHop(s, servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}, t.TempDir())
	require.NoError(t, h.unknown(t.Context(), term.New, store, preflight.PhaseBeside, preflight.Up))
	var found []string
	for _, f := range h.judged.Findings() {
		found = append(found, fmt.Sprintf("%s %s %s %s/%s", f.Outcome, f.Direction, f.Release, f.Namespace, f.Name))
	}
	assert.ElementsMatch(t, []string{"undecodable up v1.37.2 /old", "undecodable up v1.37.2 n/odd"}, found)
	require.NoError(t, h.unknown(t.Context(), term.Old, store, preflight.PhaseBaseline, preflight.Up))
	assert.Len(t, h.judged.Baseline(), 2)
	assert.Len(t, h.judged.Findings(), 2)
}

// TestServesAll: a server does not serve all kinds yet whose definitions are stored.
func TestServesAll(t *testing.T) {
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	defer store.Close()
	require.NoError(t, store.Put(t.Context(), Prefix+"apiextensions.k8s.io/customresourcedefinitions/things.example.com", []byte("{}")))
	require.NoError(t, store.Put(t.Context(), Prefix+"example.com/things/n/x", []byte("{}")))
	names, err := definitionsOf(t.Context(), store)
	require.NoError(t, err)
	assert.Equal(t, []string{"things.example.com"}, names)
	early := published.Release{Resources: []published.Resource{{APIVersion: "v1", Plural: "things"}}}
	assert.False(t, servesAll(early, names))
	assert.True(t, servesAll(early, nil))
	early.Resources = append(early.Resources, published.Resource{APIVersion: "example.com/v1", Plural: "things"})
	assert.True(t, servesAll(early, names))
}

// TestNotReady: starts of the first release are the baseline, and one finding. A later server that does not become ready
// for the same kinds is no finding; one that waits for another kind, or that does not serve at all, blocks its direction,
// once: the newer release is no readier after the rollback.
func TestNotReady(t *testing.T) {
	maps, both := []string{"ConfigMap"}, []string{"ConfigMap", "ResourceClaim.resource.k8s.io"}
	old, newer := servers.Build{Version: "v1.36.3"}, servers.Build{Version: "v1.37.2"}
	degraded := func(b servers.Build, phase string, d preflight.Direction, kinds []string) preflight.Finding {
		return preflight.Degraded(b.Version, phase, d, []string{"informer-sync"}, kinds)
	}
	ended := preflight.Finding{Outcome: term.NotReady, Direction: preflight.Up, Release: newer.Version, Phase: preflight.PhaseBeside, Message: "exited"}
	for name, c := range map[string]struct {
		first, second []string // that each release cannot read
		ends          bool
		want          []string
		up, back      preflight.Grade
	}{
		"both":         {maps, maps, false, nil, preflight.Attention, preflight.Attention},
		"fewer":        {both, maps, false, nil, preflight.Attention, preflight.Attention},
		"one more":     {maps, both, false, []string{"not-ready up v1.37.2"}, preflight.Blocked, preflight.Attention},
		"newer alone":  {nil, maps, false, []string{"not-ready up v1.37.2"}, preflight.Blocked, preflight.Ready},
		"newer ends":   {maps, nil, true, []string{"not-ready up v1.37.2"}, preflight.Blocked, preflight.Attention},
		"none of them": {nil, nil, false, nil, preflight.Ready, preflight.Ready},
	} {
		h := newHop(&session{}, old, newer, t.TempDir())
		if c.first != nil {
			h.judged.Unready(degraded(old, preflight.PhaseBaseline, preflight.Up, both))
			h.judged.Unready(degraded(old, preflight.PhaseBaseline, preflight.Up, c.first))
			h.judged.Unready(degraded(old, preflight.PhaseBack, preflight.Back, c.first))
		}
		if c.second != nil {
			h.judged.Unready(degraded(newer, preflight.PhaseBeside, preflight.Up, c.second))
			h.judged.Unready(degraded(newer, preflight.PhaseWritten, preflight.Back, c.second))
		}
		if c.ends {
			h.judged.Unready(ended)
		}
		h.result.Phases = []preflight.Phase{{Name: preflight.PhaseAlone}, {Name: preflight.PhaseWritten}}
		h.judged.Count(&reading.Record{Kind: "A", Name: "a"})
		result := h.concluded()
		var found []string
		for _, f := range result.Findings {
			found = append(found, fmt.Sprintf("%s %s %s", f.Outcome, f.Direction, f.Release))
		}
		assert.ElementsMatch(t, c.want, found, name)
		assert.Len(t, result.Baseline, min(len(c.first), 1), name)
		if c.first != nil {
			assert.Equal(t, c.first, result.Baseline[0].Unread, name)
		}
		assert.Equal(t, c.up, result.Up, name)
		assert.Equal(t, c.back, result.Back, name)
	}
}

// TestNotReadyWithoutItsFlag: a release that lacks a flag, and ends without the flag too, has two findings.
func TestNotReadyWithoutItsFlag(t *testing.T) {
	var j preflight.Judged
	flag := preflight.Finding{Outcome: term.NotReady, Direction: preflight.Up, Release: "v1.37.2", Path: "--gone"}
	ended := preflight.Finding{Outcome: term.NotReady, Direction: preflight.Up, Release: "v1.37.2", Phase: preflight.PhaseBeside, Message: "exited"}
	again := ended
	again.Direction, again.Phase = preflight.Back, preflight.PhaseWritten
	j.Add(flag)
	j.Unready(ended)
	j.Unready(again)
	assert.ElementsMatch(t, []preflight.Finding{flag, ended}, j.Findings())
}

// TestKindsOf: kinds are named with their groups, each once, whatever versions of them are served.
func TestKindsOf(t *testing.T) {
	r := published.Release{Resources: []published.Resource{
		{APIVersion: "v1", Kind: "ConfigMap", Plural: "configmaps"}, {APIVersion: "v1", Kind: "Secret", Plural: "secrets"},
		{APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaim", Plural: "resourceclaims"}, {APIVersion: "resource.k8s.io/v1beta2", Kind: "ResourceClaim", Plural: "resourceclaims"},
	}}
	assert.Equal(t, []string{"ConfigMap", "ResourceClaim.resource.k8s.io"},
		kindsOf(r, []string{"/apis/resource.k8s.io/v1/resourceclaims", "/apis/resource.k8s.io/v1beta2/resourceclaims", "/api/v1/configmaps"}))
}
