package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	"github.com/skewsim/skewsim/servers"
)

// aboutItself is the one call that passes before a gate is open: it tells of
// etcd, its version above all, and neither reads nor writes a key. A server
// that gets no answer to it does nothing else, and gives up after 20 seconds.
const aboutItself = "/etcdserverpb.Maintenance/Status"

// reads tells whether a call changes no key and no lease. Whatever is not known
// to do so is taken for a write.
func reads(call string) bool {
	switch call {
	case aboutItself, "/etcdserverpb.KV/Range", "/etcdserverpb.KV/RangeStream", "/etcdserverpb.Watch/Watch":
		return true
	}
	return false
}

// Gate is a way into the store for one server: a port of its own behind which
// the store answers in this process, over TLS and to the store's clients only. See
// servers.Gate.
type Gate struct {
	store                           servers.Store
	grpc                            *grpc.Server
	reading, opened, sealed, closed signal
	// held is called with each call that begins to wait, in tests; else it is nil.
	held func(call string)

	// writing is held for reading by each write that is inside, so that Seal
	// can wait until none is.
	writing sync.RWMutex
}

var _ servers.Gate = (*Gate)(nil)

// Gate makes a gate on a free port of the loopback address.
func (s *Server) Gate() (*Gate, error) {
	serving, err := tlsInfo(s.secrets.server, s.secrets.ca).ServerConfig()
	if err != nil {
		return nil, fmt.Errorf("store: gate: certificate: %w", err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("store: gate: %w", err)
	}
	g := &Gate{store: s.store, reading: newSignal(), opened: newSignal(), sealed: newSignal(), closed: newSignal()}
	g.store.Endpoint = "https://" + l.Addr().String()
	g.grpc = s.behind(g, serving)
	if !s.keep(g) {
		return nil, errors.Join(errors.New("store: gate: the store has ended"), l.Close())
	}
	go g.serve(l, s.logger)
	return g, nil
}

// behind is the store's own service, asked through the gate.
func (s *Server) behind(g *Gate, serving *tls.Config) *grpc.Server {
	// A server opens some seventy connections, each with a handshake of its own.
	// What keeps recordings safe from the computers of the future is of no use to
	// connections that never leave the machine.
	serving.CurvePreferences = []tls.CurveID{tls.X25519}
	return s.backend.behind(serving, g.call, grpc.ChainStreamInterceptor(g.stream), grpc.WaitForHandlers(true),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: embed.DefaultGRPCKeepAliveMinTime}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: embed.DefaultGRPCKeepAliveInterval, Timeout: embed.DefaultGRPCKeepAliveTimeout}))
}

// serve ends with Close. If anything else ends it, the server before the gate
// has lost its store, and says so itself.
func (g *Gate) serve(l net.Listener, logger *zap.Logger) {
	if err := g.grpc.Serve(l); err != nil {
		logger.Warn("a gate has ended", zap.Error(err), zap.String("address", l.Addr().String()))
	}
}

// Store implements servers.Gate.
func (g *Gate) Store() servers.Store { return g.store }

// Read implements servers.Gate.
func (g *Gate) Read() { g.reading.give() }

// Open implements servers.Gate.
func (g *Gate) Open() {
	g.reading.give()
	g.opened.give()
}

// Seal implements servers.Gate.
func (g *Gate) Seal() {
	g.sealed.give()
	g.writing.Lock()
	defer g.writing.Unlock() // those that come now find the gate sealed
}

// Close implements servers.Gate.
func (g *Gate) Close() {
	g.closed.give()
	g.Seal()
	g.grpc.Stop()
}

// call lets a call with one answer through, or not.
func (g *Gate) call(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	if info.FullMethod == aboutItself {
		return handle(ctx, request)
	}
	if reads(info.FullMethod) {
		if err := g.await(ctx, g.reading, info.FullMethod); err != nil {
			return nil, err
		}
		return handle(ctx, request)
	}
	if err := g.await(ctx, g.opened, info.FullMethod); err != nil {
		return nil, err
	}
	g.writing.RLock()
	defer g.writing.RUnlock()
	if g.sealed.given() {
		return nil, status.Error(codes.Unavailable, "skewsim: the gate to the store is sealed: its server may only read")
	}
	return handle(ctx, request)
}

// stream lets a call through that goes on: a watch, or a large read.
func (g *Gate) stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	if err := g.await(stream.Context(), g.reading, info.FullMethod); err != nil {
		return err
	}
	if !reads(info.FullMethod) {
		return status.Error(codes.Unimplemented, "skewsim: a gate to the store lets no such stream through")
	}
	return handle(server, stream)
}

// await returns when the gate is as far open as need be, or with why it will
// not be.
func (g *Gate) await(ctx context.Context, far signal, call string) error {
	if g.held != nil && !far.given() {
		g.held(call)
	}
	select {
	case <-far.c:
		return nil
	case <-g.closed.c:
		return status.Error(codes.Unavailable, "skewsim: the gate to the store is closed")
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

// signal is given once and stays given.
type signal struct {
	c    chan struct{}
	once *sync.Once
}

func newSignal() signal { return signal{make(chan struct{}), new(sync.Once)} }

func (s signal) give() { s.once.Do(func() { close(s.c) }) }

func (s signal) given() bool {
	select {
	case <-s.c:
		return true
	default:
		return false
	}
}

// keep has the store close the gate when it closes: etcd must not be asked
// anything after its end. It tells whether the store still serves.
func (s *Server) keep(g *Gate) bool {
	s.gatesMu.Lock()
	defer s.gatesMu.Unlock()
	select {
	case <-s.Done():
		return false
	default:
		s.gates = append(s.gates, g)
		return true
	}
}

func (s *Server) closeGates() {
	s.gatesMu.Lock()
	defer s.gatesMu.Unlock()
	for _, g := range s.gates {
		g.Close()
	}
}
