package history

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// maxLine is the maximum length of a line: an answer of the largest size that is kept, 64 MiB,
// in the longest spelling of JSON.
const maxLine = 160 << 20

var errLong = errors.New("a line that is too long")

// lines reads a history line by line, and hashes what it has read.
type lines struct {
	in     *bufio.Reader
	frames *frames // nil: the lines are not compressed
	sum    hash.Hash
	last   []byte // the last line read, which the hash does not include yet; its room is used again
	size   int64  // of all lines read
}

// newLines reads lines as they are or, of a compressed history, from its frames. byName says that the name of the file is that of a
// compressed one: its first bytes may be damaged.
func newLines(r io.Reader, byName bool, damaged func(format string, args ...any)) (*lines, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	l := &lines{in: in, sum: sha256.New()}
	start, _ := in.Peek(len(frameMagic))
	if isPlain := bytes.HasPrefix(start, []byte("{")); !isFrame(start) && (isPlain || !byName) {
		return l, nil
	}
	var err error
	l.frames, err = newFrames(in, damaged)
	l.in = bufio.NewReaderSize(l.frames, 64<<10)
	return l, err
}

// isFrame reports whether a file that begins so begins with a frame of zstd, be it one without content.
func isFrame(start []byte) bool {
	if bytes.Equal(start, frameMagic) {
		return true
	}
	return len(start) == len(frameMagic) && start[0]&0xf0 == 0x50 && bytes.Equal(start[1:], skippableMagic)
}

// cut reports whether the file ends within a line of its last frame.
func (l *lines) cut() bool { return l.frames != nil && l.frames.cut }

// digest returns the hash of everything before the last line, as End.Digest does.
func (l *lines) digest() string { return hex.EncodeToString(l.sum.Sum(nil))[:digestLength] }

// next returns the next line with its end, until it is called again. It skips a line that is too long, with
// errLong.
func (l *lines) next() ([]byte, error) {
	l.sum.Write(l.last)
	line, long := l.last[:0], false
	l.last = nil
	for {
		part, err := l.in.ReadSlice('\n')
		l.size += int64(len(part))
		switch {
		case long:
			l.sum.Write(part)
		case len(line)+len(part) > maxLine:
			l.sum.Write(line)
			l.sum.Write(part)
			line, long = nil, true
		default:
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long && (err == nil || err == io.EOF):
			return nil, errLong // the next call returns io.EOF
		}
		l.last = line
		return line, err
	}
}
