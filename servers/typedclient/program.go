package typedclient

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/process"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

const (
	// startWithin bounds the time to the program's first word, on a machine
	// that is busy building; it takes a fraction of a second.
	startWithin = time.Minute
	// answerWithin bounds the time to an answer, which takes milliseconds: a program that is stopped
	// would keep the run waiting until its timeout.
	answerWithin = time.Minute
	// closeWithin bounds how long the program may go on after its input ended.
	closeWithin = 2 * time.Second
	// bufferBytes holds some requests: they come in bursts.
	bufferBytes = 64 << 10
	// queued requests are written together.
	queued = 64
)

// ErrClosed is wrapped by the errors of calls to a program that was closed.
var ErrClosed = errors.New("the program was closed")

// Kind is a kind that a release has types for.
type Kind struct {
	schema.GroupVersionKind
	// Apply says whether there is an apply configuration as well. Lists have
	// none.
	Apply bool
}

// Program is a running program. Its methods may be used concurrently.
type Program struct {
	build  Build
	kinds  []Kind
	child  *process.Process
	stdin  *os.File
	stdout *os.File
	outbox chan []byte

	// gone is closed when the program has ended; then err says why.
	gone chan struct{}
	err  error

	within time.Duration // to an answer

	mu      sync.Mutex
	closing bool
	late    bool // an answer was
	next    uint32
	waiting map[uint32]chan<- answer
}

type answer struct {
	refusal string
	body    []byte
}

// Start runs a build. The program's log, a file at logPath, holds what it prints
// when it crashes; the default for "" is to discard it. A program that is not of
// the build's release is an error, one that ends at once is an *ExitError.
func Start(b Build, logPath string) (*Program, error) {
	p := &Program{build: b, outbox: make(chan []byte, queued), gone: make(chan struct{}), within: answerWithin, waiting: map[uint32]chan<- answer{}}
	if err := p.start(logPath); err != nil {
		return nil, p.wrap(err)
	}
	from := bufio.NewReaderSize(p.stdout, bufferBytes)
	if err := p.greet(from); err != nil {
		p.end(err)
		return nil, p.err
	}
	go p.write()
	go p.read(from)
	return p, nil
}

// start gives the child one end of each pipe and closes ours of it, so that each
// side sees when the other is gone.
func (p *Program) start(logPath string) error {
	in, stdin, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	stdout, out, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return err
	}
	defer out.Close()
	p.child, err = process.Start(process.Command{Path: p.build.Path, File: p.build.File, Args: p.build.Args, LogPath: logPath, Stdin: in, Stdout: out})
	if err != nil {
		stdin.Close()
		stdout.Close()
		return err
	}
	p.stdin, p.stdout = stdin, stdout
	return nil
}

// greet reads the first frame, which says whom we are talking to.
func (p *Program) greet(from io.Reader) error {
	limit := time.AfterFunc(startWithin, p.child.Kill)
	id, parts, err := program.ReadFrame(from)
	if !limit.Stop() {
		return fmt.Errorf("it said nothing within %s", startWithin)
	}
	if err != nil {
		return err
	}
	if id != 0 || len(parts) != 2 {
		return errors.New("its first frame is damaged")
	}
	var hello program.Hello
	if err := json.Unmarshal(parts[1], &hello); err != nil {
		return fmt.Errorf("its first frame is damaged: %w", err)
	}
	if hello.Release != p.build.Version {
		return fmt.Errorf("the program is of release %s", hello.Release)
	}
	for _, k := range hello.Kinds {
		p.kinds = append(p.kinds, Kind{schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}, k.Apply})
	}
	slices.SortFunc(p.kinds, func(a, b Kind) int { return order(a.GroupVersionKind, b.GroupVersionKind) })
	return nil
}

func order(a, b schema.GroupVersionKind) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
}

// Release is the release whose types these are: v1.36.3.
func (p *Program) Release() string { return p.build.Version }

// Kinds are the kinds that the release has types for, objects and lists, sorted
// by group, version and kind.
func (p *Program) Kinds() []Kind { return slices.Clone(p.kinds) }

// Lookup finds one of Kinds.
func (p *Program) Lookup(kind schema.GroupVersionKind) (Kind, bool) {
	i, ok := slices.BinarySearchFunc(p.kinds, kind, func(k Kind, kind schema.GroupVersionKind) int {
		return order(k.GroupVersionKind, kind)
	})
	if !ok {
		return Kind{}, false
	}
	return p.kinds[i], true
}

// expect prepares for the answer to a new request.
func (p *Program) expect() (uint32, <-chan answer) {
	answered := make(chan answer, 1) // whoever reads answers never waits for a caller
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next++
	p.waiting[p.next] = answered
	return p.next, answered
}

func (p *Program) forget(id uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, id)
}

func (p *Program) exchange(ctx context.Context, frame []byte, answered <-chan answer) (answer, error) {
	limit := time.AfterFunc(p.within, p.giveUp)
	defer limit.Stop()
	select {
	case p.outbox <- frame:
	case <-ctx.Done():
		return answer{}, p.wrap(context.Cause(ctx))
	case <-p.gone:
		return answer{}, p.err
	}
	select {
	case a := <-answered:
		return a, nil
	case <-ctx.Done():
		return answer{}, p.wrap(context.Cause(ctx))
	case <-p.gone:
	}
	select {
	case a := <-answered: // it came before the end
		return a, nil
	default:
		return answer{}, p.err
	}
}

// giveUp ends a program that does not answer. Those who wait see that it has gone.
func (p *Program) giveUp() {
	p.mu.Lock()
	p.late = true
	p.mu.Unlock()
	p.child.Kill()
}

func (p *Program) wrap(err error) error {
	return fmt.Errorf("%s %s: %w", component, p.build.Version, err)
}

// write sends what callers put into the outbox, several requests at once where
// several wait. When the pipe breaks the program has ended, which read sees.
func (p *Program) write() {
	to := bufio.NewWriterSize(p.stdin, bufferBytes)
	for {
		select {
		case frame := <-p.outbox:
			if _, err := to.Write(frame); err != nil {
				return
			}
		case <-p.gone:
			return
		}
		if len(p.outbox) == 0 && to.Flush() != nil {
			return
		}
	}
}

// read hands out answers until there are no more.
func (p *Program) read(from io.Reader) {
	for {
		id, parts, err := program.ReadFrame(from)
		if err == nil && len(parts) != 2 {
			err = errors.New("its answer is damaged")
		}
		if err != nil {
			p.end(err)
			return
		}
		p.mu.Lock()
		answered := p.waiting[id]
		delete(p.waiting, id)
		p.mu.Unlock()
		if answered != nil { // else its caller has gone
			answered <- answer{string(parts[0]), parts[1]}
		}
	}
}

// end sees to it that the program has ended, and says why. The cause is what was
// wrong with its output; that output ended is no cause, but a consequence.
func (p *Program) end(cause error) {
	// If it is ending by itself this changes nothing, its status least of all.
	p.child.Kill()
	p.mu.Lock()
	closing, late := p.closing, p.late
	p.mu.Unlock()
	status, killed := p.child.Status(), p.child.Killed()
	if !errors.Is(cause, io.EOF) && !errors.Is(cause, io.ErrUnexpectedEOF) {
		status, killed = cause.Error()+"; killed it", false
	}
	if late {
		status = fmt.Sprintf("did not answer for %s, as when it is stopped; killed it", p.within)
	}
	log := p.child.LogPath()
	p.err = &ExitError{Release: p.build.Version, Status: status, Log: log, Tail: lastWords(log), Killed: killed, Late: late}
	if closing {
		p.err = p.wrap(ErrClosed)
	}
	p.stdin.Close()
	p.stdout.Close()
	close(p.gone)
}

// Close ends the program and waits for it. Calls that are under way, and later
// ones, get ErrClosed. Closing twice does nothing. The error is that of a program
// which had ended before, an *ExitError.
func (p *Program) Close() error {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	p.stdin.Close() // and with it whatever write is waiting for
	select {
	case <-p.gone:
	case <-time.After(closeWithin):
		p.child.Kill()
		<-p.gone
	}
	if errors.Is(p.err, ErrClosed) {
		return nil
	}
	return p.err
}
