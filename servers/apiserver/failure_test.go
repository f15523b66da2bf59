package apiserver

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// ended is a child that has ended in some way.
type ended struct {
	Child
	err    error
	killed bool
}

func (c ended) Err() error   { return c.err }
func (c ended) Killed() bool { return c.killed }

// TestFailureOf: a server may end of what it reads, and what it says then holds what it
// read. So the last lines of one that had served say nothing.
func TestFailureOf(t *testing.T) {
	taken := []string{"listen tcp 127.0.0.1:6443: bind: address already in use"}
	for name, c := range map[string]struct {
		child ended
		exit  servers.ExitError
		want  fault.Failure
	}{
		"killed":            {ended{killed: true}, servers.ExitError{Tail: taken}, fault.ServerKilled},
		"killed later":      {ended{killed: true}, servers.ExitError{Ready: true}, fault.ServerKilled},
		"lost":              {ended{err: &servers.LostError{Err: errors.New("EOF")}}, servers.ExitError{Ready: true}, fault.ServerLost},
		"a port":            {ended{}, servers.ExitError{Tail: taken}, fault.PortTaken},
		"lines of later":    {ended{}, servers.ExitError{Tail: taken, Ready: true}, fault.None},
		"a crash":           {ended{}, servers.ExitError{Tail: []string{"panic: reflect: call of nil"}}, fault.None},
		"says it was lost":  {ended{err: errors.New("exited with status 1")}, servers.ExitError{Tail: []string{"was lost with its Docker engine (EOF)"}}, fault.None},
		"says it was ended": {ended{}, servers.ExitError{Status: "exited with status 9", Tail: []string{"was killed by signal 9"}}, fault.None},
	} {
		assert.Equal(t, c.want, failureOf(c.child, &c.exit), name)
	}
}
