package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Cases that one operand of a condition tells apart. The mutation run found that no other
// test notices when it is left out.

// What one server refused before the upgrade, and the other could not answer, was never
// writable. Near miss: no server refused it.
func TestNeverWritableThroughOneServer(t *testing.T) {
	for code, want := range map[int][]string{
		422: nil,
		503: {`stays-writable violation stays-writable frozen unattributed control-1  in step 5 (new)`},
	} {
		s := tell(t)
		s.create("control-1", plainSpec)
		before := s.attempt("control-1")
		fails(&s.tried(before, "control-1", "a", term.LabelAttempt).Exchange, code, "no")
		fails(&s.tried(before, "control-1", "b", term.LabelAttempt).Exchange, 503, "busy")
		s.stage("new", term.New, term.New)
		after := s.attempt("control-1")
		fails(&s.tried(after, "control-1", "a", term.LabelAttempt).Exchange, 422, "no")
		s.finds(want...)
	}
}

// A frozen object that no GET through the release has met is stored in a version, or an
// encoding, that the release does not read. Near miss: in one that it reads.
func TestFrozenInAFormThatIsNotRead(t *testing.T) {
	for want, c := range map[term.Cause]struct{ version, encoding string }{
		term.BadVersion:   {"example.dev/v2", "json"},
		term.BadEncoding:  {"example.dev/v1", "cbor"},
		term.Unattributed: {"example.dev/v1", "json"},
	} {
		s := tell(t, term.Upgrade, term.Rollback)
		r := s.h.Releases[term.New]
		r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget"})
		s.h.Releases[term.New] = r
		s.create("control-1", plainSpec)
		read := s.changeOf("control-1")
		read.APIVersion, read.Kind, read.Encoding = "example.dev/v1", "Widget", "json"
		s.stage("new", term.New, term.New)
		s.blind = true
		s.create("bystander-1", plainSpec)
		stored := s.changeOf("bystander-1")
		stored.APIVersion, stored.Kind, stored.Encoding = c.version, "Widget", c.encoding
		s.stage("rolled-back", term.Old, term.Old)
		step := s.attempt("bystander-1")
		fails(&s.tried(step, "bystander-1", "a", term.SelfAttempt).Exchange, 500, "unable to decode")
		var causes []term.Cause
		for _, f := range s.result().Findings {
			if f.State == term.Frozen {
				causes = append(causes, f.Cause)
			}
		}
		assert.Equal(t, []term.Cause{want}, causes)
	}
}

// A manager that was not shown a value which the release publishes has given it up all the
// same: only a release that has no place for the value hides it.
func TestApplyThatWasNotShownTheValue(t *testing.T) {
	owned := object{"f:spec": object{"f:shine": object{"f:level": object{}}}}
	for through, want := range map[string]string{"a": "apply-released", "b": "read-hidden"} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		s.applied("treated-1", plan.DefaultManager, owned)
		s.edge()
		step := s.does(term.ExtractApply, "treated-1", spec(object{"colour": "red"}), []edit{with(".spec.shine", nil)}, via("a"), read(through))
		all := []string{`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.shine in step 5 (upgrading 1/2)`}
		if through == "a" {
			x := s.recorded(step, history.Read, through)
			x.Answer = s.bend(x.Answer, ".spec.shine", nil)
			all = append([]string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 5 (upgrading 1/2)`}, all...)
		}
		s.finds(all...)
	}
}

// What a call did is not told by what its release had shown of an older version. Near
// miss: the release has shown the newest, which holds what the call did not do.
func TestEffectAfterAWriteThatWasNotShown(t *testing.T) {
	for _, blind := range []bool{true, false} {
		s := controlled(t)
		s.create("bystander-1", plainSpec, via("b"))
		s.blind = blind
		s.patch("bystander-1", by(term.NewTyped), via("a"), set(".spec.tags", []any{"x"}))
		s.patch("bystander-1", by(term.OldTyped), via("b"))
		res := s.finds()
		assert.Equal(t, map[bool]int{true: 1, false: 0}[blind], check(t, res, term.CheckRule2).Indeterminate, "blind %t", blind)
	}
}
