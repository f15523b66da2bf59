package preflight

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

func seen(release, object string, tries ...reading.Try) Seen {
	r := &reading.Record{APIVersion: "a.io/v1", Kind: "A", Form: "a.io/v1", Name: "x", Revision: 7, Code: 200, Tries: tries}
	if object != "" {
		r.Object = []byte(object)
	}
	return Seen{Release: release, Phase: PhaseAlone, Record: r}
}

func failed(code int, message string) Seen {
	s := seen("new", "")
	s.Code, s.Message = code, message
	return s
}

func withTries(s Seen, tries ...reading.Try) Seen {
	s.Tries = tries
	return s
}

func classes(all []Finding) (names []term.Outcome) {
	for _, f := range all {
		names = append(names, f.Outcome)
	}
	return names
}

func paths(all []Finding) (at []string) {
	for _, f := range all {
		at = append(at, f.Path)
	}
	return at
}

// TestWorse: only what the second release does worse than the first one is a finding.
func TestWorse(t *testing.T) {
	good := seen("old", `{"spec":"s3cr3t"}`)
	refused := reading.Try{Write: reading.Put, Code: 422, Message: "no s3cr3t", Causes: []reading.Cause{{Field: "spec.a[k].b"}}}
	unserved := failed(0, "")
	unserved.Form = ""
	gone := failed(404, "not found")
	gone.Gone = true
	for name, c := range map[string]struct {
		first, second Seen
		want          []term.Outcome
	}{
		"both read":        {good, seen("new", `{}`), nil},
		"not served":       {good, unserved, []term.Outcome{term.Unserved}},
		"never served":     {unserved, unserved, nil},
		"500":              {good, failed(500, "no s3cr3t"), []term.Outcome{term.Undecodable}},
		"500 before":       {failed(500, ""), failed(500, ""), nil},
		"deleted":          {good, gone, nil},
		"not found":        {good, failed(404, "not found"), []term.Outcome{term.Indeterminate}}, // and stored all the same
		"forbidden":        {good, failed(403, ""), []term.Outcome{term.Indeterminate}},
		"no JSON":          {good, failed(200, "unexpected end"), []term.Outcome{term.Indeterminate}},
		"lost before":      {failed(404, "not found"), failed(404, "not found"), nil},
		"no answer":        {good, failed(0, "EOF"), []term.Outcome{term.Indeterminate}},
		"refused":          {good, seen("new", `{}`, refused), []term.Outcome{term.Frozen}},
		"refused before":   {seen("old", `{}`, refused), seen("new", `{}`, refused), nil},
		"limited":          {good, seen("new", `{}`, reading.Try{Write: reading.Template, Code: 403, Message: "maximum cpu usage per Container is 1, but limit is 2"}), []term.Outcome{term.Indeterminate}},
		"forbidden pod":    {good, seen("new", `{}`, reading.Try{Write: reading.Template, Code: 403, Message: "violates PodSecurity"}), []term.Outcome{term.Frozen}},
		"busy":             {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 429}), []term.Outcome{term.Indeterminate}},
		"busy before":      {seen("old", `{}`, reading.Try{Write: reading.Put, Code: 429}), seen("new", `{}`, reading.Try{Write: reading.Put}), nil},
		"unknown before":   {seen("old", `{"spec":"s3cr3t"}`, reading.Try{Write: reading.Put}), seen("new", `{}`, refused), []term.Outcome{term.Indeterminate}},
		"by a policy":      {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 422, Message: "ValidatingAdmissionPolicy 'p' denied request: s3cr3t"}), []term.Outcome{term.MeansOther}},
		"two paths":        {good, seen("new", `{}`, refused, reading.Try{Write: reading.Label, Code: 422, Message: "x", Causes: []reading.Cause{{Field: "spec.c"}}}), []term.Outcome{term.Frozen, term.Frozen}},
		"one path twice":   {good, seen("new", `{}`, refused, reading.Try{Write: reading.Label, Code: 422, Message: "x", Causes: refused.Causes}), []term.Outcome{term.Frozen}},
		"by a mutation":    {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 422, Message: "policy 'p' with binding 'b' denied request: s3cr3t"}), []term.Outcome{term.MeansOther}},
		"of a policy":      {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 422, Message: `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.validations[0].expression: Invalid value: "s3cr3t"`}), []term.Outcome{term.Frozen}},
		"a policy, and no": {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 422, Message: "ValidatingAdmissionPolicy 'p' denied request: x"}, reading.Try{Write: reading.Label, Code: 422, Message: "x"}), []term.Outcome{term.MeansOther, term.Frozen}},
		"read no more":     {good, withTries(failed(500, "x"), refused), []term.Outcome{term.Undecodable}},
		"not read before":  {withTries(failed(404, "x")), withTries(failed(404, "x"), refused), nil},
		"busy, and a pod":  {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 429}, reading.Try{Write: reading.Template, Code: 422, Message: "t", Causes: refused.Causes}), []term.Outcome{term.Indeterminate, term.Frozen}},
		"busy, and no new": {good, seen("new", `{}`, reading.Try{Write: reading.Put, Code: 429}, reading.Try{Write: reading.Create, Code: 422, Message: "t"}), []term.Outcome{term.Indeterminate, term.Uncreatable}},
		"template, after":  {good, seen("new", `{}`, refused, reading.Try{Write: reading.Template, Code: 422, Message: "t"}), []term.Outcome{term.Frozen}},
	} {
		all := Worse(c.first, c.second, Up)
		assert.Equal(t, c.want, classes(all), name)
		for _, f := range all {
			assert.NotContains(t, f.Message, "s3cr3t", name)
		}
	}
	f := Refusal(seen("new", `{}`), Back, refused)
	assert.Equal(t, ".spec.a[].b", f.Path)
	for _, whole := range []string{"", ".", "<nil>"} { // a denial by a policy, a rule for the whole object
		denied := reading.Try{Write: reading.Put, Code: 422, Message: `A "x" is invalid: [spec.b: no, and no]`, Causes: []reading.Cause{{Field: whole, Message: "denied"}}}
		assert.Empty(t, Refusal(seen("new", `{}`), Back, denied).Path, whole)
		denied.Causes = append(denied.Causes, reading.Cause{Field: "spec.b", Message: "refused"})
		f := Refusal(seen("new", `{}`), Back, denied)
		assert.Equal(t, ".spec.b", f.Path, "the first field that is known")
		assert.Contains(t, f.Message, ": denied; spec.b: refused", "a cause without a field has no path before it")
	}
	assert.Equal(t, "a.io", f.Group)
	assert.Equal(t, []term.Outcome{term.Undecodable}, classes(Alone(failed(500, "x"), Up)))
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(Alone(failed(429, "x"), Up)))
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(Alone(failed(404, "not found"), Up)), "it is stored")
	assert.Equal(t, []term.Outcome{term.Unserved}, classes(Alone(unserved, Up)))
	assert.Empty(t, Alone(good, Up))
	made := reading.Try{Write: reading.Template, Code: 422, Message: "t"}
	assert.Equal(t, []string{".spec.a[].b"}, paths(Alone(seen("old", `{}`, refused, made), Up)), "the Pod is refused for the same")
	assert.Len(t, Alone(seen("old", `{}`, made), Up), 1)
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(Alone(seen("old", `{}`, reading.Try{Write: reading.Label}), Up)), "a dry run without an answer is not clean")
}

// TestTemplateRefused: a server that refuses the Pod of a template names fields of the Pod: the path is theirs in the
// object. A policy names no field.
func TestTemplateRefused(t *testing.T) {
	pod := reading.Try{Write: reading.Template, Code: 422, Message: `Pod "x" is invalid: spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value`,
		Causes: []reading.Cause{{Field: "spec.initContainers[0].resizePolicy[0].restartPolicy"}}}
	for object, within := range map[string]string{
		`{"spec":{"template":{"spec":{}}}}`:                          "spec.template",
		`{"spec":{"jobTemplate":{"spec":{"template":{"spec":{}}}}}}`: "spec.jobTemplate.spec.template",
	} {
		f := Refusal(seen("new", object), Up, pod)
		path := within + ".spec.initContainers[].resizePolicy[].restartPolicy"
		assert.Equal(t, "."+path, f.Path)
		assert.Contains(t, f.Message, path+": Invalid value")
	}
	f := Refusal(seen("new", `{"spec":{"template":{"spec":{}}}}`), Up, reading.Try{Write: reading.Label, Code: 422, Message: "x", Causes: []reading.Cause{{Message: "x"}}})
	assert.Empty(t, f.Path)
}

// TestExpressionRefused: a compiler quotes the expression of a definition, which is no part of a custom resource.
func TestExpressionRefused(t *testing.T) {
	const message = "spec: Invalid value: {}: rule compile error: compilation failed: ERROR: <input>:1:16: undeclared reference to 'includes' (in container '')\n | self.acmepin == 48151623 && self.a.includes('s3cr3t')\n | ...............^\nERROR: <input>:1:17: again"
	f := Refusal(seen("new", `{"spec":{}}`), Up, reading.Try{Write: reading.Label, Code: 422, Message: message, Causes: []reading.Cause{{Field: "spec"}}})
	assert.Equal(t, "label was answered 422: spec: Invalid value: {}: rule compile error: compilation failed: ERROR: <input>:1:16: undeclared reference to … (in container …)\nERROR: <input>:1:17: again", f.Message)
}

// TestVanished: an object that a write has deleted is lost, unless it was being deleted; values are not
// compared where no version is common.
func TestVanished(t *testing.T) {
	assert.Equal(t, []term.Outcome{term.Lost}, classes(Vanished(seen("old", `{"metadata":{}}`), Back, term.New)))
	assert.Empty(t, Vanished(seen("old", `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}}`), Back, term.New))
	assert.Empty(t, Vanished(failed(500, "x"), Back, term.New))
	other := seen("new", `{}`)
	other.Form = "a.io/v2"
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(Incomparable(seen("old", `{}`), other, Up)))
	assert.Empty(t, Incomparable(seen("old", `{}`), seen("new", `{}`), Up))
	assert.Empty(t, Incomparable(failed(500, "x"), other, Up))
}

// TestOtherwise: another value is a finding, a default is listed, and a template is one only for
// objects whose pods were made from it.
func TestOtherwise(t *testing.T) {
	first := seen("old", `{"spec":{"a":1,"template":{"b":1}}}`)
	second := seen("new", `{"spec":{"a":2,"d":1,"template":{"b":1,"c":1}}}`)
	all, added := Otherwise(first, second, Up, nil)
	require.Equal(t, []term.Outcome{term.Changed}, classes(all))
	assert.Equal(t, ".spec.a", all[0].Path)
	assert.Equal(t, []string{".spec.d", ".spec.template.c"}, added)
	restarted, _ := Otherwise(first, second, Up, map[string]bool{"/A/x": true})
	assert.Equal(t, []term.Outcome{term.Restarted, term.Changed}, classes(restarted), "what is not in the template is found too")
	written := seen("new", `{"spec":{"a":2}}`)
	written.Revision++
	all, added = Otherwise(first, written, Up, nil)
	assert.Empty(t, all, "somebody wrote it")
	assert.Empty(t, added, "somebody wrote it")
	assert.Equal(t, []string{".spec.template"}, []string{Losses(seen("old", `{"spec":{"template":1}}`), seen("new", `{"spec":{}}`), Back, term.Old)[0].Path})
	assert.Empty(t, Losses(seen("old", `{"spec":{"a":null}}`), seen("new", `{"spec":{"d":1}}`), Back, term.Old), "nothing was lost")
	both := Losses(seen("old", `{"spec":{"a":1,"b":2}}`), seen("new", `{"spec":{"a":3}}`), Back, term.Old)
	assert.Equal(t, []term.Outcome{term.Lost, term.Changed}, classes(both), "one is gone, and one is another")
}

// TestKept: a value that the older release keeps is a finding, unless another one about the object says what
// happens to it.
func TestKept(t *testing.T) {
	var j Judged
	j.Add(Finding{Outcome: term.Frozen, Direction: Back, Group: "a.io", Kind: "A", Name: "x", Path: ".spec.a"}, Finding{Outcome: term.Frozen, Direction: Up, Group: "a.io", Kind: "A", Name: "x", Path: ".spec.b"})
	for path, want := range map[string]bool{".spec.a": false, ".spec.a[].c": false, ".spec.b": true, ".spec.ab": true} {
		f, is := j.Kept(seen("new", `{}`), path, "old", PhaseBack)
		assert.Equal(t, want, is, path)
		assert.NotContains(t, f.Message, "pods", path)
		assert.Equal(t, []any{term.MeansOther, Back, "old"}, []any{f.Outcome, f.Direction, f.Release})
	}
}

// TestKeptInTemplate: of a template, the finding says what its Pods lack.
func TestKeptInTemplate(t *testing.T) {
	f, is := new(Judged).Kept(seen("new", `{}`), ".spec.template.spec.a", "old", PhaseBack)
	assert.True(t, is)
	assert.Contains(t, f.Message, "pods")
}

// TestGrade: the worst finding of a direction decides, and what was not played is not ready.
func TestGrade(t *testing.T) {
	find := func(c term.Outcome, group string) Finding {
		return Finding{Outcome: c, Direction: Back, Group: group, Kind: "A", Name: "x"}
	}
	played := []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}
	for name, c := range map[string]struct {
		hop    Hop
		back   Grade
		answer string
	}{
		"clean":               {Hop{Phases: played}, Ready, "Back to 1: No finding in 3 of 3 objects."},
		"not played":          {Hop{Phases: played[:1]}, Unknown, "Back to 1: Not played to its end."},
		"two groups":          {Hop{Phases: played, Findings: []Finding{find(term.Lost, "a"), find(term.Lost, "b"), find(term.Lost, "b")}}, Attention, "Back to 1: 2 objects lose a value when they are written. No finding in 1 of 3 objects."},
		"the worst":           {Hop{Phases: played, Findings: []Finding{find(term.Indeterminate, ""), find(term.Frozen, "")}}, Blocked, "Back to 1: 1 object cannot be written, 1 object could not be judged. No finding in 2 of 3 objects."},
		"accepted":            {Hop{Phases: played, Findings: []Finding{{Outcome: term.Frozen, Direction: Back, Kind: "A", Name: "x", Accepted: "sig-a"}}}, Ready, "Back to 1: findings of 1 object are accepted. No finding in 2 of 3 objects."},
		"undecidable":         {Hop{Phases: played, Findings: []Finding{find(term.Indeterminate, "")}}, Unknown, "Back to 1: 1 object could not be judged. No finding in 2 of 3 objects."},
		"broken before":       {Hop{Phases: played, Baseline: []Finding{{Outcome: term.Undecodable, Kind: "A", Name: "y"}, {Outcome: term.Frozen, Kind: "A", Name: "z"}}}, Ready, "Back to 1: No finding in 1 of 3 objects; 1 object cannot be read already; 1 object cannot be written already."},
		"frozen, and changed": {Hop{Phases: played, Findings: []Finding{find(term.Frozen, "")}, Baseline: []Finding{{Outcome: term.Frozen, Kind: "A", Name: "x"}, {Outcome: term.MeansOther, Kind: "A", Name: "z"}}}, Blocked, "Back to 1: 1 object cannot be written. No finding in 2 of 3 objects."},
		"most unread":         {Hop{Phases: played, Baseline: []Finding{{Outcome: term.Undecodable, Kind: "A", Name: "y"}, {Outcome: term.Indeterminate, Kind: "A", Name: "z"}}}, Unknown, "Back to 1: Unknown, because 2 of 3 objects were not taken or not read. No finding in 1 of 3 objects; 2 objects cannot be read already."},
	} {
		h := c.hop
		h.From.Version, h.Kinds = "1", []Kind{{Kind: "A", Objects: 3}}
		h.Grade(Source{})
		assert.Equal(t, c.back, h.Back, name)
		if name != "most unread" {
			assert.Equal(t, Ready, h.Up, name)
		}
		assert.Equal(t, c.answer, h.Answers[1], name)
	}
}

// TestUnseen: no answer passes in which most objects, or all, were not taken.
func TestUnseen(t *testing.T) {
	for name, c := range map[string]struct {
		objects, notTaken int
		want              Grade
	}{"nothing": {0, 0, Unknown}, "none was taken": {0, 2, Unknown}, "few were": {2, 3, Unknown}, "half": {2, 2, Ready}, "all": {2, 0, Ready}} {
		h := Hop{Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}, Kinds: []Kind{{Kind: "A", Objects: c.objects}}}
		from := Source{NotTaken: c.notTaken}
		h.Grade(from)
		assert.Equal(t, []Grade{c.want, c.want}, []Grade{h.Up, h.Back}, name)
		r := Result{Source: from, Hops: []Hop{h}}
		assert.Equal(t, c.want == Unknown, r.Unplayed(Up), name)
	}
}

// TestJudged: objects are counted once for each class, however often they are counted.
func TestJudged(t *testing.T) {
	var j Judged
	j.Count(&reading.Record{APIVersion: "a/v1", Kind: "A"})
	j.Add(Finding{Outcome: term.Lost, Group: "a", Kind: "A", Name: "x", Path: ".b"}, Finding{Outcome: term.Lost, Group: "a", Kind: "A", Name: "x", Path: ".c"}, Finding{Outcome: term.Frozen, Group: "a", Kind: "A", Name: "x"})
	j.Add(Finding{Outcome: term.Lost, Group: "a", Kind: "A", Name: "x", Path: ".b", Phase: "later"})
	want := []Kind{{Group: "a", Kind: "A", Objects: 1, Outcomes: map[term.Outcome]int{term.Lost: 1, term.Frozen: 1}}}
	assert.Equal(t, want, j.Kinds())
	assert.Equal(t, want, j.Kinds())
	assert.Len(t, j.Findings(), 3)
	assert.Equal(t, term.Frozen, j.Findings()[0].Outcome)
}

// TestRootOwners: a Pod counts for the Deployment that owns its ReplicaSet, and objects that own each
// other end the search.
func TestRootOwners(t *testing.T) {
	var j Judged
	owned := func(kind, name, by string) *reading.Record {
		owner, of, _ := strings.Cut(by, " ")
		object := fmt.Sprintf(`{"metadata":{"ownerReferences":[{"kind":%q,"name":%q,"controller":true}]}}`, owner, of)
		return &reading.Record{APIVersion: "apps/v1", Kind: kind, Namespace: "ns", Name: name, Object: []byte(object)}
	}
	for _, r := range []*reading.Record{owned("ReplicaSet", "web-1", "Deployment web"), owned("A", "a", "B b"), owned("B", "b", "A a")} {
		j.Count(r)
	}
	j.Count(&reading.Record{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "ns", Name: "web", Object: []byte(`{"metadata":{"labels":{"app.kubernetes.io/managed-by":"Helm"}}}`)})
	for _, owner := range []string{"ReplicaSet web-1", "A a", "Job alone"} {
		j.Add(Finding{Outcome: term.Lost, Kind: "Pod", Namespace: "ns", Name: "of " + owner, Owner: owner})
	}
	roots, managers := map[string]string{}, map[string]string{}
	for _, f := range j.Findings() {
		roots[f.Name], managers[f.Name] = f.Owner, f.Manager
	}
	assert.Equal(t, map[string]string{"of ReplicaSet web-1": "Helm", "of A a": "", "of Job alone": ""}, managers)
	assert.Equal(t, "Deployment web", roots["of ReplicaSet web-1"])
	assert.Equal(t, "Job alone", roots["of Job alone"])
	assert.NotEmpty(t, roots["of A a"])
}

// TestEphemeral: an empty ReplicaSet needs no fix, and one with Pods does; an object that cannot be read
// breaks the LIST of all.
func TestEphemeral(t *testing.T) {
	set := func(replicas int) Seen {
		s := seen("new", fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
		s.APIVersion, s.Kind = "apps/v1", "ReplicaSet"
		return s
	}
	assert.True(t, set(0).finding(term.Frozen, Up, "").Ephemeral)
	assert.False(t, set(1).finding(term.Frozen, Up, "").Ephemeral)
	event := seen("new", "{}")
	event.APIVersion, event.Kind = "v1", "Event"
	assert.True(t, event.finding(term.Lost, Up, "").Ephemeral)
	assert.False(t, event.finding(term.Undecodable, Up, "").Ephemeral)
	event.APIVersion = "crew.example.com/v1"
	assert.False(t, event.finding(term.Lost, Up, "").Ephemeral)
}

// TestFix: a fix is looked for and noted of what is broken already too, of the same release alone.
func TestFix(t *testing.T) {
	var j Judged
	broken := Finding{Outcome: term.Frozen, Direction: Up, Kind: "A", Name: "x", Path: ".spec.ip", Release: "old"}
	j.AddBaseline(broken)
	newer := broken
	newer.Release = "new"
	assert.True(t, j.Asks(broken))
	assert.False(t, j.Asks(newer), "it is no finding of the hop")
	j.Add(newer)
	assert.True(t, j.Asks(newer))
	j.Fix(map[string]string{CauseOf(broken): "remove it"})
	assert.Equal(t, []string{"remove it", ""}, []string{j.Baseline()[0].Fix, j.Findings()[0].Fix})
}

// TestOwnership: who owns and who manages an object its metadata say, and no field that is spelled almost so.
func TestOwnership(t *testing.T) {
	owner, manager := ownership([]byte(`{"metadata":{"ownerReferences":[{"kind":"A","name":"a"},{"kind":"B","name":"b","controller":true}],"labels":{"app.kubernetes.io/managed-by":"Helm"}},
		"Metadata":{"ownerReferences":[{"kind":"C","name":"c","controller":true}],"labels":{"argocd.argoproj.io/instance":"x"}}}`))
	assert.Equal(t, []string{"B b", "Helm"}, []string{owner, manager})
}
