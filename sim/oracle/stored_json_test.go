package oracle_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// storedAs makes all that the story stores such as has an encoding, recorded as the bytes
// that they are, and what it stores last such as has an API version.
func (s *story) storedAs(encoding storage.Encoding, last string) {
	for i := range s.h.Changes {
		c := &s.h.Changes[i]
		raw := append(slices.Clone([]byte(s.h.Blobs[c.Value].JSON)), '\n')
		c.Encoding, c.APIVersion, c.Value = string(encoding), "example.dev/v1", history.Digest(raw)
		s.h.Blobs[c.Value] = history.Blob{Digest: c.Value, Bytes: raw}
	}
	s.h.Changes[len(s.h.Changes)-1].APIVersion = last
}

// renames moves a value to another place, where there is one.
func renames(t *testing.T, from, to string) func(object) {
	return func(o object) {
		if v, has := path.Get(o, parsePath(t, from)); has {
			path.Remove(o, parsePath(t, from))
			assert.NoError(t, path.Set(o, parsePath(t, to), v))
		}
	}
}

// TestStoredJSONTells: what a release that does not publish the field has written is read
// from the stored JSON of a custom resource. Stored in another encoding, or in an API version
// that may have another form, it is not known; and what the store holds still is not lost.
func TestStoredJSONTells(t *testing.T) {
	const (
		lost   = `nothing-lost impact rule-6 lost pruned treated-1 .spec.shine.level in step 5 (rolled-back)`
		v1, v2 = "example.dev/v1", "example.dev/v2"
	)
	for name, c := range map[string]struct {
		encoding storage.Encoding
		last     string
		builtin  bool
		spec     string
		reads    bool
		old      mind
		want     []string
		untold   int
	}{
		"lost":                  {encoding: storage.JSON, last: v1, spec: onlyShine, want: []string{lost}},
		"held":                  {encoding: storage.JSON, last: v1, spec: onlyShine, reads: true},
		"not JSON":              {encoding: storage.Protobuf, last: v1, spec: onlyShine, untold: 1},
		"not a custom resource": {encoding: storage.JSON, last: v1, builtin: true, spec: onlyShine, untold: 1},
		"in another version of the same form": {encoding: storage.JSON, last: v2, want: []string{lost},
			spec: `{"colour": "red", "shine": {"level": 5}}`},
		"in another version of another form": {encoding: storage.JSON, last: v2, spec: onlyShine, untold: 1,
			old: mind{saves: renames(t, ".spec.colour", ".spec.tint"), loads: renames(t, ".spec.tint", ".spec.colour")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := ofManifests(t)
			if c.builtin {
				for role, release := range s.h.Releases {
					release.Defines = nil
					s.h.Releases[role] = release
				}
			}
			s.thinks(term.Old, c.old)
			s.stage("new", term.New, term.New)
			s.create("treated-1", c.spec)
			s.stage("rolled-back", term.Old, term.Old)
			if c.reads {
				s.get("treated-1")
			} else {
				s.put("treated-1")
			}
			s.edge()
			s.storedAs(c.encoding, c.last)
			res := s.finds(c.want...)
			assert.Equal(t, c.untold, check(t, res, term.CheckNothingLost).Indeterminate)
		})
	}
}

// TestStoredJSONHoldsWhatIsHidden: a value that the new release does not publish any more is
// hidden where the stored JSON has it, and lost as far as can be seen where it is not read.
func TestStoredJSONHoldsWhatIsHidden(t *testing.T) {
	for encoding, state := range map[storage.Encoding]string{storage.JSON: "hidden", storage.Protobuf: "lost"} {
		t.Run(string(encoding), func(t *testing.T) {
			s := ofManifests(t)
			for role, release := range map[term.Role]term.Role{term.Old: term.New, term.New: term.Old} {
				s.schemas[role] = schemaOf(t, documentOf(t, published(release)))
			}
			s.create("bystander-1", onlyShine)
			s.stage("upgrading 1/2", term.New, term.Old)
			s.get("bystander-1")
			s.edge()
			s.storedAs(encoding, "example.dev/v1")
			s.finds("rule-2 violation rule-2 "+state+" pruned bystander-1 .spec.shine.level in step 4 (upgrading 1/2)",
				"rule-2 violation rule-2 varies unattributed bystander-1 .spec.shine.level in step 5 (upgrading 1/2)")
		})
	}
}
