//go:build unix

package apiserver

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// sharing listens the way kube-apiserver does with --permit-port-sharing.
func sharing() *net.ListenConfig {
	return &net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1) })
		if err != nil {
			return err
		}
		return failed
	}}
}

// A reserved port is the server's alone: nobody else gets it, by chance or on
// purpose, and it can be reserved again as soon as it is released.
func TestReserve(t *testing.T) {
	p, err := reserve(0)
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", p.number)
	if l, err := net.Listen("tcp4", address); err == nil {
		l.Close()
		t.Error("somebody else could listen on the reserved port")
	}
	if _, err := reserve(p.number); err == nil {
		t.Error("the port could be reserved twice")
	}
	l, err := sharing().Listen(context.Background(), "tcp4", address)
	if err != nil {
		t.Fatalf("the server itself: %v", err)
	}
	// Requests reach the server, never the socket that only holds the port.
	for range 20 {
		c, err := net.Dial("tcp4", address)
		if err != nil {
			t.Fatal(err)
		}
		served, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		served.Close() // the server closes first, so its side lingers
		c.Close()
	}
	l.Close()
	if err := p.release(); err != nil {
		t.Error(err)
	}
	again, err := reserve(p.number)
	if err != nil {
		t.Fatalf("released, but: %v", err)
	}
	if err := again.release(); err != nil {
		t.Error(err)
	}
}

func TestReserveErrors(t *testing.T) {
	l, err := sharing().Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	// Even one that permits sharing is in the way: the kernel would spread the
	// requests over both.
	number := l.Addr().(*net.TCPAddr).Port
	_, err = reserve(number)
	want := fmt.Sprintf("port %d: in use by another process; end it, or choose no port to get a free one", number)
	if err == nil || err.Error() != want {
		t.Errorf("reserve said %v, want %s", err, want)
	}
}
