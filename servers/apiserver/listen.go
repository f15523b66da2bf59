package apiserver

import (
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/process"
)

// onLoopback refuses a server that listens where other machines can reach it. Its flags forbid
// that, but an adapter or a custom executable may change it. It checks all sockets of a
// process; without a local process ID, as for a container, it checks those at the server's
// port. It checks nothing where the kernel does not list sockets.
func (s *server) onLoopback() error {
	pid := 0
	if child, is := s.child.(interface{ PID() int }); is {
		pid = child.PID()
	}
	if at, is := process.ListensBeyondLoopback(pid, s.port.number); is {
		return &servers.RequestError{Err: fmt.Errorf("server %s (%s): listens on %s, but servers must listen on loopback, which other machines cannot reach: "+
			"correct the flags or the adapter's names that cause it", s.name, s.build.Reference, at)}
	}
	return nil
}
