package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// selecting makes a LIST one by fields, which shows those items of all.
func (s *story) selecting(step int, replica, selector string, shown ...string) {
	s.stepOf(step, func(p *plan.Step) { p.FieldSelector = selector })
	chosen := *s.listed(step, replica)
	chosen.FieldSelector, chosen.Items = selector, nil
	for _, item := range s.listed(step, replica).Items {
		for _, name := range shown {
			if item.Copy == name {
				chosen.Items = append(chosen.Items, item)
			}
		}
	}
	s.h.Listings = append(s.h.Listings, chosen)
}

// A LIST by fields holds exactly what matches of all that was listed beside it.
func TestSelected(t *testing.T) {
	wrong := `answers violation rule-2 not-accepted unattributed   in step 5 (upgrading 1/2)`
	for name, c := range map[string]struct {
		selector string
		shown    []string
		want     []string
		says     string
	}{
		"what matches":           {"spec.colour=red", []string{"bystander-1"}, nil, ""},
		"what does not match":    {"spec.colour!=red", []string{"bystander-2"}, nil, ""},
		"none":                   {"spec.colour=green", nil, nil, ""},
		"by the name":            {"metadata.name=bystander-2", []string{"bystander-2"}, nil, ""},
		"one that does not":      {"spec.colour=red", []string{"bystander-1", "bystander-2"}, []string{wrong}, "holds bystander-2, which does not match"},
		"one that does is not":   {"spec.colour=red", nil, []string{wrong}, "lacks bystander-1, which does"},
		"another in place of it": {"spec.colour=red", []string{"bystander-2"}, []string{wrong}, "holds bystander-2, which does not match, and lacks bystander-1, which does"},
		"a field that it lacks":  {"spec.finish.tone=", nil, []string{wrong}, "lacks bystander-1, bystander-2, which does"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"colour": "red"}`)
			s.create("bystander-2", `{"colour": "blue"}`)
			s.selecting(s.list("b"), "b", c.selector, c.shown...)
			res := s.finds(c.want...)
			if len(c.want) > 0 {
				s.says(c.want[0], c.says)
			}
			_ = res
		})
	}
}

// An answer may lack a number or a truth value that is zero, and some servers select
// by it as that: of such a requirement, and of a label that is no path to a plain
// value, the item tells nothing. Another requirement may.
func TestSelectedByWhatIsNotShown(t *testing.T) {
	wrong := `answers violation rule-2 not-accepted unattributed   in step 4 (upgrading 1/2)`
	for selector, c := range map[string]struct {
		untold int
		want   []string
	}{
		"spec.finish.gloss=0":                  {untold: 1},
		"spec.finish.gloss!=0":                 {untold: 1},
		"spec.finish.gloss=":                   {untold: 1},
		"spec.shine=x":                         {untold: 1},
		"source=x":                             {untold: 1},
		"spec.parts=x":                         {untold: 1},
		"spec.colour=red":                      {},
		"spec.finish.gloss=0,spec.colour=red":  {untold: 1},
		"spec.finish.gloss=0,spec.colour=blue": {want: []string{wrong}},
		"spec.finish.gloss!=3":                 {},
		"spec.finish.gloss=3":                  {want: []string{wrong}},
		"spec.finish.tone=0":                   {want: []string{wrong}},
	} {
		t.Run(selector, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"colour": "red", "parts": [{"name": "x"}]}`)
			s.selecting(s.list("a"), "a", selector, "bystander-1")
			res := s.finds(c.want...)
			for _, check := range res.Checks {
				if check.Name == term.CheckAnswers && check.Indeterminate != c.untold {
					t.Errorf("indeterminate: %+v", check)
				}
			}
		})
	}
}

// Where all could not be listed, it is unknown what must be selected.
func TestSelectedOfWhat(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	step := s.list("b")
	s.selecting(step, "b", "spec.colour=blue", "bystander-1")
	s.listed(step, "b").FieldSelector = "another"
	res, _ := s.judge()
	for _, c := range res.Checks {
		if c.Name == term.CheckAnswers && c.Indeterminate != 1 {
			t.Errorf("indeterminate: %+v", c)
		}
	}
}

// What discovery says of the storage version is held against what a release was
// seen to store: by its hash, as k8s.io/apiserver makes it.
func TestStorageHash(t *testing.T) {
	const v1, v2 = "dGliDuVrUiQ=", "struHC9Z8ZM="
	hash := func(told, stored string) *story {
		s := tell(t)
		s.create("bystander-1", plainSpec)
		r := s.h.Releases[term.Old]
		r.Resources = append([]history.Resource{}, r.Resources...)
		r.Resources[0].StorageVersionHash = told
		s.h.Releases[term.Old] = r
		change := s.changeOf("bystander-1")
		change.APIVersion, change.Kind = stored, "Widget"
		return s
	}
	hash("", "example.dev/v1").finds()
	hash(v1, "example.dev/v1").finds()
	lie := `everything-decodes violation storage changed storage-version bystander-1  in step 2 (old)`
	hash(v2, "example.dev/v1").finds(lie)
	hash(v1, "example.dev/v2").finds(lie)
}

// A lie about any version of the kind's group is one, and so is silence where the
// release before told. A release may be the first to tell.
func TestStorageHashElsewhere(t *testing.T) {
	const v1, v2 = "dGliDuVrUiQ=", "struHC9Z8ZM="
	told := func(old, new, elsewhere, group string) *story {
		s := mixed(t)
		s.create("bystander-1", plainSpec, via("a"))
		s.create("bystander-2", plainSpec, via("b"))
		for role, hash := range map[term.Role]string{term.Old: old, term.New: new} {
			r := s.h.Releases[role]
			r.Resources = append([]history.Resource{}, r.Resources...)
			r.Resources[0].StorageVersionHash = hash
			r.Elsewhere = []history.Resource{
				{APIVersion: group + "/v2", Kind: "Widget", StorageVersionHash: hash},
				{APIVersion: "example.dev/v2", Kind: "Gadget", StorageVersionHash: v2},
			}
			if role == term.New {
				r.Elsewhere[0].StorageVersionHash = elsewhere
			}
			s.h.Releases[role] = r
		}
		for i := range s.h.Changes {
			s.h.Changes[i].APIVersion, s.h.Changes[i].Kind = "example.dev/v1", "Widget"
		}
		return s
	}
	lie := `everything-decodes violation storage changed storage-version bystander-1  in step 3 (upgrading 1/2)`
	told(v1, v1, v1, "example.dev").finds()
	told(v1, v1, v2, "another.dev").finds()
	told("", v1, v1, "example.dev").finds()
	told("", "", "", "example.dev").finds()
	told(v1, v1, v2, "example.dev").finds(lie)
	silent := told(v1, v1, "", "example.dev")
	silent.finds(lie)
	silent.says(lie, "says in discovery of example.dev/v2 Widget no hash of its storage version, and v1.0.0 did")
}

// A call that follows another on its copy is no measure for others, and is held
// against the same call where the copy was as that one's.
func TestFollowingEffects(t *testing.T) {
	called := func(colour string) *story {
		s := controlled(t)
		s.create("bystander-1", plainSpec)
		s.patch("bystander-1", set(".spec.colour", colour))
		step := s.patch("bystander-1", by(term.OldTyped))
		s.bends(step, "bystander-1")
		s.stepOf(step, func(p *plan.Step) { p.Follows = true })
		return s
	}
	called("red").finds(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.args[0] in step 8 (upgrading 1/2)`)
	called("blue").finds()
}
