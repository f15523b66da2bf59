package etcd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"

	"github.com/skewsim/skewsim/servers"
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

	// closeWithin bounds Close. A store that has failed may hold its locks
	// for ever, and has nothing left to lose.
	closeWithin       = 10 * time.Second
	closeFailedWithin = time.Second
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

// Server is a running etcd.
type Server struct {
	etcd    *embed.Etcd
	client  *clientv3.Client
	store   servers.Store
	tls     *tls.Config
	failure *failure
	logFile *os.File
	logger  *zap.Logger

	gatesMu sync.Mutex
	gates   []*Gate

	closeOnce sync.Once
	closeErr  error
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
	s := &Server{failure: newFailure(), tls: secrets.tls}
	if s.logger, s.logFile, err = openLog(c.LogPath, s.failure); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := s.serve(ctx, configure(c, secrets, s.logger)); err != nil {
		_ = s.Close() // err is the cause; what closing says can only be its echo
		return nil, fmt.Errorf("store: %w; log: %s", err, c.LogPath)
	}
	s.store = servers.Store{
		Endpoint: "https://" + s.etcd.Clients[0].Addr().String(),
		CAFile:   secrets.ca.CertFile, CertFile: secrets.client.CertFile, KeyFile: secrets.client.KeyFile,
	}
	if s.client, err = s.Client(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

type secrets struct {
	ca                   *certs.Authority
	server, client, peer certs.Pair
	tls                  *tls.Config
}

// newSecrets makes an authority for this store alone. Clients and the member
// itself have different certificates, but any of them may talk to the store:
// there is no user to tell apart.
func newSecrets(dir string) (s secrets, err error) {
	if err := certs.MakeDir(dir); err != nil {
		return s, err
	}
	if s.ca, err = certs.New(filepath.Join(dir, "certs"), "skewsim-etcd"); err != nil {
		return s, err
	}
	if s.server, err = s.ca.Issue("server", certs.Peer); err != nil {
		return s, err
	}
	if s.client, err = s.ca.Issue("client", certs.Client); err != nil {
		return s, err
	}
	if s.peer, err = s.ca.Issue("peer", certs.Peer); err != nil {
		return s, err
	}
	s.tls, err = s.ca.ClientTLS(s.client)
	return s, err
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
		s.etcd = o.etcd
	case <-s.failure.done:
		go drop(started)
		return s.failure.Err()
	}
	go s.heed()
	select {
	case <-s.etcd.Server.ReadyNotify():
		return nil
	case <-s.failure.done:
		return s.failure.Err()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// heed turns what etcd reports while it serves into the store's failure.
func (s *Server) heed() {
	select {
	case err := <-s.etcd.Err():
		s.failure.report(cmp.Or(err, errors.New("stopped serving by itself")))
	case <-s.etcd.Server.StopNotify():
		s.failure.report(errors.New("stopped serving by itself"))
	case <-s.failure.done:
	}
}

// Store is how servers reach it.
func (s *Server) Store() servers.Store { return s.store }

// Client gives a new client of the store, to be closed by the caller.
func (s *Server) Client() (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{s.store.Endpoint},
		TLS:       s.tls.Clone(),
		Logger:    s.logger.Named("client"),
	})
	if err != nil {
		return nil, fmt.Errorf("store: client: %w", err)
	}
	return client, nil
}

// Done is closed when the store has ended, by a failure or by Close.
func (s *Server) Done() <-chan struct{} { return s.failure.done }

// Err says why the store ended: nil while it serves and after Close, else the
// failure, such as a full disk.
func (s *Server) Err() error { return s.failure.Err() }

// Close ends the store. Its data stays. The error is the failure that had ended
// it before, or that it did not end in time. Closing again gives the same.
func (s *Server) Close() error {
	s.closeOnce.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Server) close() error {
	failed := s.failure.Err()
	s.failure.report(nil)
	if s.client != nil {
		_ = s.client.Close() // the connection's end is all that matters
	}
	if failed != nil {
		s.closeEtcd(closeFailedWithin)
		_ = s.logFile.Close()
		return failed
	}
	if !s.closeEtcd(closeWithin) {
		return fmt.Errorf("store: close: still not closed after %s", closeWithin)
	}
	return s.logFile.Close()
}

// closeEtcd tells whether etcd has closed in time.
func (s *Server) closeEtcd(within time.Duration) bool {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.closeGates()
		if s.etcd != nil {
			s.etcd.Close()
		}
	}()
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case <-closed:
		return true
	case <-timeout.C:
		return false
	}
}
