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
	in  *bufio.Reader
	sum hash.Hash
}

// digest names all that was read, as End.Digest does.
func (l *lines) digest() string { return hex.EncodeToString(l.sum.Sum(nil))[:digestLength] }

// next returns the next line with its end. A line that is too long it passes
// over, whatever its length, with errLong.
func (l *lines) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		l.sum.Write(part)
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long && (err == nil || err == io.EOF):
			return nil, errLong // at the end of the file the next call says so
		}
		return line, err
	}
}
