package history

import (
	"bufio"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// maxLine is how long a line can be: an answer of the largest size that is
// kept, 64 MiB, in the longest spelling that JSON has for it.
const maxLine = 160 << 20

var errLong = errors.New("a line that is too long")

// lines reads a history line by line, and sums up what it has read.
type lines struct {
	in    *bufio.Reader
	sum   hash.Hash
	last  []byte // the line that was read last, which is not in the sum yet
	start int64  // where it stands
	end   int64  // of all that was read
}

// digest names all that was read before the last line, as End.Digest does.
func (l *lines) digest() string { return hex.EncodeToString(l.sum.Sum(nil))[:digestLength] }

// next returns the next line with its end. A line that is too long it passes
// over, whatever its length, with errLong.
func (l *lines) next() ([]byte, error) {
	var line []byte
	long := false
	l.sum.Write(l.last)
	l.last, l.start = nil, l.end
	for {
		part, err := l.in.ReadSlice('\n')
		l.end += int64(len(part))
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
			return nil, errLong // at the end of the file the next call says so
		}
		l.last = line
		return line, err
	}
}
