package history_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// TestCutAtEveryByte: a history that is cut anywhere is reported as cut, or refused if its
// header is incomplete.
func TestCutAtEveryByte(t *testing.T) {
	text := written(t)
	header := strings.Index(text, "\n")
	for i := range len(text) - 1 { // the last line break may be missing
		h, err := decode(text[:i])
		if i < header {
			assert.Nil(t, h, i)
			assert.ErrorContains(t, err, history.FileName+": its first line is no header", i)
			continue
		}
		require.NoError(t, err, i)
		assert.False(t, h.Complete(), "cut at %d", i)
		for _, what := range h.Damage {
			assert.Regexp(t, `^line \d+: cut short or damaged: |^the body [0-9a-f]{32}, which a record names, is missing$`, what)
		}
	}
}

// TestBitsOfBodies: a change of any bit of a body, or of its digest, is reported.
func TestBitsOfBodies(t *testing.T) {
	text := written(t)
	digest := history.Digest([]byte(gadget))
	for _, content := range []string{gadget, digest} {
		start := strings.LastIndex(text, content)
		for i := range len(content) * 8 {
			bent := []byte(text)
			bent[start+i/8] ^= 1 << (i % 8)
			h, err := history.Decode(bytes.NewReader(bent))
			require.NoError(t, err)
			assert.False(t, h.Complete(), "%q", bent[start:start+len(content)])
		}
	}
}

// TestLies: a record that claims what cannot be is damage, or is kept for the
// oracle to make nothing of; it is not believed in memory.
func TestLies(t *testing.T) {
	form := `"schemaVersion":"` + history.SchemaVersion + `"`
	first := `{"n":1,"header":{` + form + `}}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"a number too large":   {first + `{"n":2,"change":{"revision":9223372036854775808}}`, "cannot unmarshal number 9223372036854775808"},
		"a number of a half":   {first + `{"n":2,"skip":{"step":1.5}}`, "cannot unmarshal number 1.5"},
		"a time out of range":  {first + `{"n":2,"at":1e999,"skip":{}}`, "cannot unmarshal number 1e999"},
		"a line number":        {first + `{"n":-9223372036854775808,"skip":{}}`, "is record -9223372036854775808"},
		"a plan of text":       {`{"n":1,"header":{` + form + `,"plan":"x"}}`, ""},
		"a plan of lists":      {first + `{"n":2,"header":{` + form + `,"plan":{"stages":[{"steps":{}}]}}}`, "cannot unmarshal object"},
		"invalid bytes":        {first + `{"n":2,"blob":{"digest":"d","bytes":"%%"}}`, "illegal base64 data"},
		"another's digest":     {first + `{"n":2,"blob":{"digest":"d","bytes":"AAAA"}}`, "its content is not what its digest names"},
		"another's digest, {}": {first + `{"n":2,"blob":{"digest":"d","json":{}}}`, "its content is not what its digest names"},
		"a digest of nothing":  {first + `{"n":2,"operation":{"exchange":{"answer":"../../x"}}}` + "\n" + `{"n":3,"end":{"outcome":"finished"}}`, "the body ../../x, which a record names, is missing"},
		"nested too deep":      {first + `{"n":2,"skip":` + strings.Repeat("[", 100_000), "exceeded max depth"},
		"not UTF-8":            {first + "{\"n\":2,\"skip\":{\"reason\":\"\xff\xfe\"}}", ""},
		"all members null":     {first + `{"n":2,"header":null,"blob":null,"release":null,"end":null}`, "holds no record"},
	} {
		h, err := decode(c.text + "\n")
		if c.want == "" {
			assert.True(t, err != nil || h.Damage == nil, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Contains(t, strings.Join(h.Damage, "\n"), c.want, name)
		assert.False(t, h.Complete(), name)
	}
}

// TestAbsurdPlan: a plan may claim anything; what it takes is what it is long.
func TestAbsurdPlan(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, `,{"number":%d,"copy":"c","verb":"\u0000"}`, 1<<62-i%7)
	}
	text := `{"n":1,"header":{"schemaVersion":"` + history.SchemaVersion + `","plan":{"replicas":["","",null],"copies":[{},{}],` +
		`"manifests":{"":{"body":{"a":[[]]}}},"stages":[{"steps":[` + b.String()[1:] + `]}]}}}` + "\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h, err := decode(text)
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	assert.Len(t, h.Header.Plan.Stages[0].Steps, 10_000)
	assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(64), "MiB")
}

// FuzzDamage holds that what is left of a history, after any piece of it was
// replaced by any bytes, is read without a panic, and that a history of which
// a line is gone is not complete.
func FuzzDamage(f *testing.F) {
	text := written(f)
	f.Add(0, 1, []byte{})
	f.Add(len(text)/2, 1, []byte("\x00"))
	f.Add(len(text)/2, 10, []byte("\n"))
	f.Add(strings.Index(text, "\n"), 1, []byte(""))
	f.Add(strings.Index(text, `"digest"`), 8, []byte(`"Digest"`))
	f.Add(strings.Index(text, `"blob"`), 6, []byte(`"header"`))
	f.Add(strings.Index(text, `"plan":{`)+7, 1, []byte(`{"copies":[{"name":null}],"stages":[null],`))
	f.Add(len(text), 0, []byte(`{"n":11,"end":{"outcome":"finished"}}`))
	f.Fuzz(func(t *testing.T, at, size int, by []byte) {
		at = max(0, min(at, len(text)))
		size = max(0, min(size, len(text)-at))
		bent := text[:at] + string(by) + text[at+size:]
		h, err := decode(bent)
		if err != nil {
			assert.Nil(t, h)
			return
		}
		for digest := range h.Blobs {
			h.Object(digest)
			h.HasObject(digest)
		}
		if strings.Count(bent, "\n") < strings.Count(text, "\n")-1 {
			assert.False(t, h.Complete())
		}
	})
}
