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

// World is what the fakes share: the objects that are stored, the servers that
// live, and everything that happened, in order.
type World struct {
	t       testing.TB
	Mu      sync.Mutex
	stage   string
	events  []string
	next    chan struct{} // closed and replaced when something happened
	live    map[string]*Process
	open    int // stores
	gates   int
	Objects map[string]map[string]any
	last    int64 // revision
	stored  map[int64][]byte
	Each    func(stores.Change)
	told    []event       // of watches
	more    chan struct{} // closed and replaced when something was told
	Stores  map[string]*fakeStore
	Through map[string]string // servers by their gates

	// Hooks that a test may set before the run.
	OnStart func(ctx context.Context, place string) error // before a server starts
	OnStop  func(place string)                            // before it stops
	OnStep  func(number int)                              // when a step has ended
	Answer  func(place, method, path string) (code int, body string)
	// Serve answers in the place of everything else, and reports whether it has.
	Serve   func(place string, rw http.ResponseWriter, r *http.Request) bool
	Global  bool                                                // gadgets are in no namespace
	Lag     time.Duration                                       // of watches
	Spoil   func(key string, revision int64, raw []byte) []byte // what was stored, when it is read again
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

// Seen are the events that hold the text.
func (w *World) Seen(text string) []string {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.events), func(e string) bool { return !strings.Contains(e, text) })
}

// Left is what still runs.
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

// Close is the runtime's; a run leaves it to whoever made the runtime.
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

// End ends it, by itself where there is an error.
func (s *fakeStore) End(err error) {
	s.over.Do(func() {
		s.err = err
		close(s.done)
	})
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

// Close waits until the run has heard of its follower's end, so that a test
// sees what follows from that.
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

// Process is a fake server; its API is in api_test.go.
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

// Name is the place of the server.
func (p *Process) Name() string { return p.Place }

// Endpoint is where it serves.
func (p *Process) Endpoint() servers.Endpoint { return p.endpoint }

// ReadyAfter is a second.
func (p *Process) ReadyAfter() time.Duration { return time.Second }

// Done is closed when it has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// LogPath is the path of no file.
func (p *Process) LogPath() string { return p.Place + ".log" }

// Err is why it ended by itself.
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

// Stop ends it, as it is asked to.
func (p *Process) Stop(context.Context) error {
	if p.world.OnStop != nil {
		p.world.OnStop(p.Place)
	}
	p.End("stopped", nil)
	return nil
}

// Kill ends it at once.
func (p *Process) Kill() { p.End("killed", nil) }

// Die ends a server without being asked.
func (w *World) Die(name string) *servers.ExitError {
	w.Mu.Lock()
	p := w.live[name]
	w.Mu.Unlock()
	err := Exit(name, true)
	p.End("died", err)
	return err
}

// Exit is the error of a server that ended by itself.
func Exit(name string, ready bool) *servers.ExitError {
	return &servers.ExitError{Name: name, Build: "b", Status: "exited with status 1", Ready: ready, Log: "l", Tail: []string{"panic: x"}}
}
