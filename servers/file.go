package servers

import (
	"fmt"

	"github.com/skewsim/skewsim/servers/fault"
)

// File is an executable as it was when its digest was taken, for one that others may
// change meanwhile. The zero File is of one that nobody changes, such as those that the
// cache of builds hands out.
type File struct {
	Digest        string // sha256 of its bytes, in hex
	Device, Inode uint64 // where it lies; 0 on a system that has none
	Size          int64  // bytes
	Modified      int64  // nanoseconds since 1970
}

// ChangedError tells that an executable is another one than its digest was taken of:
// what is executed now is not what the run is of.
type ChangedError struct{ Path string }

// Error tells the file, and the way out.
func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s changed while it was played: run it again", e.Path)
}

// Fault returns that the executable was changed, which another attempt does not undo.
func (e *ChangedError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ExecutableChanged, Final: true}
}
