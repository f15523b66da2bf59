package aggregated

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	// dialAgain is the pause between two attempts to reach a server that does not
	// listen yet.
	dialAgain = 20 * time.Millisecond
	// connectWithin bounds reading what a proxy is asked for.
	connectWithin = 10 * time.Second
)

// way is a port of the loopback address that leads to one server, whatever is asked for.
// Who comes before that server listens waits, and so need not try again later: what
// tries again does so ever more seldom.
type way struct {
	listener net.Listener
	proxy    bool // spoken to over TLS, as an HTTP proxy: CONNECT first
	port     int
	led      chan struct{}
	ended    context.Context
	end      context.CancelFunc
	passing  sync.WaitGroup

	mu      sync.Mutex
	address string
}

// newWay opens a way. With a configuration of TLS it is spoken to as a proxy.
func newWay(proxy *tls.Config) (*way, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("way to a server: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if proxy != nil {
		l = tls.NewListener(l, proxy)
	}
	w := &way{listener: l, port: port, proxy: proxy != nil, led: make(chan struct{})}
	w.ended, w.end = context.WithCancel(context.Background())
	w.passing.Go(w.accept)
	return w, nil
}

// lead says which server the way leads to: its URL. It is said once.
func (w *way) lead(server string) {
	u, err := url.Parse(server)
	if err != nil {
		return // who waits waits on, and says so
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.address == "" {
		w.address = u.Host
		close(w.led)
	}
}

// close cuts off whoever is on the way, and waits for it.
func (w *way) close() {
	w.end()
	_ = w.listener.Close() // nothing was written to it
	w.passing.Wait()
}

func (w *way) accept() {
	for {
		from, err := w.listener.Accept()
		if err != nil {
			return // it is closed
		}
		w.passing.Go(func() { w.pass(from) })
	}
}

// pass connects whoever has come with the server.
func (w *way) pass(from net.Conn) {
	defer from.Close()
	stop := context.AfterFunc(w.ended, func() { from.Close() })
	defer stop()
	begun := bufio.NewReader(from)
	if w.proxy && w.asked(from, begun) != nil {
		return
	}
	to, err := w.dial()
	if err != nil {
		return
	}
	defer to.Close()
	cut := context.AfterFunc(w.ended, func() { to.Close() })
	defer cut()
	if w.proxy {
		if _, err := io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
			return
		}
	}
	var there sync.WaitGroup
	there.Go(func() {
		_, _ = io.Copy(to, begun) // how it ends is for the two ends to tell
		_ = to.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(from, to)
	from.Close()
	there.Wait()
}

// asked reads what a proxy is asked for. Wherever that is, there is one server.
func (w *way) asked(from net.Conn, begun *bufio.Reader) error {
	if err := from.SetReadDeadline(time.Now().Add(connectWithin)); err != nil {
		return err
	}
	request, err := http.ReadRequest(begun)
	if err != nil {
		return err
	}
	if request.Method != http.MethodConnect {
		_, err := io.WriteString(from, "HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\n\r\n")
		return errors.Join(errors.New("no CONNECT"), err)
	}
	return from.SetReadDeadline(time.Time{})
}

// dial reaches the server as soon as it listens.
func (w *way) dial() (net.Conn, error) {
	select {
	case <-w.led:
	case <-w.ended.Done():
		return nil, w.ended.Err()
	}
	w.mu.Lock()
	address := w.address
	w.mu.Unlock()
	var d net.Dialer
	for {
		to, err := d.DialContext(w.ended, "tcp", address)
		if err == nil {
			return to, nil
		}
		select {
		case <-w.ended.Done():
			return nil, w.ended.Err()
		case <-time.After(dialAgain):
		}
	}
}
