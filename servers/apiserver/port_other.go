//go:build !unix

package apiserver

import (
	"fmt"
	"net"
)

// port is a TCP port of the loopback address for one server. This system has
// no way to hold one for another process: between reserve and the server's own
// listening somebody else may take it, and the server then ends saying so.
type port struct{ number int }

func reserve(number int) (*port, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: number})
	if err != nil {
		return nil, fmt.Errorf("port %d: %w", number, err)
	}
	defer l.Close()
	return &port{number: l.Addr().(*net.TCPAddr).Port}, nil
}

func (p *port) release() error { return nil }
