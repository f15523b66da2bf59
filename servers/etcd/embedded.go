package etcd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/skewsim/skewsim/servers/certs"
)

const (
	// quotaBytes is the most etcd recommends. Its default of 2 GiB would end
	// a long run, for nothing is ever compacted.
	quotaBytes = 8 << 30

	// tick and election make the only member elect itself at once. Longer
	// ones guard against a slow network between members; there is none.
	tickMillis     = 10
	electionMillis = 100
)

// Config is how a store runs.
type Config struct {
	// Dir holds the data and the certificates. It is created with mode 0700
	// and must not hold a store yet.
	Dir string
	// LogPath takes etcd's log, mode 0600. Default: etcd.log in Dir.
	LogPath string
	// Fsync has every write reach the disk before it is acknowledged. Default
	// false: the store need not outlive a crash of the machine, and is an
	// order of magnitude faster.
	Fsync bool
}

// Start returns when the store serves. When ctx ends first, or etcd ends, it
// leaves nothing behind but files in Dir.
func Start(ctx context.Context, c Config) (*Server, error) {
	if c.LogPath == "" {
		c.LogPath = filepath.Join(c.Dir, "etcd.log")
	}
	secrets, err := newSecrets(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s, err := newServer(secrets, c.LogPath)
	if err != nil {
		return nil, err
	}
	if err := s.serve(ctx, configure(c, secrets, s.logger)); err != nil {
		_ = s.Close() // err is the cause; what closing says can only be its echo
		return nil, fmt.Errorf("store: %w; log: %s", failed(err), c.LogPath)
	}
	s.store = secrets.store("https://" + s.backend.(embedded).Clients[0].Addr().String())
	if s.client, err = s.Client(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// embedded is an etcd in this process. All of it is the run's.
type embedded struct{ *embed.Etcd }

// behind is etcd's own service, set up as etcd sets it up: no bytes are forwarded, so
// a gate costs nothing.
func (e embedded) behind(serving *tls.Config, call grpc.UnaryServerInterceptor, options ...grpc.ServerOption) *grpc.Server {
	return v3rpc.Server(e.Server, serving, call, options...)
}

// revision implements backend. Any read tells the newest one, and each after the first
// has a change that a watch of all keys is told.
func (e embedded) revision(ctx context.Context, client *clientv3.Client) (int64, error) {
	r, err := client.Get(ctx, "\x00", clientv3.WithCountOnly())
	if err != nil {
		return 0, err
	}
	return r.Header.Revision, nil
}

// patience implements backend. A store that has failed may hold its locks for ever,
// and has nothing left to lose.
func (e embedded) patience(failed bool) time.Duration {
	if failed {
		return time.Second
	}
	return 10 * time.Second
}

func (e embedded) close(client *clientv3.Client) error {
	if client != nil {
		_ = client.Close() // the connection's end is all that matters
	}
	e.Close()
	return nil
}

func configure(c Config, s secrets, logger *zap.Logger) *embed.Config {
	cfg := embed.NewConfig()
	cfg.Name = "skewsim"
	cfg.Dir = filepath.Join(c.Dir, "data")
	// Port 0: the kernel picks, and the listener that etcd holds tells which.
	// Nobody dials the advertised addresses, for there is no other member.
	anyPort := []url.URL{{Scheme: "https", Host: "127.0.0.1:0"}}
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = anyPort, anyPort
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = anyPort, anyPort
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.ClientTLSInfo = tlsInfo(s.server, s.ca)
	cfg.PeerTLSInfo = tlsInfo(s.peer, s.ca)
	cfg.EnableGRPCGateway = false // it would dial port 0
	cfg.UnsafeNoFsync = !c.Fsync
	cfg.AutoCompactionRetention = "0" // off
	cfg.QuotaBackendBytes = quotaBytes
	cfg.TickMs, cfg.ElectionMs = tickMillis, electionMillis
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger)
	return cfg
}

func tlsInfo(p certs.Pair, ca *certs.Authority) transport.TLSInfo {
	return transport.TLSInfo{
		CertFile: p.CertFile, KeyFile: p.KeyFile,
		TrustedCAFile: ca.CertFile, ClientCertAuth: true,
	}
}

// outcome is what embed.StartEtcd returned.
type outcome struct {
	etcd *embed.Etcd
	err  error
}

// drop closes an etcd that still came up after the store had failed.
func drop(started <-chan outcome) {
	if o := <-started; o.etcd != nil {
		o.etcd.Close()
	}
}

// serve starts etcd on a goroutine of its own, since a fatal failure ends the
// goroutine it happens on.
func (s *Server) serve(ctx context.Context, cfg *embed.Config) error {
	started := make(chan outcome, 1)
	go func() {
		defer close(started)
		e, err := embed.StartEtcd(cfg)
		started <- outcome{e, err}
	}()
	select {
	case o := <-started:
		if o.etcd == nil {
			return cmp.Or(s.failure.Err(), o.err, errors.New("etcd ended while it started"))
		}
		s.backend = embedded{o.etcd}
	case <-s.failure.done:
		go drop(started)
		return s.failure.Err()
	}
	go s.heed(s.backend.(embedded))
	select {
	case <-s.backend.(embedded).Server.ReadyNotify():
		return nil
	case <-s.failure.done:
		return s.failure.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// heed turns what etcd reports while it serves into the store's failure.
func (s *Server) heed(e embedded) {
	select {
	case err := <-e.Err():
		s.failure.report(cmp.Or(err, errors.New("stopped serving by itself")))
	case <-e.Server.StopNotify():
		s.failure.report(errors.New("stopped serving by itself"))
	case <-s.failure.done:
	}
}
