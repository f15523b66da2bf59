package program

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// Main serves a release's types on standard input and output, and takes these
// for itself: whatever a library prints goes to standard error, not between two
// frames. It returns when standard input ends, or nobody reads any more.
func Main(t Types) error {
	out := os.Stdout
	os.Stdout = os.Stderr
	return serve(newClients(t), os.Stdin, out)
}

// serve answers requests until r ends; what is being worked on then is nobody's
// concern any more.
func serve(c *clients, r io.Reader, to io.Writer) error {
	hello, err := json.Marshal(Hello{c.types.Release, c.kinds()})
	if err != nil {
		return err
	}
	out := &answers{to: to, gone: make(chan struct{})}
	out.write(0, hello, nil)
	ended := make(chan error, 1)
	go func() { ended <- c.work(bufio.NewReaderSize(r, 64<<10), out) }()
	select {
	case err := <-ended:
		return err
	case <-out.gone:
		return nil
	}
}

// work reads requests and has them answered, as many at a time as there are
// cores.
func (c *clients) work(r io.Reader, out *answers) error {
	type work struct {
		id    uint32
		parts [][]byte
	}
	todo := make(chan work)
	defer close(todo)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for w := range todo {
				body, err := c.answer(w.parts)
				out.write(w.id, body, err)
			}
		}()
	}
	for {
		id, parts, err := ReadFrame(r)
		var large TooLargeError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &large):
			out.write(id, nil, fmt.Errorf("the request: %w", err))
			if _, err := io.CopyN(io.Discard, r, large.Size); err != nil {
				return fmt.Errorf("read: %w", err)
			}
		case err != nil:
			return fmt.Errorf("read: %w", err)
		default:
			todo <- work{id, parts}
		}
	}
}

// answer performs one request. What goes wrong in it, even what no code foresaw,
// is its answer alone.
func (c *clients) answer(parts [][]byte) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "recovered: %v\n%s\n", r, debug.Stack())
			body, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	q, bodies, err := read(parts)
	if err != nil {
		return nil, err
	}
	return c.perform(q, bodies)
}

// answers writes frames of two parts: an error's text, empty for none, and a
// body. It is safe for concurrent use.
type answers struct {
	mu   sync.Mutex
	to   io.Writer
	gone chan struct{} // closed when nobody reads any more
	deaf bool
}

func (a *answers) write(id uint32, body []byte, err error) {
	var text string
	if err != nil {
		text, body = err.Error(), nil
	}
	frame, err := NewFrame(id, []byte(text), body)
	if err != nil {
		frame, _ = NewFrame(id, []byte("the answer: "+err.Error()), nil) // which is small
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.deaf {
		return
	}
	if _, err := a.to.Write(frame); err != nil {
		a.deaf = true
		close(a.gone)
	}
}
