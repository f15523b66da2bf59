package history_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// killed is a history of these records, numbered, which has no End unless they hold one.
func killed(t *testing.T, intents bool, records ...string) *history.History {
	t.Helper()
	lines := []string{fmt.Sprintf(`{"n":1,"header":{"schemaVersion":%q,"intents":%t}}`, history.SchemaVersion, intents)}
	for i, r := range records {
		if r == end { // as a writer ends it
			r = fmt.Sprintf(`"end":{"outcome":"finished","digest":%q}`, history.Digest([]byte(strings.Join(lines, "\n")+"\n")))
		}
		lines = append(lines, fmt.Sprintf(`{"n":%d,"at":%d,%s}`, i+2, i+2, r))
	}
	h, err := decode(strings.Join(lines, "\n") + "\n")
	require.NoError(t, err)
	require.Empty(t, h.Damage)
	return h
}

// The records of two writes: what was sent, what the store's watch showed, and the answer.
const (
	intent1, intent2 = `"intent":{"step":1,"copy":"a","purpose":"act"}`, `"intent":{"step":2,"copy":"b","purpose":"act"}`
	change1, change2 = `"change":{"revision":7,"key":"/a"}`, `"change":{"revision":8,"key":"/b"}`
	answer1, answer2 = `"operation":{"step":1,"copy":"a","purpose":"act","exchange":{"code":200,"revision":7}}`, `"operation":{"step":2,"copy":"b","purpose":"act","exchange":{"code":200,"revision":8}}`
	refusal1         = `"operation":{"step":1,"copy":"a","purpose":"act","exchange":{"code":409}}`
	look1            = `"operation":{"step":1,"copy":"a","purpose":"look","exchange":{"code":200,"revision":9}}`
	stage1, stage2   = `"stage":{"index":0,"name":"old"}`, `"stage":{"index":1,"name":"new"}`
	end              = `"end":{"outcome":"finished"}`
)

// TestSettled: of a history without an End all counts by the last moment at which every
// write was answered and every answer's change seen; of one that ended, all does.
func TestSettled(t *testing.T) {
	for name, c := range map[string]struct {
		intents             bool
		records             []string
		operations, changes int
		unsettled           int
	}{
		"sent":                        {true, []string{intent1}, 0, 0, 1},
		"seen, and not answered":      {true, []string{intent1, change1}, 0, 0, 2},
		"answered, and not seen":      {true, []string{intent1, answer1}, 0, 0, 2},
		"answered and seen":           {true, []string{intent1, answer1, change1}, 1, 1, 0},
		"seen and answered":           {true, []string{intent1, change1, answer1}, 1, 1, 0},
		"refused":                     {true, []string{intent1, refusal1}, 1, 0, 0},
		"another is under way":        {true, []string{intent1, intent2, change1, answer1}, 0, 0, 4},
		"another is answered":         {true, []string{intent1, intent2, change1, answer1, change2, answer2}, 2, 2, 0},
		"another begins":              {true, []string{intent1, change1, answer1, intent2, change2}, 1, 1, 2},
		"a look is no write":          {true, []string{intent1, change1, answer1, look1}, 2, 1, 0},
		"the whole run":               {true, []string{intent1, change1, end}, 0, 1, 0},
		"an earlier version":          {false, []string{stage1, change1, answer1}, 0, 0, 3},
		"an earlier version's stage":  {false, []string{stage1, change1, answer1, stage2, change2}, 1, 1, 2},
		"the whole run of an earlier": {false, []string{stage1, change1, answer1, end}, 1, 1, 0},
	} {
		h := killed(t, c.intents, c.records...)
		assert.Len(t, h.Operations, c.operations, name)
		assert.Len(t, h.Changes, c.changes, name)
		assert.Equal(t, c.unsettled, h.Unsettled, name)
	}
}
