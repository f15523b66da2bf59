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

// Unframe reads the lines of frames, of which free bytes may be compressed to any ratio.
func Unframe(in io.Reader, free int64, damaged func(string, ...any)) ([]byte, error) {
	f, err := newFrames(in, damaged)
	if err != nil {
		return nil, err
	}
	f.free = free
	return io.ReadAll(f)
}

// The limits of frames.
const (
	MaxFrameFile = maxFrameFile
	MaxReread    = maxReread
	MaxRatio     = maxRatio
)
