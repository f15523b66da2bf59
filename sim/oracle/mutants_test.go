package oracle_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/storage"
)

// The right edits of an API, and the mistakes that each can be made with, as the
// releases of stories. In most of them the new release adds .spec.breadth, whose
// default is published, and computes .status.extent from it; the old one computes
// that from .spec.length alone, which both have.

const (
	narrow = `{"colour": "Red", "length": 3}`
	wide   = `{"colour": "Red", "length": 3, "breadth": 5}`
)

func integer(fallback any) object {
	of := scalarOf("integer")
	if fallback != nil {
		of["default"] = fallback
	}
	return of
}

// fill fills in a member of .spec where it is missing.
func fill(t testing.TB, name string, value any) func(object) {
	return func(o object) {
		if !has(t, o, ".spec."+name) {
			with(".spec."+name, value)(t, o)
		}
	}
}

// extent computes what an object measures.
func extent(t testing.TB) func(object) {
	return func(o object) {
		measure := number(t, o, ".spec.length")
		if has(t, o, ".spec.breadth") {
			measure *= number(t, o, ".spec.breadth")
		}
		with(".status.extent", measure)(t, o)
	}
}

// adds begins a story in which the new release adds the field, with the default
// that it publishes; nil: it publishes none.
func adds(t *testing.T, fallback any, m mind) *story {
	s := tell(t)
	both := object{"spec.properties.length": integer(nil), "status.properties.extent": integer(nil)}
	s.publish(term.Old, both)
	both["spec.properties.breadth"] = integer(fallback)
	s.publish(term.New, both)
	s.thinks(term.Old, mind{shows: extent(t)})
	m.shows = extent(t)
	s.thinks(term.New, m)
	return s
}

// travel plays the journey with copies of every role, up to the last upgrade.
func (s *story) travel(plain, change string) *story {
	s.create("control-1", plain)
	s.create("control-2", plain, via("b"))
	s.patch("control-1")
	s.put("control-2", read("a"), via("b"))
	s.edge()
	s.attempt("control-1")
	s.stage("upgrading 1/2", term.New, term.Old)
	s.edge() // step 9
	s.create("bystander-1", plain)
	s.create("bystander-2", plain, via("b"))
	s.create("treated-1", change)
	s.create("treated-2", change, via("b"))
	s.create("untouched-1", change)
	s.ifThere(s.patch, "bystander-1")
	s.ifThere(s.put, "bystander-2", read("b"), via("a"))
	s.ifThere(s.patch, "treated-1", via("b")) // step 17, where all were made
	s.edge()
	s.stage("new", term.New, term.New)
	s.edge()
	s.create("bystander-3", plain)
	s.create("treated-3", change)
	s.ifThere(s.put, "bystander-3", read("a"), via("b"))
	s.edge()
	s.attempt("control-1")
	s.stage("rolled-back", term.Old, term.Old)
	s.edge() // step 27
	s.ifThere(s.patch, "bystander-3", via("b"))
	s.ifThere(s.patch, "treated-3", via("b"))
	s.edge()
	s.stage("re-upgraded", term.New, term.New)
	s.edge()
	return s.encoded(storage.JSON)
}

// ifThere touches a copy that some server has made.
func (s *story) ifThere(touch func(string, ...option) int, name string, options ...option) {
	if s.stored[name] != nil {
		touch(name, options...)
	}
}

// encoded says how everything is stored, in the form that objects are made in.
func (s *story) encoded(as storage.Encoding) *story {
	for i := range s.h.Changes {
		if c := &s.h.Changes[i]; !c.Deleted {
			c.Encoding, c.APIVersion, c.Kind = string(as), "example.dev/v1", "Widget"
		}
	}
	return s
}

// violates judges the story: the violations, each with the release that it came
// through, must be these, and besides there must be impacts alone.
func (s *story) violates(want ...string) result.Result {
	s.t.Helper()
	res, _ := s.judge()
	var got []string
	for _, f := range res.Findings {
		if f.Class == term.Violation {
			got = append(got, brief(f)+" via "+string(f.Via))
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("violations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range res.Checks {
		if c.Verdict == term.Unknown {
			s.t.Errorf("%s: unknown: %s", c.Name, c.Reason)
		}
	}
	return res
}

// The right edit has impacts on those that use the field, and nothing else: that
// the default appears on the others, nobody sent and the old release does not show.
func TestFieldAdded(t *testing.T) {
	adds(t, 1, mind{fills: fill(t, "breadth", 1)}).travel(narrow, wide).finds(
		`nothing-lost impact rule-3 not-accepted unknown-field treated-2 .spec.breadth in step 13 (upgrading 1/2)`,
		`nothing-lost impact rule-6 changed defaulted treated-1 .spec.breadth in step 17 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.breadth in step 17 (upgrading 1/2)`,
		`nothing-lost impact rule-6 changed defaulted treated-3 .spec.breadth in step 29 (rolled-back)`,
		`nothing-lost impact rule-6 lost unknown-field treated-3 .spec.breadth in step 29 (rolled-back)`,
		`resurrection impact resurrection resurrected unattributed untouched-1 .spec.breadth in step 32 (re-upgraded)`)
}

// A field that must be sent: what did not know it is refused, and what was
// stored without it is frozen. These are two promises, and two facts.
func TestFieldRequired(t *testing.T) {
	s := adds(t, nil, mind{takes: func(o object) string {
		if has(t, o, ".spec.breadth") {
			return ""
		}
		return "breadth: Required"
	}})
	s.travel(narrow, wide).violates(
		`rule-1 violation rule-1 refused unattributed bystander-1  in step 10 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-2  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-3  in step 20 (new) via new`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 23 (new) via new`)
}

// Validation that is tightened: what it still takes goes on as before.
func TestFieldRefused(t *testing.T) {
	low := mind{fills: fill(t, "breadth", 1), takes: func(o object) string {
		if number(t, o, ".spec.length") <= 100 {
			return ""
		}
		return "length: must be at most 100"
	}}
	adds(t, 1, low).travel(narrow, wide).violates()
	adds(t, 1, low).travel(`{"length": 101}`, wide).violates(
		`rule-1 violation rule-1 refused unattributed bystander-1  in step 10 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-2  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused unattributed bystander-3  in step 20 (new) via new`,
		`stays-writable violation stays-writable frozen unattributed control-1  in step 23 (new) via new`)
}

// A default by which objects mean something else than before. Nobody has to
// write them: the new release serves what is stored otherwise. A birth tells
// of itself, and the rollback, after which all is as it was, of nothing.
func TestDefaultOfAnotherMeaning(t *testing.T) {
	res := adds(t, 2, mind{fills: fill(t, "breadth", 2)}).travel(narrow, wide).violates(
		`rule-2 violation rule-2 changed unattributed control-1 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed control-1 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed control-2 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed control-2 .status.extent in step 9 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-1 .status.extent in step 10 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed bystander-1 .status.extent in step 10 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-2 .status.extent in step 11 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 varies unattributed bystander-2 .status.extent in step 11 (upgrading 1/2) via new`,
		`rule-2 violation rule-2 changed unattributed bystander-3 .status.extent in step 21 (new) via new`)
	message(t, result.Result{Findings: res.Findings[1:2]},
		`Widget control-1: what .status.extent is depends on which replica answers: at upgrading 1/2, of one stored value, a (v2.0.0) serves 6 in step 9, and b (v1.0.0) serves 3 in step 9; violation under rule-2`)
	message(t, result.Result{Findings: res.Findings[:1]},
		`Widget control-1: a (v2.0.0) serves .status.extent = 6 in step 9 (upgrading 1/2), and of the same stored value a (v1.0.0) serves 3 in step 4 (old): a call that does not use the change behaves as before; violation under rule-2`)
}

// flattens makes a release one whose types cannot tell a zero from none: its
// server fills in the default for it, and its clients do not send it.
func flattens(t testing.TB) mind {
	is := func(o object) bool { return has(t, o, ".spec.breadth") && number(t, o, ".spec.breadth") == 0 }
	return mind{
		fills: func(o object) {
			if is(o) || !has(t, o, ".spec.breadth") {
				with(".spec.breadth", 1)(t, o)
			}
		},
		sends: func(o object) {
			if is(o) {
				with(".spec.breadth", nil)(t, o)
			}
		},
	}
}

// A zero of the change is a value as any other. What a server that has the field
// makes of it, and what its own types leave out, is no impact.
func TestZeroOfTheChange(t *testing.T) {
	const flat = `{"colour": "Red", "length": 3, "breadth": 0}`
	play := func(m mind) *story {
		s := adds(t, 1, m)
		s.h.Header.Plan.Manifests["flat"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Widget", Body: spec(parse(t, flat))}
		s.travel(narrow, flat)
		s.create("treated-4", flat, of("flat"), by(term.NewTyped))
		s.create("treated-5", wide, by(term.NewTyped))
		s.put("treated-5", set(".spec.breadth", 0), by(term.NewTyped))
		s.patch("treated-5", set(".spec.breadth", 0))
		return s
	}
	play(mind{fills: fill(t, "breadth", 1)}).violates()
	play(flattens(t)).violates(
		`nothing-lost violation rule-4 not-accepted defaulted treated-1 .spec.breadth in step 12 (upgrading 1/2) via new`,
		`nothing-lost violation rule-4 not-accepted defaulted untouched-1 .spec.breadth in step 14 (upgrading 1/2) via new`,
		`nothing-lost violation rule-4 not-accepted defaulted treated-3 .spec.breadth in step 22 (new) via new`,
		`nothing-lost violation rule-4 not-accepted client-omitted treated-4 .spec.breadth in step 33 (re-upgraded) via new`,
		`nothing-lost violation rule-4 not-accepted client-omitted treated-5 .spec.breadth in step 35 (re-upgraded) via new`,
		`nothing-lost violation rule-4 not-accepted defaulted treated-5 .spec.breadth in step 36 (re-upgraded) via new`)
}

// A text is empty where it is missing, by habit: that a default takes its place
// says nothing.
func TestEmptyTextOfTheChange(t *testing.T) {
	s := mixed(t)
	s.answered(s.create("treated-1", `{"colour": "red", "shine": {"hue": {"base": ""}}}`), with(".spec.shine.hue.base", "dark"))
	s.lossesOf()
}

// A value of clients that the new release reads otherwise: told where it is
// first served so, and again where a write has stored it so.
func TestExistingValueRewritten(t *testing.T) {
	s := adds(t, 1, mind{fills: func(o object) {
		fill(t, "breadth", 1)(o)
		if v, ok := path.Get(o, parsePath(t, ".spec.colour")); ok {
			with(".spec.colour", strings.ToLower(v.(string)))(t, o)
		}
	}})
	s.travel(narrow, wide).violates(
		`nothing-lost violation rule-2 changed converted control-1 .spec.colour in step 9 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted control-2 .spec.colour in step 9 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 not-accepted unattributed bystander-1 .spec.colour in step 10 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted bystander-2 .spec.colour in step 11 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 not-accepted unattributed treated-1 .spec.colour in step 12 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 changed converted treated-2 .spec.colour in step 13 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 not-accepted unattributed untouched-1 .spec.colour in step 14 (upgrading 1/2) via new`,
		`nothing-lost violation rule-6 changed converted bystander-2 .spec.colour in step 16 (upgrading 1/2) via new`,
		`nothing-lost violation rule-2 not-accepted unattributed bystander-3 .spec.colour in step 21 (new) via new`,
		`nothing-lost violation rule-2 not-accepted unattributed treated-3 .spec.colour in step 22 (new) via new`)
}

// One release, whose gate is off in half of the servers: what is created is
// cleared there, and what is stored stays, whatever else is written.
func TestGateClears(t *testing.T) {
	play := func(clears bool) *story {
		s := tell(t)
		s.schemas[term.New] = s.schemas[term.Old]
		s.gates(term.Old, "Lustre", false)
		s.gates(term.New, "Lustre", true)
		s.thinks(term.Old, mind{drops: func(now, was object) {
			if clears || was == nil || !has(t, was, ".spec.lustre") {
				with(".spec.lustre", nil)(t, now)
			}
		}})
		return s.travel(`{"colour": "Red"}`, `{"colour": "Red", "lustre": 5}`)
	}
	play(false).finds(`nothing-lost impact lifecycle not-accepted gate-disabled treated-2 .spec.lustre in step 13 (upgrading 1/2)`)
	play(true).violates(
		`nothing-lost violation lifecycle lost gate-disabled treated-1 .spec.lustre in step 17 (upgrading 1/2) via old`,
		`nothing-lost violation lifecycle lost gate-disabled treated-3 .spec.lustre in step 29 (rolled-back) via old`)
}

// tagged makes a release one that stores members of .spec under tags, and reads
// them back from there.
func tagged(t testing.TB, of map[string]string) mind {
	move := func(o object, from, to string) {
		if v, ok := path.Get(o, parsePath(t, ".spec."+from)); ok {
			with(".spec."+from, nil)(t, o)
			with(".spec."+to, v)(t, o)
		}
	}
	return mind{
		fills: fill(t, "breadth", 1),
		loads: func(o object) {
			for tag, name := range of {
				move(o, tag, name)
			}
		},
		saves: func(o object) {
			for tag, name := range of {
				move(o, name, tag)
			}
		},
	}
}

// asProtobuf stores everything as protobuf: of the members of .spec those whose
// names are tags, t3 as field 3.
func (s *story) asProtobuf() *story {
	s.encoded(storage.Protobuf)
	for i := range s.h.Changes {
		c := &s.h.Changes[i]
		spec, _ := s.h.Object(c.Value)["spec"].(object)
		var inner []byte
		for tag := 1; tag < 10; tag++ {
			if v, has := spec[fmt.Sprint("t", tag)].(int64); has {
				inner = binary.AppendUvarint(binary.AppendUvarint(inner, uint64(tag)<<3), uint64(v))
			}
		}
		message := append([]byte{2<<3 | byte(storage.Length), byte(len(inner))}, inner...)
		raw, err := (&runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "example.dev/v1", Kind: "Widget"}, Raw: message}).Marshal()
		if err != nil {
			s.t.Fatal(err)
		}
		raw = append([]byte("k8s\x00"), raw...)
		c.Value = history.Digest(raw)
		s.h.Blobs[c.Value] = history.Blob{Digest: c.Value, Bytes: raw}
	}
	return s
}

// tags begins a story in which the new release adds .spec.tilt, and stores
// members under these tags.
func tags(t *testing.T, of map[string]string) *story {
	s := tell(t)
	s.publish(term.Old, object{"spec.properties.breadth": integer(1)})
	s.publish(term.New, object{"spec.properties.breadth": integer(1), "spec.properties.tilt": integer(nil)})
	s.thinks(term.Old, tagged(t, map[string]string{"t3": "breadth"}))
	s.thinks(term.New, tagged(t, of))
	return s
}

// A protobuf tag that both releases use, for other fields: each takes the other's
// value for its own, or finds none and fills in the default.
func TestTagReused(t *testing.T) {
	const broad, tilted = `{"colour": "Red", "breadth": 5}`, `{"colour": "Red", "breadth": 5, "tilt": 7}`
	tags(t, map[string]string{"t3": "breadth", "t6": "tilt"}).travel(broad, tilted).asProtobuf().violates()
	const finding = "nothing-lost violation storage %s encoding %s .spec.breadth in step %d (%s) via %s"
	res := tags(t, map[string]string{"t3": "tilt", "t6": "breadth"}).travel(broad, tilted).asProtobuf()
	all, _ := res.judge()
	var got []string
	for _, f := range all.Findings {
		if f.Cause == term.BadEncoding {
			got = append(got, brief(f)+" via "+string(f.Via))
		}
	}
	want := []string{
		fmt.Sprintf(finding, "changed", "control-1", 9, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "control-2", 9, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "bystander-1", 10, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-2", 11, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "treated-1", 12, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "treated-2", 13, "upgrading 1/2", "new"),
		fmt.Sprintf(finding, "changed", "untouched-1", 14, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-2", 16, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "lost", "treated-1", 17, "upgrading 1/2", "old"),
		fmt.Sprintf(finding, "changed", "bystander-3", 27, "rolled-back", "old"),
		fmt.Sprintf(finding, "changed", "treated-3", 27, "rolled-back", "old"),
		fmt.Sprintf(finding, "lost", "bystander-3", 28, "rolled-back", "old"),
		fmt.Sprintf(finding, "lost", "treated-3", 29, "rolled-back", "old"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("encoding:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
