package run

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// lame is a server that does not read some collections.
type lame struct {
	servers.Process
	unread  []string
	settles bool
}

func (l lame) Lacks(of []string) servers.Lack {
	return servers.Lack{Checks: []string{"informer-sync"}, Collections: l.unread, Settles: l.settles}.Of(of)
}

// TestLacksOfOnesOwn: a collection that a server cannot read is recorded in the run with
// that kind, and in no other of the shared run; each record says that the server is shared.
func TestLacksOfOnesOwn(t *testing.T) {
	all := sharedConfigs(t, globalWorld(t), runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
	for file, m := range all[1].Plan.Manifests {
		m.Kind = "Widget"
		all[1].Plan.Manifests[file] = m
	}
	c := newShared(t.Context(), func(error) {}, all[0])
	for _, one := range all {
		w := c.join(t.Context(), one, func(error) {})
		w.known.ByRole = map[term.Role]fleet.Release{term.New: {Said: history.Release{Resources: []history.Resource{
			{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets"}, {APIVersion: "example.dev/v1", Kind: "Widget", Plural: "widgets"},
		}}}}
	}
	const gadgets, widgets = "/apis/example.dev/v1/gadgets", "/apis/example.dev/v1/widgets"
	assert.Equal(t, []string{gadgets, widgets}, c.Collections(term.New))
	for _, unread := range [][]string{{gadgets}, {widgets}, {gadgets, widgets}, nil} {
		c.TellReady(history.Server{Role: term.New, Event: history.Ready}, lame{unread: unread, settles: len(unread) == 1})
	}
	said := func(collection string) string {
		return servers.Lack{Checks: []string{"informer-sync"}, Collections: []string{collection}}.String()
	}
	for i, want := range [][]string{{said(gadgets), "", said(gadgets), ""}, {"", said(widgets), said(widgets), ""}} {
		require.NoError(t, all[i].History.Write(history.Record{End: &history.End{Outcome: history.Finished}}))
		var told []string
		var settles []bool
		for _, s := range load(t, all[i]).Servers {
			told, settles = append(told, s.Lacks), append(settles, s.Settles)
			assert.True(t, s.Shared)
		}
		assert.Equal(t, want, told, all[i].Plan.Scenario)
		assert.Equal(t, []bool{i == 0, i == 1, false, false}, settles, "as far as it lacks anything of the run's own")
	}
}

// TestSharedStarts: the trials of a shared run record that they were shared, those of a
// single run do not.
func TestSharedStarts(t *testing.T) {
	t.Parallel()
	w := globalWorld(t)
	all := sharedConfigs(t, w, runtest.SmallPlan(t, runtest.Small), called(t, "other", ""))
	require.Equal(t, []error{nil, nil}, Together(runtest.Bounded(t), all))
	lone := config(t, globalWorld(t), runtest.SmallPlan(t, runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), lone))
	for want, c := range map[bool]Config{true: all[0], false: lone} {
		h := load(t, c)
		for _, trial := range h.Trials {
			assert.Equal(t, want && trial.Trial == history.TrialStart, trial.Shared)
		}
		for _, s := range h.Servers {
			assert.Equal(t, want && s.Event == history.Ready, s.Shared, s.Event)
		}
	}
}
