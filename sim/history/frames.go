package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxFrame is the size of the lines from which on a frame ends. A damaged byte costs the rest of its frame,
	// and a frame needs what the frames before it have said once more: of the histories of a sweep, frames of
	// 64 KiB take 15 % of their lines, of 256 KiB 12 %, of 1 MiB 10 %.
	maxFrame = 256 << 10
	// maxBlock is the maximum size of a block, by the format of zstd.
	maxBlock = 128 << 10
	// maxFrameLines is the maximum size of the lines of a frame, which ends behind the line that makes it maxFrame.
	maxFrameLines = maxFrame + maxLine
	// maxFrameFile is the maximum size of a frame in the file: of lines that do not compress, and of what stands
	// before each block.
	maxFrameFile = maxFrameLines + maxFrame
	// maxRatio is how many times the file's size its lines may have, beyond the first freeLines bytes of them. The
	// histories of runs have 8 times their size; objects with one long run of a letter have more, but not many of them.
	maxRatio  = 200
	freeLines = 1 << 30
	// maxReread is how many bytes of damaged frames are read again, in search of the frames within them. A damaged
	// length hides the frames behind it for a block or two.
	maxReread = 32 << 20
)

// errLarge reports a frame that no Writer has written, such as that of zstd, which makes one of a whole file.
var errLarge = fmt.Errorf("it has more than %d MiB of lines, which no frame of a history has; if the file is whole, unpack it with zstd -d --rm", maxFrameLines>>20)

var (
	frameMagic     = []byte{0x28, 0xb5, 0x2f, 0xfd}
	skippableMagic = []byte{0x2a, 0x4d, 0x18} // behind a byte from 0x50 to 0x5f
)

// newEncoder returns the encoder of a history's frames.
func newEncoder(out io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(maxFrame), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
}

// frames reads the lines of a history from its zstd frames. Of a frame that is damaged, or that a kill
// left unfinished, it reads the lines in the blocks before. It goes on with the frame after a damaged one.
type frames struct {
	in      io.Reader
	ended   error  // of in
	buffer  []byte // what was read from in, beginning with a frame
	at      int64  // offset of that frame
	decoder *zstd.Decoder
	text    []byte // lines of the last frame
	unread  []byte // of them
	cut     bool   // the last frame ends within a block
	largest int    // size of a frame in the file: maxFrameFile
	free    int64  // bytes of lines to which maxRatio does not apply: freeLines
	lines   int64  // bytes of lines decoded so far
	reread  int64  // bytes of damaged frames that are read again
	damaged func(format string, args ...any)
}

func newFrames(in io.Reader, damaged func(format string, args ...any)) (*frames, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFrameLines))
	return &frames{in: in, decoder: decoder, largest: maxFrameFile, free: freeLines, damaged: damaged}, err
}

// Read reads the lines of the frames.
func (f *frames) Read(p []byte) (int, error) {
	for len(f.unread) == 0 {
		if !f.holds(1) {
			return 0, f.ended
		}
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.unread)
	f.unread = f.unread[n:]
	return n, nil
}

// holds reads until the buffer has n bytes, and reports whether the file has them.
func (f *frames) holds(n int) bool {
	for len(f.buffer) < n && f.ended == nil {
		f.buffer = slices.Grow(f.buffer, max(n-len(f.buffer), 64<<10))
		var read int
		read, f.ended = f.in.Read(f.buffer[len(f.buffer):cap(f.buffer)])
		f.buffer = f.buffer[:len(f.buffer)+read]
	}
	return len(f.buffer) >= n
}

// next decodes the frame at the beginning of the buffer. It returns only errors of reading the file, and of
// files that would take any time or room to read.
func (f *frames) next() error {
	f.holds(zstd.HeaderMaxSize)
	var header zstd.Header
	size, err := 0, header.Decode(f.buffer[:min(len(f.buffer), zstd.HeaderMaxSize)])
	switch {
	case err == nil && header.Skippable: // without lines: pzstd writes them
		f.pass(int64(header.HeaderSize) + int64(header.SkippableSize))
		return nil
	case err == nil:
		size, err = f.measure(header)
	}
	if f.ended != nil && f.ended != io.EOF {
		return f.ended
	}
	unfinished := err == io.ErrUnexpectedEOF && !bytes.Contains(f.buffer[1:], frameMagic) // not the last one: damaged
	text, broken := f.decoder.DecodeAll(f.buffer[:size], f.text[:0])
	f.text = text
	f.lines += int64(len(text))
	if f.lines > f.free+maxRatio*(f.at+int64(size)) {
		return fmt.Errorf("the frames up to byte %d hold %d MiB of lines, which no run compresses so well; if it is the history of a run, unpack it with zstd -d --rm", f.at+int64(size), f.lines>>20)
	}
	if err == nil && broken == nil {
		f.unread = text
		f.drop(size)
		return nil
	}
	f.unread = text[:bytes.LastIndexByte(text, '\n')+1]
	if unfinished && (broken == nil || errors.Is(broken, io.ErrUnexpectedEOF)) {
		f.cut = size < len(f.buffer) || len(f.unread) < len(text)
		f.drop(len(f.buffer))
		return nil
	}
	if err == nil || unfinished {
		err = broken
	}
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = errLarge
	}
	f.damaged("the frame at byte %d: damaged: %v", f.at, err)
	end := f.at + int64(size)
	f.skip()
	if f.reread += max(0, end-f.at); f.reread > maxReread {
		return fmt.Errorf("the frame at byte %d stands within damaged ones, of which %d MiB were read already: the file cannot be read any further", f.at, f.reread>>20)
	}
	return nil
}

// pass drops n bytes of the file, which the buffer need not have.
func (f *frames) pass(n int64) {
	held := min(n, int64(len(f.buffer)))
	f.drop(int(held))
	if f.ended == nil {
		var passed int64
		passed, f.ended = io.CopyN(io.Discard, f.in, n-held)
		f.at += passed
	}
}

// measure returns the size of the frame at the beginning of the buffer. For a frame that the file does not
// have whole, it returns the size up to the last whole block, and io.ErrUnexpectedEOF.
func (f *frames) measure(header zstd.Header) (int, error) {
	at := header.HeaderSize
	for last := false; !last; {
		if at > f.largest {
			return at, errLarge
		}
		if !f.holds(at + 3) {
			return at, io.ErrUnexpectedEOF
		}
		var kind, size int
		last, kind, size = blockHeader(f.buffer[at:])
		if kind == blockReserved || size > maxBlock {
			return at, fmt.Errorf("no block at byte %d", f.at+int64(at))
		}
		if kind == blockRepeated {
			size = 1
		}
		if !f.holds(at + 3 + size) {
			return at, io.ErrUnexpectedEOF
		}
		at += 3 + size
	}
	if header.HasCheckSum {
		if !f.holds(at + 4) {
			return at, io.ErrUnexpectedEOF
		}
		at += 4
	}
	return at, nil
}

// The types of a block that say something about its size.
const (
	blockRepeated = 1 // one byte, to be repeated
	blockReserved = 3
)

// blockHeader decodes the three bytes before a block.
func blockHeader(b []byte) (last bool, kind, size int) {
	word := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	return word&1 == 1, word >> 1 & 3, word >> 3
}

// skip drops a damaged frame: up to the next one, be it within what was taken for the damaged one.
func (f *frames) skip() {
	for from := 1; ; from = 0 {
		if next := bytes.Index(f.buffer[min(from, len(f.buffer)):], frameMagic); next >= 0 {
			f.drop(from + next)
			return
		}
		f.drop(max(min(from, len(f.buffer)), len(f.buffer)-len(frameMagic)+1)) // the end may be the beginning of one
		if !f.holds(len(f.buffer) + 1) {
			f.drop(len(f.buffer))
			return
		}
	}
}

// drop drops the first n bytes of the buffer.
func (f *frames) drop(n int) {
	f.at += int64(n)
	f.buffer = f.buffer[n:]
}
