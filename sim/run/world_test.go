package run

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skewsim/skewsim/servers"
)

// world is what the fakes share: the objects that are stored, the servers that
// live, and everything that happened, in order.
type world struct {
	t       testing.TB
	mu      sync.Mutex
	stage   string
	events  []string
	next    chan struct{} // closed and replaced when something happened
	live    map[string]*process
	open    int // stores
	gates   int
	objects map[string]map[string]any
	last    int64 // revision
	stored  map[int64][]byte
	each    func(StoreChange)
	told    []event       // of watches
	more    chan struct{} // closed and replaced when something was told
	stores  map[string]*fakeStore
	through map[string]string // servers by their gates

	// Hooks that a test may set before the run.
	onStart func(ctx context.Context, place string) error // before a server starts
	onStop  func(place string)                            // before it stops
	onStep  func(number int)                              // when a step is told
	answer  func(place, method, path string) (code int, body string)
	// serve answers in the place of everything else, and tells whether it has.
	serve   func(place string, rw http.ResponseWriter, r *http.Request) bool
	global  bool                                                // gadgets are in no namespace
	lag     time.Duration                                       // of watches
	spoil   func(key string, revision int64, raw []byte) []byte // what was stored, when it is read again
	version map[string]string                                   // by build: instead of its own
	context context.Context                                     // of the shared store
	silent  error                                               // the shared store answers nothing more
}

func newWorld(t testing.TB) *world {
	return &world{
		t: t, live: map[string]*process{}, objects: map[string]map[string]any{}, stored: map[int64][]byte{},
		more: make(chan struct{}), stores: map[string]*fakeStore{},
		through: map[string]string{}, next: make(chan struct{}),
	}
}

func (w *world) happened(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, w.stage+": "+fmt.Sprintf(format, args...))
	close(w.next)
	w.next = make(chan struct{})
}

// until waits for events until the condition holds, or the context ends.
func (w *world) until(ctx context.Context, holds func() bool) {
	for {
		w.mu.Lock()
		next := w.next
		w.mu.Unlock()
		if holds() {
			return
		}
		select {
		case <-next:
		case <-ctx.Done():
			return
		}
	}
}

// seen are the events that hold the text.
func (w *world) seen(text string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.events), func(e string) bool { return !strings.Contains(e, text) })
}

// left is what still runs.
func (w *world) left() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for name := range w.live {
		all = append(all, name)
	}
	if w.open > 0 {
		all = append(all, fmt.Sprintf("%d stores", w.open))
	}
	return all
}

// Start makes the world a servers.Runtime.
func (w *world) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	w.happened("start %s at %s on %s", at.Name, b.Version, at.Store.Endpoint)
	w.mu.Lock()
	w.through[at.Store.Prefix] = at.Name
	w.mu.Unlock()
	if w.onStart != nil {
		if err := w.onStart(ctx, at.Name); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := w.newProcess(b, at.Name, at.Store.Endpoint)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.live[at.Name] = p
	return p, nil
}

// Close is the runtime's; a run leaves it to whoever made the runtime.
func (w *world) Close() error { return nil }

func (w *world) openStore(ctx context.Context, name string) (Store, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	if name == "store" {
		w.context = ctx
	}
	s := &fakeStore{world: w, name: name, done: make(chan struct{}), values: map[string][]byte{}}
	w.stores[name] = s
	return s, nil
}

// fakeStore ends as etcd does: closing it ends its follower with an error.
type fakeStore struct {
	world    *world
	name     string
	done     chan struct{}
	over     sync.Once
	err      error // written before done is closed
	follower *follower
	values   map[string][]byte // of a scratch store
}

func (s *fakeStore) Store() servers.Store  { return servers.Store{Endpoint: s.name} }
func (s *fakeStore) Done() <-chan struct{} { return s.done }
func (s *fakeStore) Err() error            { return s.err }

// end ends it, by itself where there is an error.
func (s *fakeStore) end(err error) {
	s.over.Do(func() {
		s.err = err
		close(s.done)
	})
}

// Gate gives each gate a number, which is told by its server's start.
func (s *fakeStore) Gate() (servers.Gate, error) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.gates++
	return &fakeGate{world: s.world, at: servers.Store{Endpoint: s.name, Prefix: fmt.Sprint("gate ", s.world.gates)}}, nil
}

// fakeGate tells what is done with it.
type fakeGate struct {
	world *world
	at    servers.Store
}

func (g *fakeGate) Store() servers.Store { return g.at }
func (g *fakeGate) Read()                {}
func (g *fakeGate) Open()                { g.world.happened("opened %s", g.at.Prefix) }
func (g *fakeGate) Seal()                { g.world.happened("sealed %s", g.at.Prefix) }
func (g *fakeGate) Close()               { g.world.happened("closed %s", g.at.Prefix) }

func (s *fakeStore) Follow(_ context.Context, each func(StoreChange)) (Follower, error) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.each = each
	s.follower = &follower{done: make(chan struct{}), silent: s.world.silent}
	return s.follower, nil
}

// Close waits until the run has heard of its follower's end, so that a test
// sees what follows from that.
func (s *fakeStore) Close() error {
	s.end(nil)
	if s.follower != nil {
		s.follower.end(fmt.Errorf("store: watch: the store was closed"))
		<-s.world.context.Done()
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.world.open--
	return nil
}

type follower struct {
	mu   sync.Mutex
	err  error
	done chan struct{}
	// silent is what the store says instead of what it was asked for.
	silent error
}

func (f *follower) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
	close(f.done)
}

func (f *follower) Sync(ctx context.Context) error { return cmp.Or(context.Cause(ctx), f.silent) }
func (f *follower) Done() <-chan struct{}          { return f.done }
func (f *follower) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// process is a fake server; its API is in api_test.go.
type process struct {
	world    *world
	name     string
	endpoint servers.Endpoint
	shut     func()
	once     sync.Once
	mu       sync.Mutex
	err      error
	done     chan struct{}
}

func (p *process) Name() string               { return p.name }
func (p *process) Endpoint() servers.Endpoint { return p.endpoint }
func (p *process) ReadyAfter() time.Duration  { return time.Second }
func (p *process) Done() <-chan struct{}      { return p.done }
func (p *process) LogPath() string            { return p.name + ".log" }

func (p *process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *process) end(how string, err error) {
	p.once.Do(func() {
		p.world.happened("%s %s", how, p.name)
		p.shut()
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
		p.world.mu.Lock()
		delete(p.world.live, p.name)
		p.world.mu.Unlock()
		close(p.done)
	})
}

func (p *process) Stop(context.Context) error {
	if p.world.onStop != nil {
		p.world.onStop(p.name)
	}
	p.end("stopped", nil)
	return nil
}

func (p *process) Kill() { p.end("killed", nil) }

// die ends a server without being asked.
func (w *world) die(name string) *servers.ExitError {
	w.mu.Lock()
	p := w.live[name]
	w.mu.Unlock()
	err := exit(name, true)
	p.end("died", err)
	return err
}

func exit(name string, ready bool) *servers.ExitError {
	return &servers.ExitError{Name: name, Build: "b", Status: "exited with status 1", Ready: ready, Log: "l", Tail: []string{"panic: x"}}
}
