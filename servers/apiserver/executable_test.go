package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// TestUnanswered: what the machine kept from answering may be asked again; what
// answered, or is no program, may not.
func TestUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		final bool
	}{
		"killed":       {&AnswerError{Asked: "--version", Status: "was killed by signal 9 (killed)", Killed: true}, false},
		"interrupted":  {fmt.Errorf("--version: %w", context.Canceled), false},
		"lost":         {&servers.LostError{Err: errors.New("EOF")}, false},
		"no memory":    {&os.PathError{Op: "fork/exec", Path: "x", Err: syscall.ENOMEM}, false},
		"no processes": {&os.PathError{Op: "fork/exec", Path: "x", Err: syscall.EAGAIN}, false},
		"no program":   {&os.PathError{Op: "fork/exec", Path: "x", Err: syscall.ENOEXEC}, true},
		"terminated":   {&AnswerError{Asked: "--version", Status: "was killed by signal 15 (terminated)"}, true},
		"refused":      {&AnswerError{Asked: "--version", Status: "exited with status 1", Said: "was killed by signal 9"}, true},
		"silent":       {errors.New("no answer after 10s"), true},
	} {
		var request *servers.RequestError
		assert.Equal(t, c.final, errors.As(Unanswered(fmt.Errorf("path:x: %w", c.err)), &request), name)
	}
}
