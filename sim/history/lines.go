package history

import (
	"bufio"
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
	in    *bufio.Reader
	sum   hash.Hash
	last  []byte // the last line read, which the hash does not include yet
	start int64  // its offset
	end   int64  // of everything that was read
}

// digest returns the hash of everything before the last line, as End.Digest does.
func (l *lines) digest() string { return hex.EncodeToString(l.sum.Sum(nil))[:digestLength] }

// next returns the next line with its end. It skips a line that is too long, with errLong.
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
			return nil, errLong // the next call returns io.EOF
		}
		l.last = line
		return line, err
	}
}
