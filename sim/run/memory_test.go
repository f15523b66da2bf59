package run

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/stretchr/testify/assert"
)

// TestLooks: only copies that a live release has shown, as they are stored now,
// are like others.
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
		text, exists := m.looks(name, live)
		assert.True(t, exists, name)
		return text
	}
	assert.Equal(t, looks("a", old), looks("b", old))
	assert.NotEqual(t, looks("a", []term.Role{term.New}), looks("b", []term.Role{term.New}), "new has not shown either")
	m.resembles("other", "example.dev/v1", likeness{2})
	m.note(history.Record{Listing: &history.Listing{Role: term.New, Items: []history.Item{{Copy: "b", Answer: "other", Revision: 2}}}})
	assert.NotEqual(t, looks("a", both), looks("b", both), "one release tells them apart")
	m.note(history.Record{Change: &history.Change{Revision: 9, Key: "/x/a"}})
	assert.NotEqual(t, looks("a", old), looks("c", old), "what is stored now was not shown")
	m.note(history.Record{Change: &history.Change{Revision: 10, Key: "/x/c", Deleted: true}})
	_, exists := m.looks("c", old)
	assert.False(t, exists)
	_, exists = m.looks("d", old)
	assert.False(t, exists)
	assert.Equal(t, int64(10), m.newestOf([]string{"a", "d"}))
	assert.Zero(t, m.newestOf([]string{"d"}))
}
