package play

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// valuesRead are readings of one value in both encodings: what the new release stores as v1, unless
// changed, is decoded by both.
func valuesRead(change func(*FixtureRow)) []StoredReading {
	r := StoredReading{Lap: term.DefaultLap}
	for _, e := range []term.Encoding{term.Protobuf, term.JSON} {
		ok := Reading{APIVersion: "example.dev/v1", Code: 200, Served: true, Decodes: true}
		row := FixtureRow{APIVersion: "example.dev/v1", Kind: "Gadget", Plural: "gadgets", WrittenBy: term.New, Encoding: e, Old: ok, New: ok}
		change(&row)
		r.Rows = append(r.Rows, row)
	}
	return []StoredReading{r}
}

func hides(path string) func(*FixtureRow) {
	return func(r *FixtureRow) { r.Hidden = []string{path} }
}

// fails has the old release, which serves only v1alpha1, refuse to read the value.
func fails(code int) func(*FixtureRow) {
	return func(r *FixtureRow) {
		r.Old = Reading{APIVersion: "example.dev/v1alpha1", Code: code, Served: true, Message: "no kind is registered"}
	}
}

// ends has a server of the old release end.
func ends(r *FixtureRow) {
	r.Key = "/registry/gadgets/one"
	r.Old = Reading{Served: true, Ended: true, Message: "the server gives no answer: EOF"}
}

// panics has the old release panic over the value.
func panics(r *FixtureRow) {
	fails(0)(r)
	r.Old.Panicked = true
}

// storeFails has the store of the old release fail.
func storeFails(r *FixtureRow) {
	fails(500)(r)
	r.Old.Message = "etcdserver: request timed out"
}

func unserved(r *FixtureRow) { r.Old = Reading{} }

func ofKind(k term.DifferenceKind, path string) diff.Difference {
	return diff.Difference{Difference: k, Group: "example.dev", Version: "v1", Kind: "Gadget", Path: path, Playable: true}
}

// outcome is that of a row which a lap played.
func outcome(is term.Effect, exercised bool) []sweep.LapResult {
	return []sweep.LapResult{{Lap: term.DefaultLap, Effect: is, Exercised: exercised, Reason: "as played"}}
}

const stored = "no write: stored as protobuf and as JSON by the new release, read by the old one"

// TestAdd: what a release does not read of the other's bytes, beside the reading that differs from
// it in one thing and is no finding.
func TestAdd(t *testing.T) {
	added, storage := ofKind(term.FieldAdded, ".spec.parts[].colour"), ofKind(term.StorageChanged, "")
	for name, c := range map[string]struct {
		readings []StoredReading
		row      diff.Difference
		played   []sweep.LapResult
		verdict  term.Effect // of the row
		cells    int
		cause    term.Cause
		further  []term.Effect // verdicts of rows that were added
	}{
		"the stored version is unknown":         {valuesRead(fails(500)), storage, outcome(term.Kept.Effect(), true), term.Undecodable.Effect(), 1, term.BadVersion, nil},
		"it is unknown, and nothing was played": {valuesRead(fails(500)), storage, nil, term.Undecodable.Effect(), 1, term.BadVersion, nil},
		"the key is another one":                {valuesRead(fails(404)), storage, nil, term.Undecodable.Effect(), 1, term.KeyMissing, nil},
		"the server panics":                     {valuesRead(panics), storage, outcome(term.Kept.Effect(), true), term.Panicked.Effect(), 1, "", nil},
		"the server ends":                       {valuesRead(ends), storage, outcome(term.Kept.Effect(), true), term.Panicked.Effect(), 1, "", nil},
		"the server's store fails":              {valuesRead(storeFails), storage, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", nil},
		"the server is busy":                    {valuesRead(fails(429)), storage, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", nil},
		"the release does not serve the kind":   {valuesRead(unserved), storage, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", nil},
		"no difference explains it":             {valuesRead(fails(500)), added, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", []term.Effect{term.Undecodable.Effect()}},
		"both read it":                          {valuesRead(func(*FixtureRow) {}), storage, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", nil},
		"an added field is hidden":              {valuesRead(hides(".spec.parts[0].colour")), added, outcome(term.Kept.Effect(), true), term.Hidden.Effect(), 1, "", nil},
		"its list is hidden":                    {valuesRead(hides(".spec.parts")), added, outcome(term.Kept.Effect(), true), term.Hidden.Effect(), 1, "", nil},
		"its map is one with names as keys":     {valuesRead(hides(".spec.parts.left.colour")), added, outcome(term.Kept.Effect(), true), term.Hidden.Effect(), 1, "", nil},
		"its key has dots":                      {valuesRead(hides(`.spec.parts["example.dev/a"].colour`)), added, outcome(term.Kept.Effect(), true), term.Hidden.Effect(), 1, "", nil},
		"another field of such a map is hidden": {valuesRead(hides(".spec.parts.left.size")), added, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", []term.Effect{term.Hidden.Effect()}},
		"it is hidden, and writes did worse":    {valuesRead(hides(".spec.parts[0].colour")), added, outcome(term.Lost.By(term.OldServer), true), term.Lost.By(term.OldServer), 1, "", nil},
		"it is hidden, and nothing reached it":  {valuesRead(hides(".spec.parts[0].colour")), added, outcome(term.NotExercised.Effect(), false), term.NotExercised.Effect(), 1, "", nil},
		"the lap does not play it":              {valuesRead(hides(".spec.parts[0].colour")), added, nil, term.Effect{}, 0, "", nil},
		"another field is hidden":               {valuesRead(hides(".spec.parts[0].size")), added, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", []term.Effect{term.Hidden.Effect()}},
		"a value is read as something else": {valuesRead(func(r *FixtureRow) { r.Changed = []string{".spec.parts[0].colour"} }),
			ofKind(term.TagChanged, ".spec.parts[].colour"), outcome(term.Kept.Effect(), true), term.Changed.Effect(), 1, "", nil},
		"the reader shows more": {valuesRead(func(r *FixtureRow) { r.Added = []string{".spec.parts[0].colour"} }), added, outcome(term.Kept.Effect(), true), term.Kept.Effect(), 0, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			rows := AddStored([]sweep.Row{{ID: "row", Difference: c.row, Laps: c.played}}, sweep.Scope{Whole: []diff.Difference{c.row}}, c.readings)
			require.Len(t, rows, 1+len(c.further))
			if c.verdict.Outcome == "" {
				assert.Empty(t, rows[0].Laps)
				return
			}
			o := rows[0].Laps[0]
			assert.Equal(t, c.verdict, o.Effect)
			assert.Equal(t, c.cause, o.Cause)
			assert.Equal(t, c.played != nil && c.played[0].Exercised, o.Exercised, "reading is no exercise")
			require.Len(t, o.Cells, c.cells)
			for _, cell := range o.Cells {
				assert.Equal(t, stored, cell.Write)
				assert.NotEmpty(t, cell.Message)
			}
			for i, is := range c.further {
				assert.Equal(t, is, rows[1+i].Laps[0].Effect)
				assert.Equal(t, term.BehaviourChanged, rows[1+i].Difference.Difference)
				assert.False(t, rows[1+i].Laps[0].Exercised)
			}
		})
	}
}

// TestParts: a difference outside the rows explains a value, and a row of a part that is not
// selected is not added.
func TestParts(t *testing.T) {
	elsewhere := ofKind(term.FieldAdded, ".other")
	elsewhere.Places = []diff.Place{{APIVersion: "example.dev/v1", Kind: "Gadget", Path: ".spec.colour"}}
	assert.Empty(t, AddStored(nil, sweep.Scope{Whole: []diff.Difference{elsewhere}}, valuesRead(hides(".spec.colour"))))
	assert.Len(t, AddStored(nil, sweep.Scope{}, valuesRead(hides(".spec.colour"))), 1)
	assert.Empty(t, AddStored(nil, sweep.Scope{Paths: []string{".spec"}}, valuesRead(hides(".spec.colour"))))
}

// TestEnds: a value that ends a server is named with its key, as a row or, where it is its own release's
// server, as a note.
func TestStoredEnds(t *testing.T) {
	rows := AddStored(nil, sweep.Scope{}, valuesRead(ends))
	require.Len(t, rows, 1)
	assert.Contains(t, rows[0].Laps[0].Reason, "/registry/gadgets/one")
	own := valuesRead(ends)
	own[0].Rows[0].WrittenBy = term.Old
	own[0].Rows = own[0].Rows[:1]
	assert.Empty(t, AddStored(nil, sweep.Scope{}, own))
	notes := StoredNotes(own)
	require.Len(t, notes, 2)
	assert.Contains(t, notes[1], "/registry/gadgets/one")
}

// TestNote: the counts of a lap.
func TestNote(t *testing.T) {
	for want, change := range map[string]func(*FixtureRow){
		"0 undecodable, 1 field hidden, 0 read as something else":                  hides(".a"),
		"1 undecodable, 0 fields hidden, 0 read as something else":                 fails(500),
		"0 undecodable, 0 fields hidden, 0 read as something else, 2 not answered": fails(503),
	} {
		assert.Equal(t, []string{"default: 2 values of 1 kind, as either release stores them, read by both without validation: " + want}, StoredNotes(valuesRead(change)))
	}
}
