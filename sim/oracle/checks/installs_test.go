package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A manifest that the server does not take is reported, and why; one that it takes is not.
func TestRefusedManifests(t *testing.T) {
	for name, c := range map[string]struct {
		one  history.Installed
		want []string
	}{
		"taken": {history.Installed{Code: 200, Stored: []string{"v1", "v2"}, Versions: []string{"v1", "v2"}}, nil},
		"stored in a version that it lacks": {
			history.Installed{Code: 422, Message: "v2 must remain", Stored: []string{"v1", "v2"}, Versions: []string{"v1"}},
			[]string{"installs violation installs refused storage-version   in step 3 (rolled-back)"}},
		"for another reason": {
			history.Installed{Code: 422, Message: "immutable", Stored: []string{"v1"}, Versions: []string{"v1"}},
			[]string{"installs violation installs refused unattributed   in step 3 (rolled-back)"}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewManifests(t)
			run.Stage("new", term.New, term.New)
			run.Install(term.New, history.Installed{Code: 200, Stored: []string{"v1", "v2"}})
			run.Stage("rolled-back", term.Old, term.Old)
			run.Install(term.Old, c.one)
			run.Create("bystander-1", oracletest.TwoPartsSpec)
			run.ExpectFindings(c.want...)
		})
	}
}

// Where a rollback is refused, the servers go on with the new definition: what an old
// client drops there, no server prunes, and the new field is hidden from nobody.
func TestRefusedRollback(t *testing.T) {
	for _, refused := range []bool{false, true} {
		run := oracletest.NewManifests(t)
		run.Stage("new", term.New, term.New)
		run.Install(term.New, history.Installed{Code: 200})
		run.Create("treated-1", oracletest.ShineSpec)
		serves, one, cause := term.Old, history.Installed{Code: 200}, "pruned"
		if refused {
			serves, one, cause = term.New, history.Installed{Code: 422, Message: "no"}, "client-omitted"
		}
		run.Stage("rolled-back", serves, serves)
		at := run.Steps
		run.Install(term.Old, one)
		run.Put("treated-1", oracletest.By(term.OldTyped))
		calledOld(run, at)
		run.Stage("re-upgraded", term.New, term.New)
		run.Install(term.New, history.Installed{Code: 200})
		run.Observe()
		want := []string{"nothing-lost impact rule-6 lost " + cause + " treated-1 .spec.shine in step 5 (rolled-back)"}
		if refused {
			want = append([]string{"installs violation installs refused unattributed   in step 4 (rolled-back)"}, want...)
		}
		run.ExpectFindings(want...)
	}
}

// calledOld calls all servers from a step on by the name of the old release.
func calledOld(run *oracletest.Run, from int) {
	stages := run.History.Header.Plan.Stages
	for i := range stages[len(stages)-1].Steps {
		step := &stages[len(stages)-1].Steps[i]
		if step.ViaRole != "" {
			step.ViaRole = term.Old
		}
		if step.ReadRole != "" {
			step.ReadRole = term.Old
		}
	}
	for i := range run.History.Operations {
		if run.History.Operations[i].Step >= from {
			run.History.Operations[i].Role = term.Old
		}
	}
}

// A definition that loses a field prunes as it is read. Of a kind that is no custom
// resource nothing says why a value is not served.
func TestPrunedOnRead(t *testing.T) {
	for _, custom := range []bool{true, false} {
		run := oracletest.NewManifests(t)
		cause := "pruned"
		if !custom {
			cause = "unattributed"
			for role, release := range run.History.Releases {
				release.Defines = nil
				run.History.Releases[role] = release
			}
		}
		document := oracletest.Document(t, oracletest.Definitions(term.New))
		path.Remove(document, oracletest.Path(t, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.colour`))
		run.Schemas[term.New] = oracletest.Schema(t, document)
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Observe()
		res, _ := run.Judge()
		if len(res.Findings) == 0 || res.Findings[0].Path != ".spec.colour" || res.Findings[0].Outcome != term.Lost || string(res.Findings[0].Cause) != cause {
			t.Errorf("custom %v: %v", custom, res.Findings)
		}
	}
}

// Where the manifests were forgotten, only clients are new: what they send of the change
// is pruned, and that is an impact. What nobody's types have is not one.
func TestForgottenManifests(t *testing.T) {
	for _, forgotten := range []bool{true, false} {
		run := oracletest.NewManifests(t)
		want := "nothing-lost violation rule-3 dropped pruned treated-1 .spec.shine in step 3 (new)"
		if forgotten {
			want = "nothing-lost impact rule-3 dropped pruned treated-1 .spec.shine in step 3 (new)"
			run.Schemas[oracle.OfClients(term.New)] = run.Schemas[term.New]
		}
		run.Schemas[term.New] = run.Schemas[term.Old]
		run.Stage("new", term.New, term.New)
		run.Create("treated-1", oracletest.ShineSpec)
		run.ExpectFindings(want)
	}
}

// A rollback that is refused leaves the new definition up to the end of the run.
func TestRefusedRollbackUpToTheEnd(t *testing.T) {
	for _, refused := range []bool{false, true} {
		run := oracletest.NewManifests(t)
		run.Stage("new", term.New, term.New)
		run.Install(term.New, history.Installed{Code: 200})
		run.Create("treated-1", oracletest.ShineSpec)
		serves, one := term.Old, history.Installed{Code: 200}
		if refused {
			serves, one = term.New, history.Installed{Code: 422}
		}
		run.Stage("rolled-back", serves, serves)
		at := run.Steps
		run.Install(term.Old, one)
		run.Put("treated-1", oracletest.By(term.OldTyped))
		calledOld(run, at)
		if !refused {
			run.ExpectFindings() // nothing that has the field reads it again
			continue
		}
		run.ExpectFindings(`installs violation installs refused unattributed   in step 4 (rolled-back)`,
			`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 5 (rolled-back)`)
	}
}
