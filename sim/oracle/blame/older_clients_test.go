package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// older has clients of a release before the pair's, whose types have no place for
// .spec.colour, which both releases of the pair publish. Nothing is published of them: the
// recording of their bodies is all there is.
func older(t *testing.T) *oracletest.Run {
	run := oracletest.NewMixed(t)
	document := oracletest.Document(t, oracletest.Definitions(term.Old))
	path.Remove(document, oracletest.Path(t, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.colour`))
	run.OlderTypes = oracletest.Schema(t, document)
	run.History.Header.Plan.Clients = "v0.8.0"
	return run
}

// TestOlderClient: what a client of a release before the pair's could not carry back is
// its own omission, though both releases of the pair have the field. A patch, and what it
// was not shown, are not.
func TestOlderClient(t *testing.T) {
	const coloured = `{"colour": "red", "size": "2"}`
	run := older(t)
	run.Create("bystander-1", coloured)
	run.Put("bystander-1", oracletest.ReadVia("a"), oracletest.Via("a"), oracletest.By(term.OlderTyped))
	run.ExpectFindings(`nothing-lost impact rule-5 lost client-omitted bystander-1 .spec.colour in step 4 (upgrading 1/2)`)

	run = older(t)
	run.Create("bystander-1", coloured)
	run.Patch("bystander-1", oracletest.By(term.OlderTyped))
	run.Create("bystander-2", `{"size": "2"}`)
	run.Put("bystander-2", oracletest.ReadVia("a"), oracletest.Via("a"), oracletest.By(term.OlderTyped))
	run.Create("bystander-3", coloured)
	run.Put("bystander-3", oracletest.ReadVia("a"), oracletest.Via("a"), oracletest.By(term.OldTyped))
	run.ExpectFindings()
}

// TestOlderClientSets: what such a client sets counts as sent where its body holds it.
func TestOlderClientSets(t *testing.T) {
	run := older(t)
	run.Create("bystander-1", `{"size": "2"}`)
	run.Put("bystander-1", oracletest.ReadVia("a"), oracletest.Via("a"), oracletest.By(term.OlderTyped), oracletest.Set(".spec.size", "3"), oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings()
	run.Change("bystander-1", ".spec.size", "1")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)
}
