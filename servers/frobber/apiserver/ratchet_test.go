package apiserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

const wrongParam = `{"height":1,"param":"not a label's value"}`

// ratchetRows are the guide's table ("Ratcheting validation"), with changes of the field
// itself.
func ratchetRows() []ratchetRow {
	return []ratchetRow{
		{"new valid", "", `{"height":1,"param":"right"}`, 201},
		{"new invalid", "", wrongParam, 422},
		{"old valid", `{"height":1,"param":"right"}`, `{"spec":{"height":2}}`, 200},
		{"old invalid", wrongParam, `{"spec":{"height":2}}`, 200},
		{"old invalid, sent again", wrongParam, `{"spec":` + wrongParam + `}`, 200},
		{"old invalid, fixed", wrongParam, `{"spec":{"param":"right"}}`, 200},
		{"old invalid, wrong in another way", wrongParam, `{"spec":{"param":"wrong again"}}`, 422},
		{"old valid, made invalid", `{"height":1,"param":"right"}`, `{"spec":{"param":"wrong again"}}`, 422},
	}
}

// ratchetRow is an object that the release before has stored ("" for none), the patch that the
// release receives, and the expected status code.
type ratchetRow struct {
	name, old, sent string
	code            int
}

// play returns the status code of the answer.
func (r ratchetRow) play(before, after *server, name string) int {
	if r.old == "" {
		return after.do("POST", v6, body(name, r.sent)).code
	}
	before.create(name, r.old)
	return after.patch(v6+"/"+name, mergePatch, r.sent).code
}

func TestFrobberRatchet(t *testing.T) {
	k := newKernel(t)
	before, after := k.start(t, "1.11"), k.start(t, "1.12")
	for i, row := range ratchetRows() {
		assert.Equal(t, row.code, row.play(before, after, fmt.Sprint("right-", i)), row.name)
	}
	before.create("back", wrongParam)
	after.patch(v6+"/back", mergePatch, `{"spec":{"param":"right"}}`).json(t, 200)
	assert.Contains(t, after.patch(v6+"/back", mergePatch, `{"spec":{"param":"not a label's value"}}`).json(t, 422)["message"],
		"spec.param: Invalid value", "a ratchet does not turn back")
}

// TestSmokeRatchetMutants: which rows each mutant answers differently, and what else it accepts
// or refuses.
func TestFrobberRatchetMutants(t *testing.T) {
	fix := "old invalid, fixed"
	for mutant, want := range map[string][]string{
		"1.12":           nil,
		"1.12+tightened": {"old invalid", "old invalid, sent again"},
		"1.12+immutable": {fix},
		"1.12+relaxed":   {"odd policy"},
		"1.12+valid":     {"no limit"},
	} {
		k := newKernel(t)
		before, after := k.start(t, "1.11"), k.start(t, mutant)
		var differs []string
		for i, row := range append(ratchetRows(),
			ratchetRow{"odd policy", "", `{"height":1,"restartPolicy":"OnSundays"}`, 422},
			ratchetRow{"no limit", "", `{"height":-1}`, 422},
			ratchetRow{"less than no limit", "", `{"height":-2}`, 422},
		) {
			if row.play(before, after, fmt.Sprint("row-", i)) != row.code {
				differs = append(differs, row.name)
			}
		}
		assert.Equal(t, want, differs, mutant)
	}
}

// TestSmokeStatusTightens: the release before accepted a value that is refused now, but only in
// writes of the status.
func TestFrobberStatusTightens(t *testing.T) {
	k := newKernel(t)
	before, after := k.start(t, "1.11"), k.start(t, "1.12")
	before.create("s", `{"height":1}`)
	const negative = `{"status":{"replicas":-1}}`
	before.patch(v6+"/s/status", mergePatch, negative).json(t, 200)
	assert.Contains(t, after.patch(v6+"/s/status", mergePatch, negative).json(t, 422)["message"], "status.replicas: Invalid value: -1: must not be negative")
	after.patch(v6+"/s", mergePatch, `{"spec":{"height":2}}`).json(t, 200)
	after.patch(v6+"/s/status", mergePatch, `{"status":{"replicas":0}}`).json(t, 200)
}
