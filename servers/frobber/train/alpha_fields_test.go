package train_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// alphaFieldProbes are the guide's requirements for fields that are added as alpha, stay or are
// removed.
func alphaFieldProbes() map[string]probe {
	return map[string]probe{
		"glow on create, gate off": func(t testing.TB, r *release.Release) string {
			return value(born(t, r, off, sent{spec: `{"glow": 7}`}).Spec.Glow)
		},
		"glow on create, gate on": func(t testing.TB, r *release.Release) string {
			return value(born(t, r, on, sent{spec: `{"glow": 7}`}).Spec.Glow)
		},
		"stored glow on update, gate off": func(t testing.TB, r *release.Release) string {
			return value(rewritten(t, r, off, sent{spec: `{"glow": 7}`}, sent{spec: `{"glow": 8}`}).Spec.Glow)
		},
		"a wrong glow, gate off": func(t testing.TB, r *release.Release) string {
			f := sent{spec: `{"width": 1, "glow": -1}`}.decoded(t, r)
			return fmt.Sprint(f != nil, " ", f == nil || judged(r, off, f, nil) == "accepted")
		},
		"what glowed in 1.20, in protobuf": stored(func(t testing.TB, o any) ([]byte, func([]byte, any) error) {
			raw, err := o.(interface{ Marshal() ([]byte, error) }).Marshal()
			require.NoError(t, err)
			return raw, func(raw []byte, into any) error {
				return into.(interface{ Unmarshal([]byte) error }).Unmarshal(raw)
			}
		}),
		"what glowed in 1.20, in JSON": stored(func(t testing.TB, o any) ([]byte, func([]byte, any) error) {
			raw, err := json.Marshal(o)
			require.NoError(t, err)
			return raw, json.Unmarshal
		}),
		"who sets the annotation": func(_ testing.TB, r *release.Release) string { return fmt.Sprint(r.StatusSetsAnnotations) },
		"depth by the annotation": func(t testing.TB, r *release.Release) string {
			return depths(born(t, r, on, sent{depth: "2", spec: `{"height": 3, "width": 1}`}))
		},
		"depth by the field": func(t testing.TB, r *release.Release) string {
			return depths(born(t, r, on, sent{spec: `{"height": 3, "width": 1, "depth": 2}`}))
		},
		"the annotation changed": func(t testing.TB, r *release.Release) string {
			return depths(rewritten(t, r, on, sent{depth: "2", spec: `{"depth": 2}`}, sent{depth: "4", spec: `{"depth": 2}`}))
		},
		"the field changed": func(t testing.TB, r *release.Release) string {
			return depths(rewritten(t, r, on, sent{depth: "2", spec: `{"depth": 2}`}, sent{depth: "2", spec: `{"depth": 4}`}))
		},
		"a wrong annotation": func(t testing.TB, r *release.Release) string {
			f := born(t, r, on, sent{depth: "5000", spec: `{"height": 3, "width": 1}`})
			return judged(r, on, f, nil) + judged(r, on, f, born(t, r, on, sent{spec: `{"height": 3, "width": 1}`}))
		},
		"a body without spin": func(t testing.TB, r *release.Release) string {
			return judged(r, on, born(t, r, on, sent{spec: `{"width": 1}`}), nil)
		},
		"spins by both": func(t testing.TB, r *release.Release) string {
			f := born(t, r, on, sent{spec: `{"height": 3, "width": 1, "alphaSpin": 33, "spin": 0}`})
			return fmt.Sprint(f.Status.Area, " ", value(f.Spec.AlphaSpin))
		},
		"how far fields have come": func(t testing.TB, r *release.Release) string { return fmt.Sprint(lifecycles(t, r)) },
		"what strict validation knows": func(t testing.TB, r *release.Release) string {
			v, ok := r.Version("v6")
			return fmt.Sprint(ok && explained(*v)["alphaSpin"] != "")
		},
	}
}

// sent is what a client sends, in v6.
type sent struct{ depth, spec string }

// decoded returns the object as a release decodes it, or nil if it cannot.
func (s sent) decoded(t testing.TB, r *release.Release) *api.Frobber {
	v, ok := r.Version("v6")
	if !ok {
		return nil
	}
	o := v.New()
	if json.Unmarshal([]byte(`{"spec": `+s.spec+`}`), o) != nil {
		return nil
	}
	f := internal(r, o)
	if s.depth != "" {
		f.Annotations = map[string]string{train.DepthAnnotation: s.depth}
	}
	return f
}

// born returns a release's answer to a create.
func born(t testing.TB, r *release.Release, gates release.Gates, s sent) *api.Frobber {
	f := s.decoded(t, r)
	if f == nil {
		return &api.Frobber{}
	}
	for _, rule := range r.Rules {
		if rule.PrepareForCreate != nil {
			rule.PrepareForCreate(gates, f)
		}
	}
	return shown(r, f)
}

// rewritten returns a release's answer to an update of a stored object.
func rewritten(t testing.TB, r *release.Release, gates release.Gates, before, after sent) *api.Frobber {
	old, f := before.decoded(t, r), after.decoded(t, r)
	if old == nil || f == nil {
		return &api.Frobber{}
	}
	for _, rule := range r.Rules {
		if rule.PrepareForUpdate != nil {
			rule.PrepareForUpdate(gates, f, old)
		}
	}
	return shown(r, f)
}

func shown(r *release.Release, f *api.Frobber) *api.Frobber {
	f.Status = api.Status{}
	for _, rule := range r.Rules {
		if rule.Observe != nil {
			rule.Observe(f)
		}
	}
	return f
}

// judged returns whether validation refuses a create, or an update.
func judged(r *release.Release, gates release.Gates, f, old *api.Frobber) string {
	for _, rule := range r.Rules {
		refused := rule.Validate != nil && len(rule.Validate(gates, f)) > 0 ||
			old == nil && rule.ValidateCreate != nil && len(rule.ValidateCreate(gates, f)) > 0 ||
			old != nil && rule.ValidateUpdate != nil && len(rule.ValidateUpdate(gates, f, old)) > 0
		if refused {
			return "refused"
		}
	}
	return "accepted"
}

func depths(f *api.Frobber) string {
	return fmt.Sprint(f.Annotations[train.DepthAnnotation], " ", value(f.Spec.Depth), " area ", f.Status.Area)
}

// stored returns what a release reads of an object with a glow that 1.20 stored.
func stored(encode func(t testing.TB, o any) ([]byte, func([]byte, any) error)) probe {
	return func(t testing.TB, r *release.Release) string {
		old, now := find(t, "1.20"), r
		from, _ := old.Version(old.Storage)
		v, ok := now.Version(old.Storage)
		if !ok {
			return "no such version"
		}
		o := from.New()
		old.FromInternal(&api.Frobber{Spec: api.Spec{Glow: new(int32(7))}}, o)
		raw, decode := encode(t, o)
		read := v.New()
		if err := decode(raw, read); err != nil {
			return "undecodable"
		}
		f := internal(now, read)
		return fmt.Sprint("glow ", value(f.Spec.Glow), ", shine ", value(f.Spec.Shine))
	}
}

// TestAlphaFields: the answers of the correct releases.
func TestAlphaFields(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"1.17": {"angle on create, gate off": "none", "angle on update, gate off": "30", "new angle, gate off": "none"},
		"1.18": {"angle on create, gate off": "none", "angle on update, gate off": "30", "new angle, gate off": "none", "new angle, gate on": "30"},
		"1.19": {"angle on create, gate off": "30", "angle on create, gate on": "30", "new angle, gate off": "30"},
		"1.20": {
			"glow on create, gate off": "none", "glow on create, gate on": "7", "stored glow on update, gate off": "8",
			"a wrong glow, gate off": "true false", "what glowed in 1.20, in protobuf": "glow 7, shine none",
		},
		"1.21": {"glow on create, gate on": "none", "what glowed in 1.20, in protobuf": "glow none, shine none"},
		"1.22": {"what glowed in 1.20, in protobuf": "glow none, shine none", "what glowed in 1.20, in JSON": "glow none, shine none"},
		"1.23": {"depth by the annotation": "2 none area 6", "a wrong annotation": "refusedrefused", "who sets the annotation": "false"},
		"1.24": {
			"depth by the annotation": "2 2 area 6", "depth by the field": "2 2 area 6", "the annotation changed": "4 4 area 0",
			"the field changed": "4 4 area 0", "a wrong annotation": "refusedrefused",
		},
		"1.25": {"spins by both": "6 33", "a body without spin": "accepted", "what strict validation knows": "true"},
		"1.26": {"spins by both": "3 33", "what strict validation knows": "true"},
		"1.27": {"spins by both": "3 none", "what strict validation knows": "false"},
	} {
		_, known := find(t, name).Gates[train.Frobber2D]
		assert.Equal(t, name < "1.21", known, name)
		for question, answer := range want {
			assert.Equal(t, answer, probes()[question](t, find(t, name)), "%s: %s", name, question)
		}
	}
}

// TestAnnotationRatchets: an object that was stored before the annotation had a meaning stays
// writable.
func TestAnnotationRatchets(t *testing.T) {
	for _, name := range []string{"1.23", "1.24"} {
		r := find(t, name)
		garbled := born(t, r, on, sent{depth: "deep", spec: `{"height": 3, "width": 1}`})
		assert.Equal(t, int64(3), garbled.Status.Area, name)
		assert.Equal(t, "accepted", judged(r, on, garbled, garbled), name)
		assert.Equal(t, "refused", judged(r, on, garbled, nil), name)
	}
}
