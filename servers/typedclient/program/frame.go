package program

import (
	"encoding/binary"
	"fmt"
	"io"
)

// maxFrame bounds a frame after its head. A LIST of everything in a busy
// cluster is larger; an object, of which etcd takes 1.5 MB, is not.
const maxFrame = 64 << 20

// TooLargeError is the error of a frame that is not sent, or not read.
type TooLargeError struct{ Size int64 }

// Error gives both sizes.
func (e TooLargeError) Error() string {
	return fmt.Sprintf("a frame has at most %d bytes, this one has %d", maxFrame, e.Size)
}

// NewFrame makes a frame: its identity, the length of the rest, and the parts,
// each after its own length; all numbers are four bytes, big end first. It is a
// copy of the parts. The error is TooLargeError.
func NewFrame(id uint32, parts ...[]byte) ([]byte, error) {
	size := int64(0)
	for _, part := range parts {
		size += 4 + int64(len(part))
	}
	if size > maxFrame {
		return nil, TooLargeError{size}
	}
	b := make([]byte, 0, 8+size)
	b = binary.BigEndian.AppendUint32(b, id)
	b = binary.BigEndian.AppendUint32(b, uint32(size))
	for _, part := range parts {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(part))), part...)
	}
	return b, nil
}

// ReadFrame reads one frame. Of one that is too large it reads the head: whoever
// wants to go on has to skip the rest. One whose lengths do not fit together has
// no parts.
func ReadFrame(r io.Reader) (id uint32, parts [][]byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	id, size := binary.BigEndian.Uint32(head[:]), int64(binary.BigEndian.Uint32(head[4:]))
	if size > maxFrame {
		return id, nil, TooLargeError{size}
	}
	rest := make([]byte, size)
	if _, err := io.ReadFull(r, rest); err != nil {
		return id, nil, io.ErrUnexpectedEOF
	}
	return id, split(rest), nil
}

func split(rest []byte) (parts [][]byte) {
	for len(rest) > 0 {
		if len(rest) < 4 {
			return nil
		}
		n := int64(binary.BigEndian.Uint32(rest))
		if n > int64(len(rest)-4) {
			return nil
		}
		parts, rest = append(parts, rest[4:4+n:4+n]), rest[4+n:]
	}
	return parts
}
