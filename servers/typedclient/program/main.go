//go:build ignore

// Command typed-client does to objects what the typed clients of the Kubernetes
// release that it was built from do to them: it decodes and encodes with that
// release's own Go types, through client-go's own code.
//
// It reads requests on standard input and writes answers on standard output,
// see package typedclient for the frames. It ends when standard input does, and
// touches neither network nor disk.
//
// The program is built in a module of its own, against client-go 0.31 and later:
// what changed its signature since is called in ways that fit all of them.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

func main() {
	c := newClients()
	hello, err := json.Marshal(map[string]any{"release": c.release, "kinds": c.kinds()})
	if err != nil {
		fatal(err)
	}
	out := &answers{to: os.Stdout}
	// Whatever a library prints goes to the log, not between two frames.
	os.Stdout = os.Stderr
	out.write(0, hello, nil)
	if err := c.serve(bufio.NewReaderSize(os.Stdin, 64<<10), out); err != nil {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintf(os.Stderr, "typed-client: %s\n", err)
	os.Exit(1)
}

// release is that of the client-go which is linked in.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	i := slices.IndexFunc(info.Deps, func(d *debug.Module) bool { return d.Path == "k8s.io/client-go" })
	if i < 0 {
		return "unknown"
	}
	return "v1." + strings.TrimPrefix(info.Deps[i].Version, "v0.")
}

// answers writes frames of two parts: an error's text, empty for none, and a
// body. It is safe for concurrent use.
type answers struct {
	mu sync.Mutex
	to io.Writer
}

func (a *answers) write(id uint32, body []byte, err error) {
	var text string
	if err != nil {
		text, body = err.Error(), nil
	}
	frame, err := appendFrame(nil, id, []byte(text), body)
	if err != nil {
		frame, _ = appendFrame(nil, id, []byte("the answer: "+err.Error()), nil) // which is small
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.to.Write(frame); err != nil {
		os.Exit(0) // nobody reads any more
	}
}

// serve answers requests until r ends; what is being worked on then is nobody's
// concern any more.
func (c *clients) serve(r io.Reader, out *answers) error {
	type work struct {
		id    uint32
		parts [][]byte
	}
	todo := make(chan work)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for w := range todo {
				body, err := c.answer(w.parts)
				out.write(w.id, body, err)
			}
		}()
	}
	for {
		id, parts, err := readFrame(r)
		var large tooLarge
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &large):
			out.write(id, nil, fmt.Errorf("the request: %w", err))
			if _, err := io.CopyN(io.Discard, r, large.size); err != nil {
				return fmt.Errorf("read: %w", err)
			}
		case err != nil:
			return fmt.Errorf("read: %w", err)
		default:
			todo <- work{id, parts}
		}
	}
}

// request is a request's first part. The bodies it is about follow.
type request struct {
	Operation            string
	Group, Version, Kind string
	From, To             string // content types, of carry
	Patch                string // its content type, of diff
	Manager, Subresource string // of extract
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
	var q request
	if len(parts) == 0 {
		return nil, errors.New("the request is damaged")
	}
	if err := json.Unmarshal(parts[0], &q); err != nil {
		return nil, fmt.Errorf("the request is damaged: %w", err)
	}
	bodies := parts[1:]
	want := map[string]int{"carry": 1, "diff": 2, "apply": 1, "extract": 1, "panic": 0}
	if n, ok := want[q.Operation]; !ok || n != len(bodies) {
		return nil, fmt.Errorf("operation %q with %d bodies: not known", q.Operation, len(bodies))
	}
	if q.Operation == "panic" { // no input is known that makes one of the others do that
		panic("as requested")
	}
	return c.perform(q, bodies)
}
