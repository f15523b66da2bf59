package play

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// defining returns a build of definitions with these scopes, by kind.
func defining(scopes map[string]string) servers.Build {
	i := &servers.Installation{}
	for _, kind := range []string{"Thing", "Gadget"} {
		body := map[string]any{"spec": map[string]any{"group": "example.dev", "scope": scopes[kind], "names": map[string]any{"kind": kind, "plural": kind}}}
		text, _ := json.Marshal(body)
		i.Objects, i.Defines = append(i.Objects, text), append(i.Defines, kind+".example.dev")
	}
	return servers.Build{Installs: i}
}

// TestImmovable: a definition whose scope changed costs its own kind, with a reason on each of its
// rows, and no other kind. The server decides: what it accepts stays.
func TestImmovable(t *testing.T) {
	asked := 0
	for name, refuses := range map[string]bool{"refused": true, "accepted": false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked++
			assert.Equal(t, "All", r.URL.Query().Get("dryRun"))
			w.Header().Set("Content-Type", "application/json")
			if refuses {
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = w.Write([]byte(`{"kind":"Status","code":422,"message":"Thing is invalid: spec.scope: Invalid value: \"Cluster\": field is immutable","details":{"causes":[{"field":"spec.scope","reason":"FieldValueInvalid","message":"Invalid value: \"Cluster\": field is immutable"}]}}`))
				return
			}
			_, _ = w.Write([]byte(`{}`))
		}))
		t.Cleanup(server.Close)
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		row := func(k term.DifferenceKind, kind string) sweep.Row {
			return sweep.Row{ID: string(k) + kind, Difference: diff.Difference{Difference: k, Group: "example.dev", Version: "v1", Kind: kind, Playable: true}}
		}
		s := &session{
			builds: map[term.Role]servers.Build{
				term.Old: defining(map[string]string{"Thing": "Namespaced", "Gadget": "Namespaced"}), term.New: defining(map[string]string{"Thing": "Cluster", "Gadget": "Namespaced"}),
			},
			plain: map[term.Role]published.Release{term.New: {Resources: []published.Resource{{APIVersion: "example.dev/v1", Kind: "Thing"}, {APIVersion: "example.dev/v1", Kind: "Gadget"}}}},
			rows:  []sweep.Row{row(term.NamesChanged, "Thing"), row(term.FieldAdded, "Thing"), row(term.FieldAdded, "Gadget")},
		}
		require.NoError(t, findImmovable(t.Context(), s, try.NewServer(conn, nil)))
		leaveOutImmovable(s)
		rows := sweep.Rows(s.rows, nil, func(rows []sweep.Row) []sweep.Row { return addImmovable(s.immovable, rows) })
		by := map[string]sweep.Row{}
		for _, r := range rows {
			by[r.ID] = r
		}
		if !refuses {
			assert.Len(t, s.plain[term.New].Resources, 2, name)
			assert.Empty(t, namesOf(s.immovable), name)
			continue
		}
		assert.Equal(t, []string{"Thing.example.dev"}, namesOf(s.immovable))
		assert.Len(t, s.plain[term.New].Resources, 1)
		scope := by["names-changedThing"]
		assert.Equal(t, []any{term.Refused.Effect(), term.RuleInstallable, term.Immutable, 1}, []any{scope.Effect, scope.Rule, scope.Cause, scope.Broken})
		assert.Equal(t, term.NotExercised.Effect(), by["field-addedThing"].Effect)
		assert.NotEqual(t, by["field-addedGadget"].Reason, by["field-addedThing"].Reason)
		assert.True(t, by["field-addedGadget"].Playable)
	}
	assert.Equal(t, 2, asked, "a definition whose scope stays is not asked about")
}

// TestMovabilityUnknown: a server that fails, or is overloaded, says nothing of a definition: no kind is left
// out, and the sweep ends.
func TestMovabilityUnknown(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(server.Close)
	conn, err := client.Connect(client.Endpoint{URL: server.URL})
	require.NoError(t, err)
	s := &session{builds: map[term.Role]servers.Build{
		term.Old: defining(map[string]string{"Thing": "Namespaced"}), term.New: defining(map[string]string{"Thing": "Cluster"}),
	}}
	require.Error(t, findImmovable(t.Context(), s, try.NewServer(conn, nil)))
	assert.Empty(t, s.immovable)
}

// TestRenamed: a definition with another name and the kind of an old one costs that kind; one with a
// new kind does not.
func TestRenamed(t *testing.T) {
	old, new := defining(map[string]string{}), defining(map[string]string{})
	new.Installs.Defines = []string{"thingies.example.dev", "Gadget.example.dev"}
	s := &session{builds: map[term.Role]servers.Build{term.Old: old, term.New: new}}
	require.NoError(t, findImmovable(t.Context(), s, nil))
	assert.Equal(t, []string{"Thing.example.dev,thingies.example.dev"}, namesOf(s.immovable))

	new.Installs.Objects[0] = []byte(`{"spec": {"group": "example.dev", "names": {"kind": "Other"}}}`)
	s = &session{builds: map[term.Role]servers.Build{term.Old: old, term.New: new}}
	require.NoError(t, findImmovable(t.Context(), s, nil))
	assert.Empty(t, s.immovable)
}
