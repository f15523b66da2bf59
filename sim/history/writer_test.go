package history_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// TestBody compares what is kept of a body: canonical JSON, or its bytes.
func TestBody(t *testing.T) {
	for name, c := range map[string]struct{ body, json, bytes string }{
		"sorted":             {`{"b":1,"a":{"d":2,"c":3}}`, `{"a":{"c":3,"d":2},"b":1}`, ""},
		"space":              {" { \"a\" : 1 }\n", `{"a":1}`, ""},
		"digits":             {`{"n":12345678901234567890123,"f":1.50,"e":1e400}`, `{"e":1e400,"f":1.50,"n":12345678901234567890123}`, ""},
		"HTML":               {`{"a":"<&>"}`, `{"a":"<&>"}`, ""},
		"list":               {`[2,1]`, `[2,1]`, ""},
		"scalar":             {`"x"`, `"x"`, ""},
		"null":               {`null`, `null`, ""},
		"text":               {"404 page not found\n", "", "404 page not found\n"},
		"two documents":      {`{"a":1} {"b":2}`, "", `{"a":1} {"b":2}`},
		"a bracket too many": {`{"a":1}}`, "", `{"a":1}}`},
		"a list too many":    {`{"a":1}]`, "", `{"a":1}]`},
		"cut":                {`{"a":`, "", `{"a":`},
		"not UTF-8":          {"{\"a\":\"\xff\"}", "", "{\"a\":\"\xff\"}"},
		"too deep":           {strings.Repeat("[", 20000), "", strings.Repeat("[", 20000)},
	} {
		w, dir := create(t)
		digest, err := w.Body([]byte(c.body))
		require.NoError(t, err, name)
		require.NoError(t, w.Close())
		h, err := history.Load(dir)
		require.NoError(t, err, name)
		assert.Equal(t, c.json, string(h.Body(digest).JSON), name)
		assert.Equal(t, c.bytes, string(h.Body(digest).Bytes), name)
	}
}

func TestBlobsAreKeptOnce(t *testing.T) {
	w, dir := create(t)
	var digests []string
	for _, body := range []string{`{"a":1,"b":2}`, `{"b":2,"a":1}`, ` {"a":1, "b":2}`} {
		digest, err := w.Body([]byte(body))
		require.NoError(t, err)
		digests = append(digests, digest)
	}
	for range 2 {
		_, err := w.Bytes([]byte("stored"))
		require.NoError(t, err)
	}
	empty, err := w.Body(nil)
	require.NoError(t, err)
	assert.Empty(t, empty)
	require.NoError(t, w.Close())
	assert.Equal(t, []string{digests[0], digests[0]}, digests[1:])
	assert.Equal(t, history.Digest([]byte(`{"a":1,"b":2}`)), digests[0])
	assert.Equal(t, 2, strings.Count(read(t, dir), `"blob"`))
}

// TestOneContentInTwoForms: a body that is just what the store holds must be
// found as an object and as bytes, whichever came first.
func TestOneContentInTwoForms(t *testing.T) {
	const content = `{"a":1}`
	for name, order := range map[string][]func(*history.Writer, []byte) (string, error){
		"body first":  {(*history.Writer).Body, (*history.Writer).Bytes},
		"store first": {(*history.Writer).Bytes, (*history.Writer).Body},
	} {
		w, dir := create(t)
		for _, write := range order {
			_, err := write(w, []byte(content))
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		h, err := history.Load(dir)
		require.NoError(t, err)
		digest := history.Digest([]byte(content))
		assert.Equal(t, map[string]any{"a": int64(1)}, h.Object(digest), name)
		assert.Equal(t, content, string(h.Body(digest).Bytes), name)
	}
}

func TestFile(t *testing.T) {
	w, dir := create(t)
	require.NoError(t, w.Close())
	info, err := os.Stat(filepath.Join(dir, history.FileName))
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "it holds Secrets")
	}
	_, err = history.Create(dir, header())
	assert.ErrorIs(t, err, os.ErrExist, "a run never writes over another's evidence")
	_, err = history.Create(filepath.Join(dir, "none"), header())
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestConcurrentWriters holds that no two records mix, and that a body comes
// before whatever refers to it.
func TestConcurrentWriters(t *testing.T) {
	w, dir := create(t)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 50 {
				digest, err := w.Body(fmt.Appendf(nil, `{"i":%d}`, i))
				assert.NoError(t, err)
				assert.NoError(t, w.Write(history.Record{Operation: &history.Operation{
					Step: worker, Exchange: history.Exchange{Answer: digest},
				}}))
			}
		})
	}
	all.Wait()
	require.NoError(t, w.Close())
	h, err := history.Load(dir)
	require.NoError(t, err)
	assert.Empty(t, h.Damage)
	assert.Len(t, h.Operations, 400)
	assert.Len(t, slices.Collect(h.Digests()), 50)
	assertBodiesFirst(t, read(t, dir))
}

func assertBodiesFirst(t *testing.T, text string) {
	known := map[string]bool{}
	for line := range strings.Lines(text) {
		h, err := decode(`{"header":{"schemaVersion":"` + history.SchemaVersion + `"}}` + "\n" + line)
		require.NoError(t, err)
		for digest := range h.Blobs {
			known[digest] = true
		}
		for _, o := range h.Operations {
			assert.True(t, known[o.Exchange.Answer], line)
		}
	}
}

// TestFirstErrorIsKept: after a hole nothing further is written.
func TestFirstErrorIsKept(t *testing.T) {
	w, dir := create(t)
	first := w.Write(history.Record{Operation: &history.Operation{Exchange: history.Exchange{Seconds: math.NaN()}}})
	require.EqualError(t, first, "history: encode a record: json: unsupported value: NaN")
	before := read(t, dir)
	assert.Equal(t, first, w.Write(records()[1]))
	_, err := w.Body([]byte("{}"))
	assert.Equal(t, first, err)
	assert.NoError(t, w.Close(), "the error was returned already")
	assert.Equal(t, before, read(t, dir))
}

func TestClosed(t *testing.T) {
	w, _ := create(t)
	require.NoError(t, w.Close())
	err := w.Write(records()[1])
	assert.ErrorIs(t, err, os.ErrClosed)
	assert.ErrorContains(t, err, "history: the evidence can no longer be written: ")
	_, again := w.Bytes([]byte("x"))
	assert.Equal(t, err, again)
}

// TestBodyKnownBeforeTheError: a body that is already recorded still reports the gap.
func TestBodyKnownBeforeTheError(t *testing.T) {
	w, _ := create(t)
	_, err := w.Body([]byte("{}"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	first := w.Write(records()[1])
	_, again := w.Body([]byte("{}"))
	assert.Equal(t, first, again)
}
