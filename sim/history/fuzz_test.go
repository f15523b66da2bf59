package history_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// FuzzDecode holds that no file makes Decode or what it returns panic.
func FuzzDecode(f *testing.F) {
	text := written(f)
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(`{"header":{"schemaVersion":"skewsim.dev/history/v1","plan":null}}` + "\n" + `{"blob":{"digest":"d","json":null}}`))
	f.Add([]byte("\n\x00{}[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := history.Decode(bytes.NewReader(data))
		if err != nil {
			assert.Nil(t, h)
			return
		}
		for digest := range h.Blobs {
			h.Object(digest)
		}
		if h.Complete() {
			assert.Empty(t, h.Damage)
		}
	})
}

// FuzzBody holds that what Body keeps is found again, and that keeping it
// anew changes nothing.
func FuzzBody(f *testing.F) {
	f.Add([]byte(`{"b":1,"a":[1.0,null]}`))
	f.Add([]byte(`{}}`))
	f.Add([]byte("\xff"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) == 0 {
			return
		}
		w, dir := create(t)
		digest, err := w.Body(body)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		h, err := history.Load(dir)
		require.NoError(t, err)
		b := h.Body(digest)
		if b.JSON == nil {
			assert.Equal(t, body, b.Bytes)
			return
		}
		assert.Equal(t, digest, history.Digest(b.JSON))
	})
}
