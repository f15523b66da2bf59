package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// edit is a change of a value that a server refuses because of a field; "" for none.
func edit(pointer, value, field string) reading.Try {
	t := reading.Try{Write: reading.Edit, Code: 200, Edit: &reading.FieldEdit{Pointer: pointer, Was: []byte(`1`), Value: []byte(value)}}
	if field != "" {
		t.Code, t.Message, t.Causes = 422, field+": Invalid value: no", []reading.Cause{{Field: field, Message: "Invalid value: no"}}
	}
	return t
}

// TestBesides: what a release refuses of changes and of new objects is found, unless the value that was sent is to
// blame, or the object itself is refused already.
func TestBesides(t *testing.T) {
	good := seen("old", `{"spec":{"a":1}}`)
	create := reading.Try{Write: reading.Create, Code: 422, Message: "no"}
	for name, c := range map[string]struct {
		tries []reading.Try
		want  []term.Outcome
	}{
		"a rule of what is around":    {[]reading.Try{edit("/spec/note", `"b"`, "spec")}, []term.Outcome{term.PartlyFrozen}},
		"accepted":                    {[]reading.Try{edit("/spec/note", `"b"`, "")}, nil},
		"a text that was sent":        {[]reading.Try{edit("/spec/note", `"b"`, "spec.note")}, nil},
		"every number":                {[]reading.Try{edit("/spec/a", `2`, "spec.a"), edit("/spec/a", `3`, "spec.a")}, []term.Outcome{term.PartlyFrozen}},
		"a number":                    {[]reading.Try{edit("/spec/a", `2`, "spec.a"), edit("/spec/a", `3`, "")}, nil},
		"another element":             {[]reading.Try{edit("/spec/l/1", `"b"`, "spec.l[0]")}, []term.Outcome{term.PartlyFrozen}},
		"the element that was sent":   {[]reading.Try{edit("/spec/l/1", `"b"`, "spec.l[1]")}, nil},
		"a new object":                {[]reading.Try{create}, []term.Outcome{term.Uncreatable}},
		"a new object, by a quota":    {[]reading.Try{{Write: reading.Create, Code: 403, Message: "exceeded quota: q"}}, nil},
		"the object itself is frozen": {[]reading.Try{{Write: reading.Put, Code: 422, Message: "no"}, edit("/spec/note", `"b"`, "spec"), create}, []term.Outcome{term.Frozen}},
	} {
		assert.Equal(t, c.want, classes(Worse(good, seen("new", `{"spec":{"a":1}}`, c.tries...), Up)), name)
	}
	secret := edit("/spec/note", `"s3cr3u"`, "spec")
	secret.Message = "spec: s3cr3u is no set"
	assert.NotContains(t, Worse(good, seen("new", `{}`, secret), Up)[0].Message, "s3cr3u", "a value that was sent")
}

// TestCreatedFromManifests: an object that cannot be created is a warning, and an error of manifests.
func TestCreatedFromManifests(t *testing.T) {
	for kind, want := range map[SourceKind]Grade{Snapshot: Attention, Manifests: Blocked} {
		h := Hop{
			Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}, Kinds: []Kind{{Kind: "A", Objects: 1}},
			Findings: []Finding{{Outcome: term.Uncreatable, Direction: Up, Kind: "A", Name: "a"}},
		}
		h.Grade(Source{Kind: kind})
		assert.Equal(t, want, h.Up, kind)
		assert.Equal(t, want == Blocked, h.Findings[0].Fails(), kind)
	}
}

// TestOfServers: an object that servers make by themselves decides no grade, unless somebody else has written it.
func TestOfServers(t *testing.T) {
	managed := func(managers string) Grade {
		first := seen("old", `{"metadata":{"managedFields":[`+managers+`]}}`)
		second := seen("new", "")
		second.Form = ""
		h := Hop{Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}, Kinds: []Kind{{Kind: "A", Objects: 1}}, Findings: Worse(first, second, Up)}
		require.Len(t, h.Findings, 1)
		h.Grade(Source{Kind: "snapshot"})
		return h.Up
	}
	assert.Equal(t, Ready, managed(`{"manager":"kube-apiserver"},{"manager":"service-cidr-controller"}`))
	assert.Equal(t, Blocked, managed(`{"manager":"kube-apiserver"},{"manager":"kubectl-edit"}`))
	assert.Equal(t, Blocked, managed(``), "nothing says who wrote it")
	assert.Equal(t, Blocked, managed(`{"manager":"kubectl-edit"}]},"Metadata":{"managedFields":[{"manager":"kube-apiserver"}`), "that is another field")
	assert.Equal(t, Blocked, managed(`{"manager":"kube-controller-manager"}`), "its pods are the user's")
}

// TestUnread: of a kind that neither release serves nothing is known.
func TestUnread(t *testing.T) {
	stored := seen("v1", "")
	stored.Form = ""
	f := Unread(stored, Up, "v2", true)
	assert.Equal(t, term.Unserved, f.Outcome)
	assert.Contains(t, f.Message, "a.io/v1")
	assert.Contains(t, f.Fix, "--server-flags")
	h := Hop{Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}, Kinds: []Kind{{Kind: "A", Objects: 9}}, Baseline: []Finding{f}}
	h.Grade(Source{Kind: "snapshot"})
	assert.Equal(t, Unknown, h.Up)
	h.Baseline = Alone(stored, Up)
	h.Grade(Source{Kind: "snapshot"})
	assert.Equal(t, Ready, h.Up, "the other release reads it")
}

const ruled = `{"openapi":"3.0.0","info":{"title":"t","version":"v"},"paths":{},"components":{"schemas":{
"A":{"type":"object","x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"A"}],"properties":{
  "spec":{"type":"object","x-kubernetes-validations":[{"rule":"self.a == self.b || self.a == 's3cr3t'","message":"a must be like b"},{"rule":"self.c > 1"}],"properties":{"a":{"type":"string"},"list":{"type":"array","items":{"type":"integer"}}}}}}}}}`

// TestRuleRefuses: a finding says which rule of a definition refuses an object, and what the rule says of it, without
// texts. The field that only a message names is the path.
func TestRuleRefuses(t *testing.T) {
	s := seen("new", `{"spec":{"a":"must be like"}}`)
	s.Fields = mask.FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(ruled)}})
	f := Refusal(s, Up, reading.Try{Code: 422, Message: `A.a.io "x" is invalid: spec: Invalid value: a must be like b`, Causes: []reading.Cause{{Field: "spec", Message: "Invalid value: a must be like b"}}})
	assert.Contains(t, f.Message, ": a must be like b; the rule of the definition for .spec is self.a == self.b")
	assert.NotContains(t, f.Message, "s3cr3t")
	f = Refusal(s, Up, reading.Try{Code: 422, Message: `A.a.io "x" is invalid: spec: Invalid value: hidden`, Causes: []reading.Cause{{Field: "spec", Message: "Invalid value: hidden"}}})
	assert.NotContains(t, f.Message, "rule")
	const said = `Invalid value: "": Checked value must be of type integer with format int32 in spec.list[1]`
	f = Refusal(s, Up, reading.Try{Code: 422, Message: `A.a.io "x" is invalid: <nil>: ` + said, Causes: []reading.Cause{{Field: "<nil>", Message: said}}})
	assert.Equal(t, ".spec.list[]", f.Path)
	assert.NotContains(t, f.Message, "<nil>")
	assert.Contains(t, f.Message, "must be of type integer with format int32 in spec.list[]")
}
