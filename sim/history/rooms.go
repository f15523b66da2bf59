package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxMemory is the maximum size of bodies in memory, where there is no room for them on a disk.
const maxMemory = 1 << 30

// room is a place for the bodies of a history.
type room interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// bodyRooms returns the rooms for bodies in the order in which they are tried: the run's directory, which has had
// the room for a history, the directory for temporary files, and memory. A full disk must not cost the verdict of a
// run that it ended.
func bodyRooms(dir string) []func() (room, error) {
	return []func() (room, error){
		func() (room, error) { return unnamedFile(dir, ".bodies-*") },
		func() (room, error) { return unnamedFile("", "skewsim-bodies-*") },
		func() (room, error) { return &memory{limit: maxMemory}, nil },
	}
}

// unnamedFile creates a file that goes with the process.
func unnamedFile(dir, pattern string) (room, error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// movable is a file that moves to the next room when its own is full.
type movable struct {
	room
	size int64                  // of what was written, all of which the room has
	next []func() (room, error) // not tried yet
	full error                  // what was wrong with the rooms before
}

// Write appends p. Its error says what was wrong with each room.
func (m *movable) Write(p []byte) (int, error) {
	for {
		_, err := m.room.Write(p)
		if err == nil {
			m.size += int64(len(p))
			return len(p), nil
		}
		m.leave(err)
		if err := m.move(); err != nil {
			return 0, fmt.Errorf("no room for more than %d MiB of bodies: %w: free room on one of these disks, or set TMPDIR to a directory with room", m.size>>20, err)
		}
	}
}

// move moves to the next room that has the room.
func (m *movable) move() error {
	for len(m.next) > 0 {
		to, err := m.next[0]()
		m.next = m.next[1:]
		if err != nil {
			m.leave(err)
			continue
		}
		if _, err = io.Copy(to, io.NewSectionReader(m.room, 0, m.size)); err == nil {
			_ = m.room.Close() // nothing in it is needed any more
			m.room = to
			return nil
		}
		m.leave(errors.Join(err, to.Close()))
	}
	return m.full
}

// leave records what was wrong with a room.
func (m *movable) leave(err error) {
	if m.full != nil {
		err = fmt.Errorf("%w; %w", m.full, err)
	}
	m.full = err
}

// memory is a room of limited size in memory.
type memory struct {
	content []byte
	limit   int
}

func (m *memory) Write(p []byte) (int, error) {
	if len(m.content)+len(p) > m.limit {
		return 0, fmt.Errorf("memory: more than %d MiB", m.limit>>20)
	}
	m.content = append(m.content, p...)
	return len(p), nil
}

func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.content).ReadAt(p, at)
}

func (m *memory) Close() error { return nil }
