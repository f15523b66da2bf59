//go:build unix

package apiserver

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// port is a TCP port of the loopback address that is held for one server.
//
// It is held by a socket that is bound but never listens, and that permits
// sharing only from the moment it is bound. So the kernel gives the port to
// nobody else, a port that somebody has is noticed, and the server itself,
// which asks for sharing too (--permit-port-sharing), may listen on it.
type port struct {
	number int
	socket int
}

// reserve holds the given port, or any free one for 0.
func reserve(number int) (*port, error) {
	// The lock keeps a child started just now from inheriting the socket, and
	// with it the port.
	syscall.ForkLock.RLock()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("port: %w", err)
	}
	p := &port{socket: socket}
	if err := p.bind(number); err != nil {
		return nil, errors.Join(err, p.release())
	}
	return p, nil
}

func (p *port) bind(number int) error {
	// Of a server that just left the port, connections may linger.
	if err := unix.SetsockoptInt(p.socket, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return fmt.Errorf("port %d: %w", number, err)
	}
	err := unix.Bind(p.socket, &unix.SockaddrInet4{Port: number, Addr: [4]byte{127, 0, 0, 1}})
	if errors.Is(err, unix.EADDRINUSE) {
		return fmt.Errorf("port %d: in use by another process; end it, or choose no port to get a free one", number)
	}
	if err != nil {
		return fmt.Errorf("port %d: %w", number, err)
	}
	return p.share(number)
}

func (p *port) share(number int) error {
	if err := unix.SetsockoptInt(p.socket, unix.SOL_SOCKET, unix.SO_REUSEADDR, 0); err != nil {
		return fmt.Errorf("port %d: %w", number, err)
	}
	if err := unix.SetsockoptInt(p.socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return fmt.Errorf("port %d: share: %w", number, err)
	}
	address, err := unix.Getsockname(p.socket)
	if err != nil {
		return fmt.Errorf("port %d: %w", number, err)
	}
	p.number = address.(*unix.SockaddrInet4).Port
	return nil
}

// release gives the port up.
func (p *port) release() error { return unix.Close(p.socket) }
