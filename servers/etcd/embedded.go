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
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/skewsim/skewsim/servers/certs"
	"github.com/skewsim/skewsim/servers/machine"
)

const (
	// quotaBytes is the most that etcd recommends. Its default of 2 GiB would end a long run,
	// because nothing is ever compacted.
	quotaBytes = 8 << 30

	// snapshotEvery and keptEntries bound the part of etcd's log that is in memory, and that a start reads
	// again: etcd's defaults, 10,000 and 5,000 entries, are for members that fall behind, and there is
	// none here. An entry has the whole value.
	snapshotEvery = 2000
	keptEntries   = 100

	// tick and election make the only member elect itself at once. Longer values are for slow
	// networks between members.
	tickMillis     = 10
	electionMillis = 100
)

// Config configures a store.
type Config struct {
	// Dir contains the data and the certificates. It is created with mode 0700 and must not
	// contain a store yet.
	Dir string
	// LogPath receives etcd's log, mode 0600. Default: etcd.log in Dir.
	LogPath string
	// Fsync makes every write reach the disk before it is acknowledged. Default false: the
	// store need not survive a crash of the machine, and is an order of magnitude faster.
	Fsync bool
	// From is the Dir of a store that has ended, whose data is copied first; "": the store is empty.
	From string
}

// Start returns when the store serves. When ctx ends first, or etcd ends, it leaves only files
// in Dir.
func Start(ctx context.Context, c Config) (*Server, error) {
	if c.LogPath == "" {
		c.LogPath = filepath.Join(c.Dir, "etcd.log")
	}
	if err := machine.CheckLoopback(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	secrets, err := newSecrets(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if c.From != "" {
		if err := os.CopyFS(filepath.Join(c.Dir, "data"), os.DirFS(filepath.Join(c.From, "data"))); err != nil {
			return nil, fmt.Errorf("store: copy: %w", err)
		}
	}
	s, err := newServer(secrets, c.LogPath)
	if err != nil {
		return nil, err
	}
	if err := s.serve(ctx, configure(c, secrets, s.logger)); err != nil {
		_ = s.Close() // err is the cause; an error of Close can only follow from it
		return nil, fmt.Errorf("store: %w; log: %s", failed(err), c.LogPath)
	}
	s.store = secrets.store("https://" + s.backend.(embedded).Clients[0].Addr().String())
	if s.client, err = s.Client(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// embedded is an etcd in this process. All of it belongs to the run.
type embedded struct{ *embed.Etcd }

// behind is etcd's own service, set up as etcd does it: a gate forwards no bytes, so it costs
// nothing.
func (e embedded) behind(serving *tls.Config, call grpc.UnaryServerInterceptor, options ...grpc.ServerOption) *grpc.Server {
	return v3rpc.Server(e.Server, serving, call, options...)
}

// revision implements backend. Any read returns the newest revision, and each revision after
// the first has a change that a watch of all keys receives.
func (e embedded) revision(ctx context.Context, client *clientv3.Client) (int64, error) {
	r, err := client.Get(ctx, "\x00", clientv3.WithCountOnly())
	if err != nil {
		return 0, err
	}
	return r.Header.Revision, nil
}

// patience implements backend. A store that has failed may hold its locks forever, and has
// nothing left to save.
func (e embedded) patience(failed bool) time.Duration {
	if failed {
		return time.Second
	}
	return 10 * time.Second
}

func (e embedded) close(client *clientv3.Client) error {
	if client != nil {
		_ = client.Close() // it only needs to close the connection
	}
	e.Close()
	return nil
}

func configure(c Config, s secrets, logger *zap.Logger) *embed.Config {
	cfg := embed.NewConfig()
	cfg.Name = "skewsim"
	cfg.Dir = filepath.Join(c.Dir, "data")
	// Port 0: the kernel picks the port, and etcd's listener reports it. Nobody dials the
	// advertised addresses, because there is no other member.
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
	cfg.SnapshotCount, cfg.SnapshotCatchUpEntries = snapshotEvery, keptEntries
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

// outcome is the result of embed.StartEtcd.
type outcome struct {
	etcd *embed.Etcd
	err  error
}

// drop closes an etcd that started after the store had failed.
func drop(started <-chan outcome) {
	if o := <-started; o.etcd != nil {
		o.etcd.Close()
	}
}

// serve starts etcd on a separate goroutine, because a fatal failure ends the goroutine on
// which it happens.
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

// heed reports etcd's errors while it serves as the store's failure.
func (s *Server) heed(e embedded) {
	select {
	case err := <-e.Err():
		s.failure.report(cmp.Or(err, errors.New("stopped serving by itself")))
	case <-e.Server.StopNotify():
		s.failure.report(errors.New("stopped serving by itself"))
	case <-s.failure.done:
	}
}
