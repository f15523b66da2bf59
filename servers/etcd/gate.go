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

// aboutItself is the one call that passes before a gate is open: it returns etcd's status,
// mainly its version, and neither reads nor writes a key. A server without an answer to it does
// nothing else, and gives up after 20 seconds.
const aboutItself = "/etcdserverpb.Maintenance/Status"

// reads reports whether a call changes no key and no lease. Unknown calls count as writes.
func reads(call string) bool {
	switch call {
	case aboutItself, "/etcdserverpb.KV/Range", "/etcdserverpb.KV/RangeStream", "/etcdserverpb.Watch/Watch":
		return true
	}
	return false
}

// Gate controls one server's access to the store: a separate port on which the store answers in
// this process, over TLS and only to the store's clients. See servers.Gate.
type Gate struct {
	store                           servers.Store
	grpc                            *grpc.Server
	reading, opened, sealed, closed signal
	// held, if not nil, is called in tests with each call that begins to wait.
	held func(call string)

	// writing is read-locked by each write in flight, so that Seal can wait for them.
	writing sync.RWMutex
}

var _ servers.Gate = (*Gate)(nil)

// Gate creates a gate on a free port of the loopback address.
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

// behind returns the store's service with the gate in front.
func (s *Server) behind(g *Gate, serving *tls.Config) *grpc.Server {
	// A server opens some seventy connections, each with its own handshake. Post-quantum key
	// exchange protects recorded traffic, which is useless for connections that never leave the
	// machine.
	serving.CurvePreferences = []tls.CurveID{tls.X25519}
	// Buffers of 64 KiB for each would be a fifth of what this process holds: requests are small.
	const requests = 4 << 10
	return s.backend.behind(serving, g.call, grpc.ChainStreamInterceptor(g.stream), grpc.WaitForHandlers(true),
		grpc.ReadBufferSize(requests),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: embed.DefaultGRPCKeepAliveMinTime}),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: embed.DefaultGRPCKeepAliveInterval, Timeout: embed.DefaultGRPCKeepAliveTimeout}))
}

// serve ends with Close. If it ends for another reason, the server that uses the gate has lost
// its store, and reports that itself.
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
	defer g.writing.Unlock() // later writes find the gate sealed
}

// Close implements servers.Gate.
func (g *Gate) Close() {
	g.closed.give()
	g.Seal()
	g.grpc.Stop()
}

// call lets a unary call pass or refuses it.
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

// stream lets a streaming call pass: a watch, or a large read.
func (g *Gate) stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	if err := g.await(stream.Context(), g.reading, info.FullMethod); err != nil {
		return err
	}
	if !reads(info.FullMethod) {
		return status.Error(codes.Unimplemented, "skewsim: a gate to the store lets no such stream through")
	}
	return handle(server, stream)
}

// await returns when the gate is open enough for the call, or with the reason why it will not
// be.
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

// keep registers the gate, so that the store closes it first: etcd must not be called after its
// end. It reports whether the store still serves.
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
