package runtest

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
	"github.com/skewsim/skewsim/sim/run/stores"
)

// World is what the fakes share: the stored objects, the running servers, and everything
// that happened, in order.
type World struct {
	t       testing.TB
	Mu      sync.Mutex
	stage   string
	events  []string
	next    chan struct{} // closed and replaced when something happened
	live    map[string]*Process
	open    int // number of stores
	gates   int
	Objects map[string]map[string]any
	last    int64 // revision
	stored  map[int64][]byte
	Each    func(stores.Change)
	told    []event       // of watches
	more    chan struct{} // closed and replaced when there is a new event
	Stores  map[string]*fakeStore
	Through map[string]string // servers by their gates

	// Hooks that a test may set before the run.
	OnStart func(ctx context.Context, place string) error // before a server starts
	OnStop  func(place string)                            // before it stops
	OnStep  func(number int)                              // when a step has ended
	Answer  func(place, method, path string) (code int, body string)
	// Serve may answer a request before the server does, and reports whether it did.
	Serve   func(place string, rw http.ResponseWriter, r *http.Request) bool
	Global  bool                                                // gadgets are cluster-scoped
	Lag     time.Duration                                       // of watches
	Event   func(line []byte) []byte                            // changes an event of a watch of the shared store
	Corrupt func(key string, revision int64, raw []byte) []byte // changes a stored value when it is read again
	version map[string]string                                   // by build: instead of its own
	Context context.Context                                     // of the shared store
	Silent  error                                               // the shared store answers nothing more
}

// NewWorld returns a world in which nothing has happened.
func NewWorld(t testing.TB) *World {
	return &World{
		t: t, live: map[string]*Process{}, Objects: map[string]map[string]any{}, stored: map[int64][]byte{},
		more: make(chan struct{}), Stores: map[string]*fakeStore{},
		Through: map[string]string{}, next: make(chan struct{}),
	}
}

func (w *World) happened(format string, args ...any) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.events = append(w.events, w.stage+": "+fmt.Sprintf(format, args...))
	close(w.next)
	w.next = make(chan struct{})
}

// Until waits for events until the condition holds, or the context ends.
func (w *World) Until(ctx context.Context, holds func() bool) {
	for {
		w.Mu.Lock()
		next := w.next
		w.Mu.Unlock()
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

// Seen returns the events that contain the text.
func (w *World) Seen(text string) []string {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.events), func(e string) bool { return !strings.Contains(e, text) })
}

// Left returns what is still running.
func (w *World) Left() []string {
	w.Mu.Lock()
	defer w.Mu.Unlock()
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
func (w *World) Start(ctx context.Context, b servers.Build, at servers.Placement) (servers.Process, error) {
	w.happened("start %s at %s on %s", at.Name, b.Version, at.Store.Endpoint)
	w.Mu.Lock()
	w.Through[at.Store.Prefix] = at.Name
	w.Mu.Unlock()
	if w.OnStart != nil {
		if err := w.OnStart(ctx, at.Name); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := w.NewProcess(b, at.Name, at.Store.Endpoint)
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.live[at.Name] = p
	return p, nil
}

// Close closes the runtime, which a run leaves to the caller.
func (w *World) Close() error { return nil }

// OpenStore opens an empty store.
func (w *World) OpenStore(ctx context.Context, name string) (stores.Store, error) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.open++
	if name == "store" {
		w.Context = ctx
	}
	s := &fakeStore{world: w, name: name, done: make(chan struct{}), values: map[string][]byte{}}
	w.Stores[name] = s
	return s, nil
}

// fakeStore ends as etcd does: closing it ends its follower with an error.
type fakeStore struct {
	world    *World
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

// End ends the store; with an error, by itself.
func (s *fakeStore) End(err error) {
	s.over.Do(func() {
		s.err = err
		close(s.done)
	})
}

// EndStore ends the open store of a name by itself.
func (w *World) EndStore(name string, err error) {
	w.Mu.Lock()
	s := w.Stores[name]
	w.Mu.Unlock()
	s.End(err)
}

// Gate gives each gate a number, which the start of its server shows.
func (s *fakeStore) Gate() (servers.Gate, error) {
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	s.world.gates++
	return &fakeGate{world: s.world, at: servers.Store{Endpoint: s.name, Prefix: fmt.Sprint("gate ", s.world.gates)}}, nil
}

// fakeGate notes what is done with it.
type fakeGate struct {
	world *World
	at    servers.Store
}

func (g *fakeGate) Store() servers.Store { return g.at }
func (g *fakeGate) Read()                {}
func (g *fakeGate) Open()                { g.world.happened("opened %s", g.at.Prefix) }
func (g *fakeGate) Seal()                { g.world.happened("sealed %s", g.at.Prefix) }
func (g *fakeGate) Close()               { g.world.happened("closed %s", g.at.Prefix) }

func (s *fakeStore) Follow(_ context.Context, each func(stores.Change)) (stores.Follower, error) {
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	s.world.Each = each
	s.follower = &follower{done: make(chan struct{}), silent: s.world.Silent}
	return s.follower, nil
}

// Close waits until the run knows of its follower's end, so that a test sees the effects.
func (s *fakeStore) Close() error {
	s.End(nil)
	if s.follower != nil {
		s.follower.end(fmt.Errorf("store: watch: the store was closed"))
		<-s.world.Context.Done()
	}
	s.world.Mu.Lock()
	defer s.world.Mu.Unlock()
	s.world.open--
	return nil
}

type follower struct {
	mu   sync.Mutex
	err  error
	done chan struct{}
	// silent is the error that the store answers everything with.
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

// Process is a fake server; its API is in api.go.
type Process struct {
	world    *World
	Place    string
	endpoint servers.Endpoint
	shut     func()
	once     sync.Once
	mu       sync.Mutex
	err      error
	done     chan struct{}
}

// Name returns the place of the server.
func (p *Process) Name() string { return p.Place }

// Endpoint returns where it serves.
func (p *Process) Endpoint() servers.Endpoint { return p.endpoint }

// ReadyAfter returns a second.
func (p *Process) ReadyAfter() time.Duration { return time.Second }

// Done is closed when it has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// LogPath returns the path of no file.
func (p *Process) LogPath() string { return p.Place + ".log" }

// Err returns why it ended by itself.
func (p *Process) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// End ends it.
func (p *Process) End(how string, err error) {
	p.once.Do(func() {
		p.world.happened("%s %s", how, p.Place)
		p.shut()
		p.mu.Lock()
		p.err = err
		p.mu.Unlock()
		p.world.Mu.Lock()
		delete(p.world.live, p.Place)
		p.world.Mu.Unlock()
		close(p.done)
	})
}

// Stop ends it on request.
func (p *Process) Stop(context.Context) error {
	if p.world.OnStop != nil {
		p.world.OnStop(p.Place)
	}
	p.End("stopped", nil)
	return nil
}

// Kill ends it at once.
func (p *Process) Kill() { p.End("killed", nil) }

// Die ends a server by itself.
func (w *World) Die(name string) *servers.ExitError {
	w.Mu.Lock()
	p := w.live[name]
	w.Mu.Unlock()
	err := Exit(name, true)
	p.End("died", err)
	return err
}

// Exit returns the error of a server that ended by itself.
func Exit(name string, ready bool) *servers.ExitError {
	return &servers.ExitError{Name: name, Build: "b", Status: "exited with status 1", Ready: ready, Log: "l", Tail: []string{"panic: x"}}
}
