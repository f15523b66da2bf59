package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/plan"
)

func planWith(clients ...term.Client) *plan.Plan {
	var steps []plan.Step
	for _, c := range clients {
		steps = append(steps, plan.Step{Action: plan.Operate, Client: c})
	}
	return &plan.Plan{Stages: []plan.Stage{{Steps: append(steps, plan.Step{Action: plan.Stop})}}}
}

func TestClientRoles(t *testing.T) {
	for _, c := range []struct {
		clients []term.Client
		want    []term.Role
	}{
		{[]term.Client{term.Dynamic}, nil},
		{[]term.Client{term.NewApply, term.OldTyped, term.OldTyped}, []term.Role{term.Old, term.New}},
		{[]term.Client{term.Dynamic, term.NewTyped}, []term.Role{term.New}},
	} {
		assert.Equal(t, c.want, ClientRolesOf(planWith(c.clients...)).Roles)
	}
}

// TestPrograms: a run records whose types its clients have.
func TestPrograms(t *testing.T) {
	builds := map[term.Role]typedclient.Build{term.New: {Version: "v1.1.0+required", Digest: "0a"}}
	version, digest := newTypedClients(builds, t.TempDir())[term.New].Origin()
	assert.Equal(t, "v1.1.0+required 0a", version+" "+digest)
}
