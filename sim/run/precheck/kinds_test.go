package precheck

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// TestMeantKind: what a kind that is not served may be meant to be, in one go where its
// version is wrong as well.
func TestMeantKind(t *testing.T) {
	const off = "correct it, or switch the version on with runtimeConfig"
	pc := &planCheck{known: &fleet.Known{ByRole: map[term.Role]fleet.Release{term.Old: {Kinds: []client.ServedKind{
		{APIVersion: "v1", Kind: "ConfigMap"}, {APIVersion: "v1", Kind: "Pod"},
		{APIVersion: "apps/v1", Kind: "Deployment"}, {APIVersion: "apps/v1", Kind: "DaemonSet"},
		{APIVersion: "batch/v1", Kind: "Job"}, {APIVersion: "batch/v1beta1", Kind: "CronJob"},
	}}}}}
	for _, c := range []struct{ apiVersion, kind, field, hint string }{
		{"apps/v7", "Deploymint", "kind", `did you mean kind "Deployment" of apiVersion "apps/v1"?`},
		{"aps/v1", "Deploymint", "kind", `did you mean kind "Deployment" of apiVersion "apps/v1"?`},
		{"v2", "ConfigMapp", "kind", `did you mean kind "ConfigMap" of apiVersion "v1"?`},
		{"batch/v1", "CronJobb", "kind", `did you mean kind "CronJob" of apiVersion "batch/v1beta1"?`},
		{"apps/v1", "Deploymint", "kind", `did you mean "Deployment"?`},
		{"apps/v7", "Deployment", "apiVersion", "it is served as apps/v1; " + off},
		{"apps/v7", "Something", "apiVersion", `did you mean "apps/v1"? that has no such kind either`},
		{"elsewhere.example.com/v1", "Something", "kind", off},
	} {
		field, hint := pc.meantKind(plan.Manifest{APIVersion: c.apiVersion, Kind: c.kind})
		assert.Equal(t, c.field, field, c)
		assert.Equal(t, c.hint, hint, c)
	}
}
