package history_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
)

// frameStart begins a frame with a window of 256 KiB and no checksum.
var frameStart = []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x40}

// The types of a block.
const (
	raw = iota
	repeated
)

// block returns a block: for a repeated byte, size is how many there are.
func block(kind, size int, last bool, content ...byte) []byte {
	word := uint32(size<<3 | kind<<1)
	if last {
		word |= 1
	}
	return append(binary.LittleEndian.AppendUint32(nil, word)[:3], content...)
}

// damages collects what is damaged.
func damages() (all *[]string, damaged func(string, ...any)) {
	all = new([]string)
	return all, func(format string, args ...any) { *all = append(*all, fmt.Sprintf(format, args...)) }
}

// bomb returns frames of n blocks each, every one of 128 KiB of the same byte.
func bomb(frames, n int, content byte) []byte {
	var b []byte
	for range frames {
		b = append(b, frameStart...)
		for i := range n {
			b = append(b, block(repeated, 128<<10, i == n-1, content)...)
		}
	}
	return b
}

// TestBomb: frames that are small and have lines without end are refused; as many lines as every file may have are not.
func TestBomb(t *testing.T) {
	_, damaged := damages()
	size, err := history.Unframe(bytes.NewReader(bomb(10, 8, 'A')), 1<<20, 10<<20, damaged)
	require.NoError(t, err)
	assert.EqualValues(t, 10<<20, size)
	size, err = history.Unframe(bytes.NewReader(bomb(1000, 8, 'A')), 1<<20, 10<<20, damaged)
	assert.ErrorContains(t, err, "unpack it with zstd -d")
	assert.Less(t, size, int64(12<<20))
}

// TestLinesWithoutEnd: a few bytes that repeat a damaged line end the reading, and some damage does not.
func TestLinesWithoutEnd(t *testing.T) {
	header := written(t)
	header = header[:strings.Index(header, "\n")+1]
	h, err := decode(header + strings.Repeat("\n", 5000))
	require.NoError(t, err)
	assert.Equal(t, "and 4000 more damages", h.Damage[len(h.Damage)-1])
	in := &counted{Reader: bytes.NewReader(append([]byte(header), bytes.Repeat([]byte("\n"), 1<<20)...))}
	_, err = history.Decode(in)
	assert.ErrorContains(t, err, "line 2: damaged: ")
	assert.Less(t, in.size, 200<<10)
}

// counted counts what is read.
type counted struct {
	io.Reader
	size int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.size += n
	return n, err
}

// rawBlocks repeats a raw block without end.
type rawBlocks struct{ block, rest []byte }

func (r *rawBlocks) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		r.rest = r.block
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestFrameWithoutEnd: a frame is not held in memory beyond the size that a frame can have. A large one is.
func TestFrameWithoutEnd(t *testing.T) {
	content := bytes.Repeat([]byte(strings.Repeat("x", 1023)+"\n"), 128)
	blocks := &rawBlocks{block: block(raw, len(content), false, content...)}
	for size, whole := range map[int64]bool{4 << 20: true, 6 << 20: false} {
		in := &counted{Reader: io.MultiReader(bytes.NewReader(frameStart), io.LimitReader(blocks, size), errorReader{})}
		blocks.rest = nil
		seen := 0
		_, err := history.Unframe(in, 5<<20, 1<<30, func(format string, args ...any) {
			seen = in.size
			assert.Contains(t, fmt.Sprintf(format, args...), "unpack it with zstd -d")
		})
		assert.ErrorIs(t, err, errGone)
		assert.Equal(t, whole, seen == 0, "the frame is known to be too large before it ends")
	}
}

var errGone = errors.New("the disk is gone")

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, errGone }

// nest returns a file of damaged frames, each of which has the beginning of the next one in a raw block, and is as
// long as what is left of the file.
func nest(depth, size int) []byte {
	content := bytes.Repeat([]byte("x"), size)
	b := bytes.Clone(frameStart)
	for range depth {
		// A raw block that ends behind the beginning of another frame: both go on with the next block.
		copy(content[size-len(frameStart):], frameStart)
		b = append(b, block(raw, size, false, content...)...)
	}
	return append(b, block(3, 0, true)...)
}

// TestNestedFrames: damaged frames within damaged frames are not read again and again. Those in the place that a
// damaged length hides are.
func TestNestedFrames(t *testing.T) {
	all, damaged := damages()
	_, err := history.Unframe(bytes.NewReader(nest(20, 100<<10)), 1<<30, 1<<30, damaged)
	require.NoError(t, err)
	assert.Len(t, *all, 21)
	_, err = history.Unframe(bytes.NewReader(nest(120, 100<<10)), 1<<30, 1<<30, damaged)
	assert.ErrorContains(t, err, "stands within damaged ones")
	assert.Less(t, len(*all), 21+5)
}

// framed returns a history as another program compresses it.
func framed(t *testing.T, text string) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return encoder.EncodeAll([]byte(text), nil)
}

// skippable is a frame without lines, as pzstd writes them.
func skippable(size int) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{0x5e, 0x2a, 0x4d, 0x18}, uint32(size))
	return append(b, bytes.Repeat([]byte{0x28, 0xb5, 0x2f, 0xfd}, size/4)...)
}

// TestSkippableFrames: frames without lines are passed over, at the beginning too, whatever they hold.
func TestSkippableFrames(t *testing.T) {
	text := written(t)
	half := strings.Index(text, "\n") + 20
	file := slices.Concat(skippable(4), framed(t, text[:half]), skippable(1<<20), framed(t, text[half:]), skippable(4))
	h, err := history.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	assert.Empty(t, h.Damage)
	assert.True(t, h.Complete())
	h, err = history.Decode(bytes.NewReader(file[:len(file)-2]))
	require.NoError(t, err)
	assert.True(t, h.Complete(), "no line is lost")
	h, err = history.Decode(bytes.NewReader(file[:1<<20]))
	require.NoError(t, err)
	assert.False(t, h.Complete(), "cut within a frame without lines")
}

// TestNoHeader: what keeps a header from being read is in the error.
func TestNoHeader(t *testing.T) {
	w, dir := create(t)
	require.NoError(t, w.Close())
	whole, lines := file(t, dir), read(t, dir)
	overwrite := func(content []byte) error {
		require.NoError(t, os.WriteFile(filepath.Join(dir, history.FileName), content, 0o600))
		_, err := history.Load(dir)
		_, header := history.ReadHeader(dir)
		assert.Equal(t, err, header)
		return err
	}
	require.NoError(t, overwrite(whole))
	for at := range 4 {
		bent := bytes.Clone(whole)
		bent[at] ^= 1
		assert.ErrorContains(t, overwrite(bent), "its first line is no header: the frame at byte 0: damaged: ", at)
	}
	large := slices.Concat([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, binary.LittleEndian.AppendUint32(nil, 200<<20), block(repeated, 100, true, 'x'))
	assert.ErrorContains(t, overwrite(large), "unpack it with zstd -d", "as zstd makes one of more than 160 MiB")
	assert.ErrorContains(t, overwrite(nil), "not a history, or cut before the run began")
	require.NoError(t, overwrite([]byte(lines)), "lines that are not compressed, whatever the file's name")
}
