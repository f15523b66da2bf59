package observe

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// TestLooks: only copies that a live release has shown, as they are stored now, are like
// others.
func TestLooks(t *testing.T) {
	m := newMemory()
	old, both := []term.Role{term.Old}, []term.Role{term.Old, term.New}
	for i, name := range []string{"a", "b", "c"} {
		m.note(history.Record{Change: &history.Change{Revision: int64(i + 1), Key: "/x/" + name}})
		m.resembles("d"+name, "example.dev/v1", likeness{1})
		m.note(history.Record{Operation: &history.Operation{Copy: name, Role: term.Old, Purpose: history.Look,
			Exchange: history.Exchange{Method: "GET", Code: 200, Answer: "d" + name, Revision: int64(i + 1)}}})
	}
	looks := func(name string, live []term.Role) string {
		text, exists := m.Looks(name, live)
		assert.True(t, exists, name)
		return text
	}
	assert.Equal(t, looks("a", old), looks("b", old))
	assert.NotEqual(t, looks("a", []term.Role{term.New}), looks("b", []term.Role{term.New}), "new has not shown either")
	m.resembles("other", "example.dev/v1", likeness{2})
	m.note(history.Record{Listing: &history.Listing{Role: term.New, Items: []history.Item{{Copy: "b", Answer: "other", Revision: 2}}}})
	assert.NotEqual(t, looks("a", both), looks("b", both), "one release distinguishes them")
	m.note(history.Record{Change: &history.Change{Revision: 9, Key: "/x/a"}})
	assert.NotEqual(t, looks("a", old), looks("c", old), "what is stored now was not shown")
	m.note(history.Record{Change: &history.Change{Revision: 10, Key: "/x/c", Deleted: true}})
	_, exists := m.Looks("c", old)
	assert.False(t, exists)
	_, exists = m.Looks("d", old)
	assert.False(t, exists)
	assert.Equal(t, int64(10), m.NewestOf([]string{"a", "d"}))
	assert.Zero(t, m.NewestOf([]string{"d"}))
}

// TestDeletionsShowNothing: an object that is added or modified in a watch is shown as it is
// stored; the object that a deletion shows was stored before.
func TestDeletionsShowNothing(t *testing.T) {
	m := newMemory()
	m.resembles("d", "example.dev/v1", likeness{1})
	for revision, event := range map[int64]history.WatchEvent{12: history.WatchAdded, 14: history.WatchModified, 16: history.WatchDeleted} {
		m.note(history.Record{Watch: &history.Watch{Role: term.Old, Copy: "a", Event: event, Answer: "d", Revision: revision}})
	}
	assert.Equal(t, map[int64]roles{12: only(term.Old), 14: only(term.Old)}, m.copies["a"].shown)
}
