package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// restores is a mind that puts back what an update takes out of a member of .spec.
func restores(t *testing.T, name string) mind {
	at := parsePath(t, ".spec."+name)
	return mind{drops: func(now, was object) {
		if _, has := path.Get(now, at); was != nil && !has {
			if v, had := path.Get(was, at); had {
				assert.NoError(t, path.Set(now, at, v))
			}
		}
	}}
}

// bare records the create, as a dry run, of a copy without what a step was to remove.
func (s *story) bare(step int, code int, spec string) {
	x := history.Exchange{Method: "POST", Code: code}
	if x.Succeeded() {
		x.Answer = s.blob(object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": object{"name": "bare"}, "spec": parse(s.t, spec)})
	}
	s.h.Operations = append(s.h.Operations, history.Operation{Step: step, Purpose: history.Bare, Replica: "a", Role: s.serving["a"], Exchange: x})
}

// resize patches a copy through a subresource that is neither its status nor its scale.
func (s *story) resize(name string, all ...option) int {
	step := s.patch(name, all...)
	s.stepOf(step, func(p *plan.Step) { p.Subresource = "resize" })
	return step
}

const removable = `{"colour": "red", "size": "1", "grain": "fine"}`

// TestRemovalIsOwed: an operation that names a path, takes the value away and is answered
// with success must not leave it where it was; a default may take its place.
func TestRemovalIsOwed(t *testing.T) {
	const kept = `nothing-lost violation rule-2 not-accepted unattributed treated-1 .spec.size in step 4 (upgrading 1/2)`
	for name, c := range map[string]struct {
		field  string
		code   int // of the create without the value; 0: no such create
		bare   string
		tell   func(*story)
		want   []string
		untold int
	}{
		"restored from the object":          {field: "size", code: 201, bare: `{"colour": "red"}`, want: []string{kept}},
		"required, and restored":            {field: "size", code: 422, want: []string{kept}},
		"a default that nothing publishes":  {field: "size", code: 201, bare: `{"colour": "red", "size": "1"}`},
		"the published default":             {field: "grain"},
		"nobody asked whether it is filled": {field: "size"},
		"the create met something else":     {field: "size", code: 409, untold: 1},
		"related, and not all named": {field: "size", code: 201, bare: `{"colour": "red"}`, tell: func(s *story) {
			s.h.Header.Plan.Related = [][]string{{".spec.size", ".spec.colour"}}
		}},
	} {
		for verb, play := range map[string]func(*story, string, ...option) int{
			"put": (*story).put, "merge patch": (*story).patch, "merge patch of a subresource": (*story).resize,
		} {
			t.Run(name+", "+verb, func(t *testing.T) {
				s := mixed(t)
				s.thinks(term.New, restores(t, c.field))
				s.create("treated-1", removable)
				if c.tell != nil {
					c.tell(s)
				}
				step := play(s, "treated-1", set(".spec."+c.field, nil))
				if c.code > 0 {
					s.bare(step, c.code, c.bare)
				}
				s.edge()
				res := s.finds(c.want...)
				assert.Equal(t, c.untold, check(t, res, term.CheckNothingLost).Indeterminate)
			})
		}
	}
}

// TestRemovalIsDone: what is taken away is gone, or another value is filled in.
func TestRemovalIsDone(t *testing.T) {
	for name, m := range map[string]mind{
		"gone":                       {},
		"another value is filled in": {fills: fill(t, "size", "7")},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.thinks(term.New, m)
			s.create("treated-1", removable)
			s.bare(s.patch("treated-1", set(".spec.size", nil)), 201, `{"colour": "red"}`)
			s.edge()
			s.finds()
		})
	}
}

// TestRemovalOfTheChange: a value of the change that cannot be taken away breaks rule-4.
func TestRemovalOfTheChange(t *testing.T) {
	s := mixed(t)
	s.thinks(term.New, restores(t, "shine"))
	s.create("treated-1", onlyShine)
	s.bare(s.patch("treated-1", set(".spec.shine", nil)), 201, `{}`)
	s.edge()
	res := s.finds(`nothing-lost violation rule-4 not-accepted unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	assert.Equal(t, res.Findings[0].Before, res.Findings[0].After)
}
