package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// older has clients of a release before the pair's, whose types have no place for
// .spec.colour, which both releases of the pair publish. Nothing is published of them: the
// recording of their bodies is all there is.
func older(t *testing.T) *story {
	s := mixed(t)
	document := documentOf(t, published(term.Old))
	path.Remove(document, parsePath(t, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.colour`))
	s.olderTypes = schemaOf(t, document)
	s.h.Header.Plan.Clients = "v0.8.0"
	return s
}

// TestOlderClient: what a client of a release before the pair's could not carry back is
// its own omission, though both releases of the pair have the field. A patch, and what it
// was not shown, are not.
func TestOlderClient(t *testing.T) {
	const coloured = `{"colour": "red", "size": "2"}`
	s := older(t)
	s.create("bystander-1", coloured)
	s.put("bystander-1", read("a"), via("a"), by(term.OlderTyped))
	s.finds(`nothing-lost impact rule-5 lost client-omitted bystander-1 .spec.colour in step 4 (upgrading 1/2)`)

	s = older(t)
	s.create("bystander-1", coloured)
	s.patch("bystander-1", by(term.OlderTyped))
	s.create("bystander-2", `{"size": "2"}`)
	s.put("bystander-2", read("a"), via("a"), by(term.OlderTyped))
	s.create("bystander-3", coloured)
	s.put("bystander-3", read("a"), via("a"), by(term.OldTyped))
	s.finds()
}

// TestOlderClientSets: what such a client sets counts as sent where its body holds it.
func TestOlderClientSets(t *testing.T) {
	s := older(t)
	s.create("bystander-1", `{"size": "2"}`)
	s.put("bystander-1", read("a"), via("a"), by(term.OlderTyped), set(".spec.size", "3"), set(".spec.colour", "blue"))
	s.finds()
	s.store("bystander-1", ".spec.size", "1")
	s.edge()
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)
}
