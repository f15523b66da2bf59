package machine

import (
	"fmt"
	"net"
	"time"
)

// loopbackWithin is how long a connection to this machine itself may take.
const loopbackWithin = 5 * time.Second

// CheckLoopback returns an error if programs on this machine cannot reach one another at 127.0.0.1: all
// servers and stores of a run listen there. In a network namespace of its own the interface is down until
// somebody brings it up.
func CheckLoopback() error {
	unreachable := func(err error) error {
		return fmt.Errorf("the loopback interface does not work, and servers listen on 127.0.0.1 alone: %w; bring it up (ip link set lo up)", err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return unreachable(err)
	}
	defer listener.Close()
	conn, err := net.DialTimeout("tcp4", listener.Addr().String(), loopbackWithin)
	if err != nil {
		return unreachable(err)
	}
	return conn.Close()
}
