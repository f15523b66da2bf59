package cluster

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/fault"
)

// given is a source of these bodies, which fails at the end with err.
type given struct {
	bodies []string
	err    error
}

func (g given) Each(_ context.Context, each func(Object) error) (Coverage, error) {
	c := Coverage{Source: "given", ServerVersion: "v1.36.1-eks-abc", ReadAt: time.Unix(7, 0).UTC(), Limits: []string{"none"}}
	c.Skip("secrets", "confidential")
	for _, b := range g.bodies {
		o, err := Parse([]byte(b))
		if err != nil {
			return c, err
		}
		if err := each(o); err != nil {
			return c, err
		}
		c.Objects++
	}
	return c, g.err
}

func bodies(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"n","uid":"u","managedFields":[{}]},"x":9007199254740993,"y":"<&>%s"}`, i, strings.Repeat("y", i*5)))
	}
	return all
}

// TestSave: a file yields what was saved, and has the same coverage.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "o.jsonl.gz")
	passed := 0
	all := bodies(2000)
	spread := append([]string{"{\n \"apiVersion\": \"v1\", \"kind\": \"Node\",\n\"metadata\": {\"name\": \"n\"}}"}, all...)
	wrote, err := Save(t.Context(), name, given{bodies: spread}, func(Object) error { passed++; return nil })
	require.NoError(t, err)
	assert.Equal(t, 2001, passed)

	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)

	require.True(t, IsSaved(name))
	s, err := OpenSaved(name)
	require.NoError(t, err)
	for range 2 {
		var got []Object
		read, err := s.Each(t.Context(), func(o Object) error { got = append(got, o); return nil })
		require.NoError(t, err)
		assert.Equal(t, wrote, read)
		assert.Equal(t, wrote, s.Coverage())
		require.Len(t, got, 2001)
		assert.Equal(t, `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}`, string(got[0].Body))
		assert.Equal(t, all[1999], string(got[2000].Body))
		assert.Equal(t, "Pod n/p1999", got[2000].String())
	}
	_, err = Save(t.Context(), filepath.Join(dir, "again"), s, nil)
	require.NoError(t, err, "a file is a source as any other")
}

// TestSaveFails: a failure leaves what was there.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "o")
	require.NoError(t, os.WriteFile(name, []byte("before"), 0o600))
	own := errors.New("own")
	_, err := Save(t.Context(), name, given{bodies(2), own}, nil)
	assert.ErrorIs(t, err, own)
	_, err = Save(t.Context(), name, given{bodies(2), nil}, func(Object) error { return own })
	assert.ErrorIs(t, err, own)
	_, err = Save(t.Context(), filepath.Join(dir, "none", "o"), given{}, nil)
	assert.ErrorContains(t, err, "save objects: ")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "before", string(data))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func packed(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.Bytes()
}

func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "o")
	_, err := Save(t.Context(), name, given{bodies: bodies(3)}, nil)
	require.NoError(t, err)
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	head := `{"format":"` + format + `","objects":2}` + "\n"
	one := bodies(1)[0] + "\n"
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, "not compressed with gzip"},
		"not gzip":        {[]byte("{}"), "not compressed with gzip"},
		"another file":    {packed("{}\n"), "its first line is not a header"},
		"cut off":         {whole[:len(whole)-9], "unexpected EOF"},
		"header alone":    {packed(head), "has 0 objects, and its header says 2"},
		"one is missing":  {packed(head + one), "has 1 objects, and its header says 2"},
		"one too many":    {packed(head + one + one + one), "has 3 objects, and its header says 2"},
		"cut in a line":   {packed(head + one + one[:20]), "object 2: unexpected EOF"},
		"not an object":   {packed(head + "[]\n" + one), "object 1: not a JSON object"},
		"without a name":  {packed(head + `{"apiVersion":"v1","kind":"Pod"}` + "\n" + one), "object 1: metadata.name is missing"},
		"a gigantic line": {packed(head + strings.Repeat(" ", maxLine+1) + "\n"), "object 1: larger than 64 MiB"},
	} {
		require.NoError(t, os.WriteFile(name, c.data, 0o600))
		s, err := OpenSaved(name)
		if err == nil {
			_, err = s.Each(t.Context(), func(Object) error { return nil })
		}
		assert.ErrorContains(t, err, c.want, what)
		assert.Equal(t, fault.User, fault.Of(err).Kind, what)
	}
	require.NoError(t, os.WriteFile(name, packed(head+one+one), 0o600))
	s, err := OpenSaved(name)
	require.NoError(t, err)
	own := errors.New("own")
	_, err = s.Each(t.Context(), func(Object) error { return own })
	assert.Equal(t, own, err)
	assert.False(t, IsSaved(filepath.Join(dir, "none")))
	assert.False(t, IsSaved(dir))
}
