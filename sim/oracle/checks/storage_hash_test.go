package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// What discovery says of the storage version is held against what a release was
// seen to store: by its hash, as k8s.io/apiserver makes it.
func TestStorageHash(t *testing.T) {
	const v1, v2 = "dGliDuVrUiQ=", "struHC9Z8ZM="
	hash := func(reported, stored string) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		r := run.History.Releases[term.Old]
		r.Resources = append([]history.Resource{}, r.Resources...)
		r.Resources[0].StorageVersionHash = reported
		run.History.Releases[term.Old] = r
		change := run.StoredChange("bystander-1")
		change.APIVersion, change.Kind = stored, "Widget"
		return run
	}
	hash("", "example.dev/v1").ExpectFindings()
	hash(v1, "example.dev/v1").ExpectFindings()
	lie := `everything-decodes violation storage changed storage-version bystander-1  in step 2 (old)`
	hash(v2, "example.dev/v1").ExpectFindings(lie)
	hash(v1, "example.dev/v2").ExpectFindings(lie)
}

// A lie about any version of the kind's group is one, and so is silence where the
// release before had one. A release may be the first to have one.
func TestStorageHashElsewhere(t *testing.T) {
	const v1, v2 = "dGliDuVrUiQ=", "struHC9Z8ZM="
	reported := func(old, new, elsewhere, group string) *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("a"))
		run.Create("bystander-2", oracletest.PlainSpec, oracletest.Via("b"))
		for role, hash := range map[term.Role]string{term.Old: old, term.New: new} {
			r := run.History.Releases[role]
			r.Resources = append([]history.Resource{}, r.Resources...)
			r.Resources[0].StorageVersionHash = hash
			r.Elsewhere = []history.Resource{
				{APIVersion: group + "/v2", Kind: "Widget", StorageVersionHash: hash},
				{APIVersion: "example.dev/v2", Kind: "Gadget", StorageVersionHash: v2},
			}
			if role == term.New {
				r.Elsewhere[0].StorageVersionHash = elsewhere
			}
			run.History.Releases[role] = r
		}
		for i := range run.History.Changes {
			run.History.Changes[i].APIVersion, run.History.Changes[i].Kind = "example.dev/v1", "Widget"
		}
		return run
	}
	lie := `everything-decodes violation storage changed storage-version bystander-1  in step 3 (upgrading 1/2)`
	reported(v1, v1, v1, "example.dev").ExpectFindings()
	reported(v1, v1, v2, "another.dev").ExpectFindings()
	reported("", v1, v1, "example.dev").ExpectFindings()
	reported("", "", "", "example.dev").ExpectFindings()
	reported(v1, v1, v2, "example.dev").ExpectFindings(lie)
	silent := reported(v1, v1, "", "example.dev")
	silent.ExpectFindings(lie)
	silent.ExpectMessage(lie, "says in discovery of example.dev/v2 Widget no hash of its storage version, and v1.0.0 did")
}
