package preflight

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestWorstGrade: the worst finding that nobody accepted decides the grade, in whatever order findings are; one
// of another direction does not.
func TestWorstGrade(t *testing.T) {
	find := func(c term.Outcome, accepted string) Finding {
		return Finding{Outcome: c, Direction: Up, Kind: "A", Name: string(c), Accepted: accepted}
	}
	back := find(term.Frozen, "")
	back.Direction = Back
	for name, c := range map[string]struct {
		findings []Finding
		want     Grade
	}{
		"none":                 {nil, Ready},
		"the worst first":      {[]Finding{find(term.Frozen, ""), find(term.Lost, ""), find(term.Indeterminate, "")}, Blocked},
		"the worst last":       {[]Finding{find(term.Indeterminate, ""), find(term.Lost, ""), find(term.Frozen, "")}, Blocked},
		"unknown, then lost":   {[]Finding{find(term.Indeterminate, ""), find(term.Lost, "")}, Attention},
		"unknown alone":        {[]Finding{find(term.Indeterminate, "")}, Unknown},
		"the worst is allowed": {[]Finding{find(term.Frozen, "sig-a"), find(term.Lost, "")}, Attention},
		"the other way":        {[]Finding{back}, Ready},
	} {
		h := Hop{Kinds: []Kind{{Kind: "A", Objects: 9}}, Findings: c.findings, Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}}
		h.Grade(Source{})
		assert.Equal(t, c.want, h.Up, name)
	}
}

// TestFailingListIsNoObject: a LIST that fails although each object can be read is named, and counts as no object.
func TestFailingListIsNoObject(t *testing.T) {
	h := Hop{Kinds: []Kind{{Kind: "A", Objects: 9}}, Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}, Findings: []Finding{
		{Outcome: term.Undecodable, Direction: Up, Kind: "A"}, {Outcome: term.Lost, Direction: Up, Kind: "A", Name: "a"},
	}, Baseline: []Finding{{Outcome: term.Undecodable, Kind: "A"}}, To: Build{Version: "new"}}
	h.Grade(Source{})
	assert.Equal(t, "Up to new: LIST of 1 kind fails, 1 object loses a value when it is written. No finding in 8 of 9 objects.", h.Answers[0])
	assert.Equal(t, Blocked, h.Up)
}

// TestGradeOfWhatWasNotSeen: a direction that was not played to its end, or of which most objects were not
// seen, is unknown; a rollback has no way up.
func TestGradeOfWhatWasNotSeen(t *testing.T) {
	unread := func(names ...string) (all []Finding) {
		for _, n := range names {
			all = append(all, Finding{Outcome: term.Undecodable, Kind: "A", Name: n})
		}
		return all
	}
	kinds, whole := []Kind{{Kind: "A", Objects: 4}}, []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}
	for name, c := range map[string]struct {
		hop      Hop
		up, back Grade
	}{
		"whole":           {Hop{Kinds: kinds, Phases: whole}, Ready, Ready},
		"up alone":        {Hop{Kinds: kinds, Phases: whole[:1]}, Ready, Unknown},
		"half unread":     {Hop{Kinds: kinds, Phases: whole, Baseline: unread("a", "b")}, Ready, Ready},
		"most unread":     {Hop{Kinds: kinds, Phases: whole, Baseline: unread("a", "b", "c")}, Unknown, Unknown},
		"rollback":        {Hop{Kinds: kinds, Phases: whole[1:], Rollback: true}, "", Ready},
		"server broken":   {Hop{Kinds: kinds, Phases: whole, Baseline: []Finding{{Outcome: term.Undecodable}, {Outcome: term.Undecodable}, {Outcome: term.Undecodable}}}, Ready, Ready},
		"unwritable only": {Hop{Kinds: kinds, Phases: whole, Baseline: []Finding{{Outcome: term.Frozen, Kind: "A", Name: "a"}}}, Ready, Ready},
	} {
		c.hop.Grade(Source{})
		assert.Equal(t, c.up, c.hop.Up, name)
		assert.Equal(t, c.back, c.hop.Back, name)
		c.hop.Grade(Source{})
		want := 2
		if c.hop.Rollback {
			want = 1
		}
		assert.Len(t, c.hop.Answers, want, "%s: graded again, each direction has one sentence", name)
	}
}

// TestSentence: an object counts once for each class, what is accepted apart, and what the first release
// already does not read or write is no object without a finding.
func TestSentence(t *testing.T) {
	find := func(c term.Outcome, name, path, accepted string) Finding {
		return Finding{Outcome: c, Direction: Up, Kind: "A", Name: name, Path: path, Accepted: accepted}
	}
	h := Hop{
		To: Build{Version: "v2"}, Kinds: []Kind{{Kind: "A", Objects: 10}}, Phases: []Phase{{Name: PhaseAlone}},
		Findings: []Finding{find(term.Frozen, "a", ".x", ""), find(term.Frozen, "a", ".y", ""), find(term.Lost, "b", "", ""), find(term.Lost, "c", "", ""), find(term.Frozen, "d", "", "sig-a")},
		Baseline: []Finding{{Outcome: term.Undecodable, Kind: "A", Name: "e"}, {Outcome: term.Frozen, Kind: "A", Name: "e"}, {Outcome: term.Frozen, Kind: "A", Name: "f"}, {Outcome: term.Frozen, Kind: "A", Name: "a"}},
	}
	assert.Equal(t, "Up to v2: 1 object cannot be written, 2 objects lose a value when they are written, findings of 1 object are accepted. "+
		"No finding in 4 of 10 objects; 1 object cannot be read already; 1 object cannot be written already.", h.sentence(Up, Source{}))
	h.Findings, h.Baseline = []Finding{find(term.Frozen, "g", ".spec.template.spec.x", ""), find(term.Frozen, "h", ".spec.x", "")}, nil
	h.Findings[0].Write = string(reading.Template)
	assert.Contains(t, h.sentence(Up, Source{}), "1 object cannot be written, 1 object makes pods that are refused. No finding in 8 of 10", "whose own writes are taken")
	h.Findings = []Finding{{Outcome: term.Indeterminate, Direction: Up, Kind: "ValidatingWebhookConfiguration", Name: "closed"}}
	assert.Contains(t, h.sentence(Up, Source{}), "No finding in 10 of 10", "what is left out of the copy is none of the objects")
	h.Findings, h.Baseline = nil, nil
	from := Source{Kind: "cluster", Skipped: []string{"Secrets: not asked for", "Secrets: of kube-system", "b: x", "c: x", "d: x"}, CannotSee: []string{"leftovers"}}
	assert.Equal(t, "Up to v2: No finding in 10 of 10 objects that were read; not covered: Secrets, b, c, d; indeterminate: what a cluster cannot show.", h.sentence(Up, from))
	from.Skipped = append(from.Skipped, "e: x", "f: x")
	assert.Contains(t, h.sentence(Up, from), "not covered: Secrets, b, c, d, 2 more; indet", "four are named")
	none := Hop{From: Build{Version: "v1"}, Baseline: []Finding{{Outcome: term.NotReady, Release: "v1"}}}
	assert.Contains(t, none.sentence(Back, Source{}), "v1 itself does not become ready")
	none.Phases = []Phase{{Name: PhaseBaseline}}
	assert.NotContains(t, none.sentence(Back, Source{}), "itself", "it did, at first")
}

// TestEndedEarly: what was interrupted says so, although a server was not ready in the meantime and served; a
// release that ended before it served is the reason itself, and a hop before the last one is whole.
func TestEndedEarly(t *testing.T) {
	serves, ends := Finding{Outcome: term.NotReady, Release: "v1", Serves: true, Message: "/readyz fails"}, Finding{Outcome: term.NotReady, Release: "v1", Message: "a server of v1 exited with status 1"}
	hop := func(baseline []Finding, phases ...string) Hop {
		h := Hop{From: Build{Version: "v1"}, To: Build{Version: "v2"}, Kinds: []Kind{{Kind: "A", Objects: 2}}, Baseline: baseline}
		for _, p := range phases {
			h.Phases = append(h.Phases, Phase{Name: p})
		}
		return h
	}
	const early, itself = "the preflight ended early", "itself does not become ready"
	quotes := ends
	quotes.Message = "[-]a server of v1 exited"
	for name, c := range map[string]struct {
		hop      Hop
		up, back string
	}{
		"degraded":     {hop([]Finding{serves}), early, early},
		"its words":    {hop([]Finding{quotes}), itself, itself},
		"not ready":    {hop([]Finding{ends}), itself, itself},
		"alone begun":  {hop(nil, PhaseBaseline, PhaseAlone), early, early},
		"last rewrite": {hop(nil, PhaseAlone, PhaseWritten, PhaseRewrote), "No finding in 2 of 2", early},
	} {
		r := Result{Ended: "context canceled", Hops: []Hop{hop(nil, PhaseAlone, PhaseWritten), c.hop}}
		r.Conclude()
		assert.Contains(t, r.Hops[1].Answers[0], c.up, name)
		assert.Contains(t, r.Hops[1].Answers[1], c.back, name)
		want := Unknown
		if name == "degraded" {
			want = Attention
		}
		assert.Equal(t, want, r.Hops[1].Back, name)
		assert.False(t, r.Hops[0].Ended, name)
	}
	whole := Result{Hops: []Hop{hop(nil, PhaseAlone, PhaseWritten)}}
	whole.Conclude()
	assert.True(t, whole.Hops[0].Played(Back))
}

// TestFirstReleaseDegraded: a first release that serves without being ready is no finding of a direction, and no grade
// passes; its sentence says so. One that is ready, or a flag that it refuses, changes nothing.
func TestFirstReleaseDegraded(t *testing.T) {
	degraded := Degraded("v1", PhaseBaseline, Up, []string{"informer-sync"}, []string{"ConfigMap"})
	const already = "v1 does not become ready on these objects already"
	for name, c := range map[string]struct {
		baseline []Finding
		want     Grade
	}{
		"degraded": {[]Finding{degraded}, Attention},
		"ready":    {nil, Ready},
		"a flag":   {[]Finding{{Outcome: term.NotReady, Release: "v1", Path: "--a"}}, Ready},
	} {
		h := Hop{From: Build{Version: "v1"}, To: Build{Version: "v2"}, Kinds: []Kind{{Kind: "A", Objects: 2}}, Baseline: c.baseline, Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}}
		h.Grade(Source{})
		assert.Equal(t, []Grade{c.want, c.want}, []Grade{h.Up, h.Back}, name)
		for _, answer := range h.Answers {
			assert.Equal(t, c.want == Attention, strings.Contains(answer, already), name)
		}
		h.Findings = []Finding{{Outcome: term.Undecodable, Direction: Up, Kind: "A", Name: "a"}}
		h.Grade(Source{})
		assert.Equal(t, Blocked, h.Up, name)
	}
}

// TestNotRead: what has objects that nobody has read makes both directions unknown, and their sentences name it,
// workloads first; what expires, what is left out because nothing is stored of it, and what a source never shows do not.
// A finding stays what it is.
func TestNotRead(t *testing.T) {
	skipped := []string{"events: expire", "secrets: confidential", "pods: forbidden"}
	frozen := Finding{Outcome: term.Frozen, Direction: Up, Kind: "A", Name: "a"}
	shown := func(class term.Outcome, write string) Hop {
		return Hop{Baseline: []Finding{{Outcome: class, Kind: "A", Name: "a", Write: write}}}
	}
	for name, c := range map[string]struct {
		from Source
		hop  Hop
		want Grade
		text string
	}{
		"without pods":    {Source{Kind: "cluster", Skipped: skipped, NotRead: []string{"secrets", "pods"}}, Hop{}, Unknown, "Up to v2: No finding in 2 of 2 objects that were read; unknown for what was not read or not taken: pods (forbidden), secrets (confidential); not covered: events."},
		"without secrets": {Source{Kind: "cluster", Skipped: skipped[:2], NotRead: []string{"secrets"}, CannotSee: []string{"x"}}, Hop{}, Unknown, "Up to v2: No finding in 2 of 2 objects that were read; unknown for what was not read or not taken: secrets (confidential); not covered: events; indeterminate: what a cluster cannot show."},
		"without events":  {Source{Kind: "cluster", Skipped: skipped[:1], NotRead: []string{"leases.coordination.k8s.io"}, CannotSee: []string{"x"}}, Hop{}, Ready, "Up to v2: No finding in 2 of 2 objects that were read; not covered: events; indeterminate: what a cluster cannot show."},
		"all":             {Source{Kind: "cluster"}, Hop{}, Ready, "Up to v2: No finding in 2 of 2 objects."},
		"a refused one":   {Source{Kind: "manifests", NotTaken: 1, Skipped: []string{"Pod a/b: in c: refused"}, NotRead: []string{"Pod a/b"}}, Hop{}, Unknown, "No finding in 2 of 2 objects that were read; unknown for what was not read or not taken: Pod a/b (in c: refused)."},
		"a template":      {Source{Kind: "manifests", Skipped: []string{"k.yaml: of Kustomize", "t.yaml: of Helm"}, NotRead: []string{"t.yaml"}}, Hop{}, Unknown, "No finding in 2 of 2 objects that were read; unknown for what was not read or not taken: t.yaml (of Helm)."},
		"no object":       {Source{Kind: "manifests", Skipped: []string{"k.yaml: of Kustomize"}}, Hop{}, Ready, "Up to v2: No finding in 2 of 2 objects that were read."},
		"most not taken":  {Source{Kind: "manifests", NotTaken: 3}, Hop{}, Unknown, "Unknown, because 3 of 5 objects were not taken or not read. No finding in 2 of 2"},
		"not stored":      {Source{Kind: "manifests", NotTaken: 1}, Hop{}, Ready, "Up to v2: No finding in 2 of 2"},
		"worse":           {Source{Kind: "cluster", NotRead: []string{"secrets"}}, Hop{Findings: []Finding{frozen}}, Blocked, "1 object cannot be written. No finding in 1 of 2 objects; unknown for what was not read or not taken: secrets."},
		"404":             {Source{}, shown(term.Indeterminate, ""), Unknown, "No finding in 1 of 2 objects; 1 object cannot be read already; unknown for 1 object that no answer shows."},
		"404 to a write":  {Source{}, shown(term.Indeterminate, "put"), Ready, "Up to v2: No finding in 2 of 2 objects."},
		"500":             {Source{}, shown(term.Undecodable, ""), Ready, "Up to v2: No finding in 1 of 2 objects; 1 object cannot be read already."},
	} {
		h := c.hop
		h.To, h.Kinds, h.Phases = Build{Version: "v2"}, []Kind{{Kind: "A", Objects: 2}}, []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}
		h.Grade(c.from)
		assert.Equal(t, c.want, h.Up, name)
		assert.Contains(t, h.Answers[0], c.text, name)
		if c.want != Blocked {
			assert.Equal(t, c.want, h.Back, name)
			assert.Contains(t, h.Answers[1], strings.TrimPrefix(c.text, "Up to v2: "), name)
		}
	}
}

// TestInOrder: of what was skipped, what has objects comes before what has none, so that no report cuts it off.
func TestInOrder(t *testing.T) {
	s := Source{Skipped: []string{"a.yaml: of Kustomize", "events: expire", "secrets: confidential", "pods: forbidden"}, NotRead: []string{"secrets", "pods"}}
	assert.Equal(t, []string{"pods: forbidden", "secrets: confidential", "a.yaml: of Kustomize", "events: expire"}, s.InOrder())
}

// TestWayBack: the worst step decides the whole way back over several hops, and the steps are named from the newest
// release on. Near twins: findings of the way up do not count, and one hop answers for itself.
func TestWayBack(t *testing.T) {
	hop := func(from string, up, back Grade) Hop { return Hop{From: Build{Version: from}, Up: up, Back: back} }
	for name, c := range map[string]struct {
		hops []Hop
		want Grade
		at   []Build
	}{
		"clean":              {[]Hop{hop("1", Ready, Ready), hop("2", Ready, Ready)}, Ready, nil},
		"the last step":      {[]Hop{hop("1", Ready, Blocked), hop("2", Ready, Attention)}, Blocked, []Build{{Version: "1"}}},
		"the first step":     {[]Hop{hop("1", Ready, Ready), hop("2", Ready, Attention)}, Attention, []Build{{Version: "2"}}},
		"both":               {[]Hop{hop("1", Ready, Blocked), hop("2", Ready, Blocked)}, Blocked, []Build{{Version: "2"}, {Version: "1"}}},
		"the way up alone":   {[]Hop{hop("1", Blocked, Ready), hop("2", Blocked, Ready)}, Ready, nil},
		"a step not played":  {[]Hop{hop("1", Ready, Ready), hop("2", Ready, "")}, Unknown, []Build{{Version: "2"}}},
		"unknown and a loss": {[]Hop{hop("1", Ready, Attention), hop("2", Ready, Unknown)}, Attention, []Build{{Version: "1"}}},
	} {
		grade, at, is := Result{Hops: c.hops}.WayBack()
		assert.True(t, is, name)
		assert.Equal(t, c.want, grade, name)
		assert.Equal(t, c.at, at, name)
	}
	_, _, is := Result{Hops: []Hop{hop("1", Ready, Blocked)}}.WayBack()
	assert.False(t, is)
}
