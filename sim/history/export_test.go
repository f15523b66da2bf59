package history

import (
	"io"
	"os"
)

// LoseBodies makes all bodies of the history unreadable.
func (h *History) LoseBodies() error { return h.bodies.file.room.(*os.File).Truncate(0) }

// LoadInto loads a history whose bodies find rooms of these sizes, one after the other.
func LoadInto(dir string, sizes ...int) (*History, error) {
	var rooms []func() (room, error)
	for _, size := range sizes {
		rooms = append(rooms, func() (room, error) { return &memory{limit: size}, nil })
	}
	return load(dir, rooms)
}

// LoadBodiesIn loads a history of dir as if another directory were the run's.
func LoadBodiesIn(dir, other string) (*History, error) { return load(dir, bodyRooms(other)) }

// Unframe reads frames that have at most the size largest in the file, and of whose lines free bytes may be
// compressed to any ratio. It returns the size of the lines.
func Unframe(in io.Reader, largest int, free int64, damaged func(string, ...any)) (int64, error) {
	f, err := newFrames(in, damaged)
	if err != nil {
		return 0, err
	}
	f.largest, f.free = largest, free
	return io.Copy(io.Discard, f)
}
