package trace_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/storage"
)

// storedAs makes all that the run stores such as has an encoding, recorded as the bytes
// that they are, and what it stores last such as has an API version.
func storedAs(run *oracletest.Run, encoding storage.Encoding, last string) {
	for i := range run.History.Changes {
		c := &run.History.Changes[i]
		raw := append(slices.Clone([]byte(run.History.Blobs[c.Value].JSON)), '\n')
		c.Encoding, c.APIVersion, c.Value = string(encoding), "example.dev/v1", history.Digest(raw)
		run.History.Blobs[c.Value] = history.Blob{Digest: c.Value, Bytes: raw}
	}
	run.History.Changes[len(run.History.Changes)-1].APIVersion = last
}

// renames moves a value to another place, where there is one.
func renames(t *testing.T, from, to string) func(oracletest.Object) {
	return func(o oracletest.Object) {
		if v, has := path.Get(o, oracletest.Path(t, from)); has {
			path.Remove(o, oracletest.Path(t, from))
			assert.NoError(t, path.Set(o, oracletest.Path(t, to), v))
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
		encoding      storage.Encoding
		last          string
		builtin       bool
		spec          string
		reads         bool
		old           oracletest.Behaviour
		want          []string
		indeterminate int
	}{
		"lost":                  {encoding: storage.JSON, last: v1, spec: oracletest.ShineSpec, want: []string{lost}},
		"held":                  {encoding: storage.JSON, last: v1, spec: oracletest.ShineSpec, reads: true},
		"not JSON":              {encoding: storage.Protobuf, last: v1, spec: oracletest.ShineSpec, indeterminate: 1},
		"not a custom resource": {encoding: storage.JSON, last: v1, builtin: true, spec: oracletest.ShineSpec, indeterminate: 1},
		"in another version of the same form": {encoding: storage.JSON, last: v2, want: []string{lost},
			spec: `{"colour": "red", "shine": {"level": 5}}`},
		"in another version of another form": {encoding: storage.JSON, last: v2, spec: oracletest.ShineSpec, indeterminate: 1,
			old: oracletest.Behaviour{Encode: renames(t, ".spec.colour", ".spec.tint"), Decode: renames(t, ".spec.tint", ".spec.colour")}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewManifests(t)
			if c.builtin {
				for role, release := range run.History.Releases {
					release.Defines = nil
					run.History.Releases[role] = release
				}
			}
			run.Behave(term.Old, c.old)
			run.Stage("new", term.New, term.New)
			run.Create("treated-1", c.spec)
			run.Stage("rolled-back", term.Old, term.Old)
			if c.reads {
				run.Get("treated-1")
			} else {
				run.Put("treated-1")
			}
			run.Observe()
			storedAs(run, c.encoding, c.last)
			res := run.ExpectFindings(c.want...)
			assert.Equal(t, c.indeterminate, oracletest.Check(t, res, term.CheckNothingLost).Indeterminate)
		})
	}
}

// TestStoredJSONHoldsWhatIsHidden: a value that the new release does not publish any more is
// hidden where the stored JSON has it, and lost as far as can be seen where it is not read.
func TestStoredJSONHoldsWhatIsHidden(t *testing.T) {
	for encoding, state := range map[storage.Encoding]string{storage.JSON: "hidden", storage.Protobuf: "lost"} {
		t.Run(string(encoding), func(t *testing.T) {
			run := oracletest.NewManifests(t)
			for role, release := range map[term.Role]term.Role{term.Old: term.New, term.New: term.Old} {
				run.Schemas[role] = oracletest.Schema(t, oracletest.Document(t, oracletest.Definitions(release)))
			}
			run.Create("bystander-1", oracletest.ShineSpec)
			run.Stage("upgrading 1/2", term.New, term.Old)
			run.Get("bystander-1")
			run.Observe()
			storedAs(run, encoding, "example.dev/v1")
			run.ExpectFindings("rule-2 violation rule-2 "+state+" pruned bystander-1 .spec.shine.level in step 4 (upgrading 1/2)",
				"rule-2 violation rule-2 varies unattributed bystander-1 .spec.shine.level in step 5 (upgrading 1/2)")
		})
	}
}
