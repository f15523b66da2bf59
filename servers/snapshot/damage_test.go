package snapshot

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/skewsim/skewsim/servers/fault"
)

// outcome opens content and reads all of it.
func outcome(t *testing.T, dir string, content []byte) (map[string]valueOf, error) {
	t.Helper()
	path := written(t, "x", content)
	s, err := Open(t.Context(), path, dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Select(""); err != nil {
		return nil, err
	}
	got, _, err := s.all(t.Context())
	return got, err
}

// TestTruncated: no part of a file passes for the file. Without its hash it is a valid
// database, and not verified.
func TestTruncated(t *testing.T) {
	etcd := few(t)
	size := len(etcd.saved)
	for _, length := range []int{1, 10, 19, 20, 100, 511, 512, 544, 1024, 4095, 4096, 4096 + 32, 8192, 8192 + 32, 12288, size / 2, size/2 + 32, size - 4096, size - 4096 - 32, size - 33, size - 31, size - 1} {
		_, err := outcome(t, t.TempDir(), etcd.saved[:length])
		assert.True(t, fault.Is(err, fault.User), "%d bytes of %d: %v", length, size, err)
	}
	for _, appended := range []int{1, 32, 512} {
		_, err := outcome(t, t.TempDir(), append(bytes.Clone(etcd.saved), make([]byte, appended)...))
		assert.True(t, fault.Is(err, fault.User), "%d bytes appended: %v", appended, err)
	}
	packed := zipped(t, etcd.saved)
	for _, length := range []int{2, 5, 9, 10, 11, 20, len(packed) / 2, len(packed) - 8, len(packed) - 1} {
		_, err := outcome(t, t.TempDir(), packed[:length])
		assert.True(t, fault.Is(err, fault.User), "%d bytes of %d with gzip: %v", length, len(packed), err)
	}
	for _, content := range [][]byte{etcd.saved, packed, etcd.saved[:size-hashBytes]} {
		_, err := outcome(t, t.TempDir(), content)
		assert.NoError(t, err)
	}
}

// flipped returns content with one bit of another value, every second time in the numbers at
// the beginning of a page.
func flipped(r *rand.Rand, content []byte, i int) []byte {
	at := r.IntN(len(content))
	if i%2 == 0 {
		at = at/4096*4096 + r.IntN(64)
	}
	if at >= len(content) {
		at = len(content) - 1
	}
	changed := bytes.Clone(content)
	changed[at] ^= 1 << r.IntN(8)
	return changed
}

// TestFlips: a changed bit of a file with a hash is an error. Without a hash it may be another
// value, but it neither panics nor passes the check where bbolt's own check fails.
func TestFlips(t *testing.T) {
	etcd := take(t, history(t, true))
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	for i := range 16 {
		_, err := outcome(t, dir, flipped(r, etcd.saved, i))
		assert.True(t, fault.Is(err, fault.User), "flip %d: %v", i, err)
	}
	packed := zipped(t, etcd.saved)
	for i := range 8 {
		got, err := outcome(t, dir, flipped(r, packed, i))
		if err == nil { // a bit of gzip's header, such as its time
			assert.Equal(t, etcd.values["/registry/last"], got["/registry/last"])
		}
	}
	refused := 0
	plain := etcd.saved[:len(etcd.saved)-hashBytes]
	for i := range 120 {
		changed := flipped(r, plain, i)
		if _, err := outcome(t, dir, changed); err != nil {
			assert.True(t, fault.Is(err, fault.User), "flip %d: %v", i, err)
			refused++
		}
		if checkPages(t.Context(), bytes.NewReader(changed), int64(len(changed))) == nil && i%8 == 0 {
			assert.Empty(t, ownCheck(t, changed), "flip %d", i)
		}
	}
	t.Logf("%d of 120 refused", refused)
	assert.Positive(t, refused) // most pages are free, or the middle of a value; how many are free depends on when etcd wrote
	assert.Less(t, refused, 120)
}

// ownCheck returns what bbolt's own check reports. It is safe only for what checkPages passes.
func ownCheck(t *testing.T, content []byte) (problems []error) {
	t.Helper()
	db, err := bbolt.Open(written(t, "x", content), 0o400, &bbolt.Options{ReadOnly: true})
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.View(func(tx *bbolt.Tx) error {
		for problem := range tx.Check() {
			problems = append(problems, problem)
		}
		return nil
	}))
	return problems
}

// TestPages: each check of a page finds its defect, in a file that is right without it.
func TestPages(t *testing.T) {
	saved := few(t).saved
	right := saved[:len(saved)-hashBytes]
	m, err := findMeta(bytes.NewReader(right), int64(len(right)))
	require.NoError(t, err)
	root := int64(m.root) * m.pageSize
	meta0, meta1 := int64(pageHeader), m.pageSize+pageHeader
	for name, c := range map[string]struct {
		words string
		spoil func(b []byte)
	}{
		"nothing":         {"", func([]byte) {}},
		"one meta page":   {"", func(b []byte) { b[meta0]++ }},
		"both meta pages": {"neither of its two meta pages is valid", func(b []byte) { b[meta0+20]++; b[meta1+20]++ }},
		"number":          {"its number says", func(b []byte) { b[root]++ }},
		"type":            {"its type is 0x12", func(b []byte) { b[root+8] = 0x12 }},
		"branch or leaf":  {"damaged", func(b []byte) { b[root+8] = isBranch }},
		"no branch":       {"it is a branch of nothing", func(b []byte) { b[root+8] = isBranch; b[root+10] = 0 }},
		"overflow":        {"it continues for 2147483648 pages", func(b []byte) { b[root+15] = 0x80 }},
		"count":           {"its keys are not in order", func(b []byte) { b[root+11] = 0xff }},
		"position":        {"an element has bytes", func(b []byte) { b[root+pageHeader+7] = 0x7f }},
		"key length":      {"an element has bytes", func(b []byte) { b[root+pageHeader+11] = 0x7f }},
		"value length":    {"an element has bytes", func(b []byte) { b[root+pageHeader+15] = 0x7f }},
		"bucket":          {"a bucket has 3 bytes", func(b []byte) { b[root+pageHeader+12] = 3 }},
		"order":           {"its keys are not in order", func(b []byte) { swapFirstKeys(b[root:]) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := bytes.Clone(right)
			c.spoil(b)
			err := checkPages(t.Context(), bytes.NewReader(b), int64(len(b)))
			if c.words == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.words)
			assert.True(t, fault.Is(err, fault.User))
		})
	}
}

// swapFirstKeys exchanges the first two elements of a leaf page: as positions count from the
// element, those change too.
func swapFirstKeys(page []byte) {
	first, second := page[pageHeader:pageHeader+element], page[pageHeader+element:pageHeader+2*element]
	a, b := bytes.Clone(first), bytes.Clone(second)
	order.PutUint32(b[4:], order.Uint32(b[4:])+element)
	order.PutUint32(a[4:], order.Uint32(a[4:])-element)
	copy(first, b)
	copy(second, a)
}

// TestReferencedTwice: two references to a page are found.
func TestReferencedTwice(t *testing.T) {
	saved := few(t).saved
	right := saved[:len(saved)-hashBytes]
	p := &pages{ctx: t.Context(), file: bytes.NewReader(right)}
	var err error
	p.metaPage, err = findMeta(p.file, int64(len(right)))
	require.NoError(t, err)
	p.seen = make([]bool, p.pages)
	require.NoError(t, p.tree(child{id: p.root}, 0))
	assert.ErrorContains(t, p.tree(child{id: p.root}, 0), "there are two references to page")
	assert.ErrorContains(t, p.tree(child{id: p.root}, maxDepth+1), "deeper")
	assert.ErrorContains(t, p.tree(child{id: 1 << 60}, 0), "page 1152921504606846976: there are")
}

// TestFault: a page of the copy that can no longer be read, as on a broken disk, is an error.
func TestFault(t *testing.T) {
	s := opened(t, few(t).saved)
	require.NoError(t, s.Select(""))
	require.NoError(t, os.Truncate(s.copy, 8192)) // the meta pages stay
	_, _, err := s.all(t.Context())
	assert.ErrorContains(t, err, "the database is damaged: ")
}
