package play

import (
	"context"
	"io"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// widgets is a definition of a kind with a webhook, and two versions, one of which is stored. Both have a field
// more.
func widgets(stored, field string) string {
	version := func(name string) string {
		storage := "false"
		if name == stored {
			storage = "true"
		}
		return `
  - name: ` + name + `
    served: true
    storage: ` + storage + `
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}` + field + `}}}}}`
	}
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  conversion: {strategy: Webhook}
  versions:` + version("v1beta1") + version("v1")
}

// unruledSession is a session of two folders of definitions, after a comparison of what they declare.
func unruledSession(t *testing.T, old, new string) *session {
	t.Helper()
	s := &session{
		refs: map[term.Role]servers.Reference{
			term.Old: {Scheme: servers.SchemeManifests, Path: "old"}, term.New: {Scheme: servers.SchemeManifests, Path: "new"},
		},
		builds: map[term.Role]servers.Build{}, defined: map[term.Role]published.Release{}, plain: map[term.Role]published.Release{},
	}
	folders := map[string]string{"old": old, "new": new}
	s.host.Manifests = func(_ context.Context, ref servers.Reference) (crd.Set, error) {
		return crd.Read(ref.Path, fstest.MapFS{"a.yaml": {Data: []byte(folders[ref.Path])}})
	}
	require.NoError(t, s.findUnruled(t.Context()))
	shown := map[term.Role]published.Release{}
	for role, ref := range s.refs {
		set, err := s.host.Manifests(t.Context(), ref)
		require.NoError(t, err)
		stored, err := set.AsStored(s.unruledNames())
		require.NoError(t, err)
		require.NoError(t, stored.Installable())
		of := probe.Source{Manifests: func(context.Context, servers.Reference) (crd.Set, error) { return stored, nil }}
		shown[role], err = of.Define(t.Context(), ref)
		require.NoError(t, err)
		s.plain[role] = shown[role]
	}
	d, err := diff.Compare(s.withUnruled(term.Old, shown[term.Old]), s.withUnruled(term.New, shown[term.New]))
	require.NoError(t, err)
	s.host.Out = io.Discard
	require.NoError(t, s.compared(d))
	return s
}

// TestUnruled: the differences of a kind that a webhook without rules converts are all there. Those in the version
// that both releases store are played, and the others count as left out; where the stored version changes, all are.
func TestUnruled(t *testing.T) {
	const more = ", more: {type: string}"
	s := unruledSession(t, widgets("v1beta1", ""), widgets("v1beta1", more))
	playable := map[string]bool{}
	for _, r := range s.rows {
		playable[r.Version+r.Path] = r.Playable
		assert.Equal(t, !r.Playable, r.NeedsWebhook, r.ID)
		assert.True(t, r.Reachable, r.ID)
	}
	assert.Equal(t, map[string]bool{"v1.spec.more": false, "v1beta1.spec.more": true}, playable)
	assert.Equal(t, []sweep.Unconverted{{Kind: "Widget.example.dev", Version: "v1beta1", Differences: 1}}, s.result.Unconverted)
	assert.Len(t, servedKinds(s.plain)[term.New], 1)

	s = unruledSession(t, widgets("v1beta1", ""), widgets("v1", more))
	assert.Len(t, s.rows, 3)
	for _, r := range s.rows {
		assert.True(t, r.NeedsWebhook && !r.Playable, r.ID)
	}
	assert.Equal(t, []sweep.Unconverted{{Kind: "Widget.example.dev", Differences: 3}}, s.result.Unconverted)
	result := sweep.Result{Rows: s.rows, Unconverted: s.result.Unconverted}
	assert.Len(t, result.LeftOut(), 3)
	result.Rows[0].Accepted = "somebody"
	assert.Len(t, result.LeftOut(), 2)
	result = sweep.Summarize(result, nil)
	assert.Equal(t, 3, result.Totals.Differences)
	assert.Equal(t, 3, result.Totals.NeedWebhook)
	assert.Contains(t, result.Answer, "Widget.example.dev")
}

// TestUnruledAlike: a kind with a webhook and no difference leaves nothing out.
func TestUnruledAlike(t *testing.T) {
	s := unruledSession(t, widgets("v1", ""), widgets("v1", ""))
	assert.Empty(t, s.rows)
	assert.Empty(t, s.result.Unconverted)
	assert.Len(t, s.unruled, 1)
}

// TestLeaveOutOtherKinds: the builds of a sweep of some kinds define these alone, before a server starts; those
// of any other sweep define all.
func TestLeaveOutOtherKinds(t *testing.T) {
	for want, kinds := range map[string][]string{"": nil, "A,B.x": {"A", "B.x"}} {
		s := &session{refs: map[term.Role]servers.Reference{
			term.Old: {Scheme: servers.SchemeManifests, Path: "old"}, term.New: {Scheme: servers.SchemeManifests, Path: "new"},
		}}
		s.request.Kinds = kinds
		leaveOutOtherKinds(s)
		assert.Equal(t, want, s.refs[term.Old].Manifests.Kinds)
		assert.Equal(t, want, s.refs[term.New].Manifests.Kinds)
	}
}

// TestWithoutEntry: a program file that has no program for a release is named with the entry that it lacks; without a file nothing is.
func TestWithoutEntry(t *testing.T) {
	s := unruledSession(t, widgets("v1beta1", ""), widgets("v1", ""))
	require.Len(t, s.unruled, 1)
	assert.Equal(t, []string{"old", "new"}, s.unruled[0].releases)
	assert.Empty(t, s.withoutEntry(s.unruled[0]))
	s.request.Webhooks, s.unruled[0].releases = "p.yaml", []string{"old"}
	assert.Equal(t, "p.yaml has no entry old, ", s.withoutEntry(s.unruled[0]))
}
