package cluster

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/skewsim/skewsim/servers/fault"
)

// maxLine bounds one object. A store accepts objects of 1.5 MiB unless it is configured
// otherwise, and JSON of a protobuf object is several times larger.
const maxLine = 64 << 20

// magic is how every gzip file begins.
var magic = []byte{0x1f, 0x8b}

// Saved is a file that Save wrote.
type Saved struct {
	name   string
	header header
}

// IsSaved reports whether a file is one that Save wrote, as far as its header says.
func IsSaved(name string) bool {
	_, err := OpenSaved(name)
	return err == nil
}

// OpenSaved reads the header of a file.
func OpenSaved(name string) (*Saved, error) {
	s := &Saved{name: name}
	err := s.read(func(lines *bufio.Reader) (err error) {
		s.header, err = readHeader(lines)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Coverage returns what the header says of the objects.
func (s *Saved) Coverage() Coverage { return s.header.Coverage }

// Each yields the objects in their order in the file.
func (s *Saved) Each(ctx context.Context, each func(Object) error) (Coverage, error) {
	coverage := s.Coverage()
	return coverage, s.read(func(lines *bufio.Reader) error {
		if _, err := readHeader(lines); err != nil {
			return err
		}
		return eachLine(ctx, lines, coverage.Objects, each)
	})
}

// read opens the file and adds its name to errors.
func (s *Saved) read(content func(*bufio.Reader) error) error {
	err := s.unpack(content)
	var caller callerError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &caller):
		return caller.error
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fault.ByUser(fmt.Errorf("read saved objects %s: %w", s.name, err))
}

func (s *Saved) unpack(content func(*bufio.Reader) error) error {
	info, err := os.Stat(s.name)
	if err != nil {
		return cause(err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	f, err := os.Open(s.name)
	if err != nil {
		return cause(err)
	}
	defer f.Close()
	packed := bufio.NewReader(f)
	if start, _ := packed.Peek(len(magic)); !bytes.Equal(start, magic) {
		return errors.New("not a file that --save wrote: it is not compressed with gzip")
	}
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	return content(bufio.NewReaderSize(unpacked, 1<<16))
}

// cause removes the operation and the name from an error, because the caller adds them.
func cause(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func readHeader(lines *bufio.Reader) (h header, err error) {
	line, err := readLine(lines)
	if err == nil {
		err = json.Unmarshal(line, &h)
	}
	if err != nil || h.Format != format {
		return h, fmt.Errorf("not a file that --save wrote: its first line is not a header of format %s", format)
	}
	return h, nil
}

func eachLine(ctx context.Context, lines *bufio.Reader, count int, each func(Object) error) error {
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := readLine(lines)
		switch {
		case errors.Is(err, io.EOF) && n == count+1:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("has %d objects, and its header says %d: the file is cut off or changed", n-1, count)
		case err != nil:
			return fmt.Errorf("object %d: %w", n, err)
		}
		o, err := Parse(line)
		if err != nil {
			return fmt.Errorf("object %d: %w", n, err)
		}
		if err := each(o); err != nil {
			return callerError{err}
		}
	}
}

// readLine returns the next line in memory of its own, or io.EOF after the last one.
func readLine(lines *bufio.Reader) (line []byte, err error) {
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, fmt.Errorf("larger than %d MiB", maxLine>>20)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		default:
			return line[:len(line)-1], nil
		}
	}
}
