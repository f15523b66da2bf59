package etcd

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/namespace"
	"go.uber.org/zap"
)

// Remote configures a run's store in an existing etcd.
type Remote struct {
	// Endpoints are the URLs of its members: https://10.0.0.1:2379, or http:// without TLS. One
	// that answers is enough.
	Endpoints []string
	// CAFile is the authority that signed etcd's certificate, and CertFile and KeyFile are the
	// client certificate, in PEM. Default: the machine's authorities, and no client
	// certificate.
	CAFile, CertFile, KeyFile string
	// Prefix is the common prefix of the run's keys: /skewsim- and 16 hexadecimal digits.
	// Default: random digits.
	Prefix string
	// Keep leaves the run's keys in the etcd when the store is closed.
	Keep bool
	// Dir receives the certificates of the gates. It is created with mode 0700.
	Dir string
	// LogPath receives the log of etcd's client. Default: etcd.log in Dir.
	LogPath string

	lasts time.Duration // claimFor, but in tests
}

// remote is a run's part of an existing etcd.
type remote struct {
	*forwarder
	claim *claim
	keep  bool
	end   context.CancelFunc // of the claim's lease
	swept []string
	// unswept is why some keys of killed runs could not be removed; nil if none are left.
	unswept error
	ours    Running // the etcd itself, which ends with the store; nil if it stays
}

// beacon is a key that is written to find out how far a watch has come: writes of others
// increment the revision as well, and a watch of the run's keys does not receive those.
const beacon = "skewsim/beacon"

// answersWithin bounds each request before the run, sweptWithin the sweep before it, and
// cleanWithin the removal of its keys after it.
const (
	answersWithin = 10 * time.Second
	sweptWithin   = 10 * time.Second
	cleanWithin   = 20 * time.Second
)

// Connect makes a store from an existing etcd for one run. All keys of the run have a common
// prefix, which Close removes, or the next Connect if this process is killed. Other keys are
// neither read nor changed, and nothing is compacted. Errors say what to do about an etcd that
// does not answer or refuses this client.
func Connect(ctx context.Context, c Remote) (*Server, error) {
	id, err := c.id()
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if c.LogPath == "" {
		c.LogPath = filepath.Join(c.Dir, "etcd.log")
	}
	serves, config, _, err := c.reach(ctx)
	if err != nil {
		return nil, fmt.Errorf("store: %w", failed(err))
	}
	secrets, err := newSecrets(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s, err := newServer(secrets, c.LogPath)
	if err != nil {
		return nil, err
	}
	err = s.join(ctx, clientv3.Config{Endpoints: serves, TLS: config, Logger: s.logger.Named("client"), DialKeepAliveTime: answersWithin}, c, id)
	if err != nil {
		_ = s.Close() // err is the cause; an error of Close can only follow from it
		return nil, err
	}
	return s, nil
}

// id returns the id of the run: that of Prefix, if it is set.
func (c Remote) id() (string, error) {
	if c.Prefix == "" {
		random := make([]byte, 8)
		_, err := rand.Read(random)
		return hex.EncodeToString(random), err
	}
	id, ok := strings.CutPrefix(c.Prefix, string(prefixOf("")))
	if !ok || !idPattern.MatchString(id) {
		return "", fmt.Errorf("prefix %q: want /skewsim- and 16 hexadecimal digits", c.Prefix)
	}
	return id, nil
}

// join claims the run's prefix.
func (s *Server) join(ctx context.Context, config clientv3.Config, c Remote, id string) error {
	all, err := clientv3.New(config)
	if err != nil {
		return fmt.Errorf("store: client: %w", err)
	}
	r := &remote{forwarder: newForwarder(all, prefixOf(id)), keep: c.Keep}
	s.backend = r
	if s.first, err = r.enter(ctx, all, id, cmp.Or(c.lasts, claimFor)); err != nil {
		return fmt.Errorf("store: etcd at %s: %w", strings.Join(config.Endpoints, ", "), failed(barred(err)))
	}
	if len(r.swept) > 0 {
		s.logger.Info("removed what runs had left that were killed", zap.Strings("prefixes", r.swept))
	}
	if r.unswept != nil {
		s.logger.Warn("what runs had left that were killed is there still", zap.Error(r.unswept))
	}
	return s.attend(r, all)
}

// enter sweeps, and claims a prefix. It returns the run's first revision. Keys that could not
// be swept do not prevent the run.
func (r *remote) enter(ctx context.Context, all *clientv3.Client, id string, lasts time.Duration) (int64, error) {
	r.swept, r.unswept = sweep(ctx, all)
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	claim, revision, err := take(ctx, all, id, lasts)
	if err != nil {
		return 0, errors.Join(err, all.Close())
	}
	r.claim = claim
	return revision + 1, nil
}

// attend renews the claim, and gives servers access without a gate.
func (s *Server) attend(r *remote, all *clientv3.Client) error {
	ctx, end := context.WithCancel(context.Background()) // until the store is closed
	r.end = end
	lost, err := r.claim.keep(ctx)
	if err != nil {
		return fmt.Errorf("store: keep the claim to %s: %w", r.in, err)
	}
	go func() {
		<-lost
		s.failure.report(fmt.Errorf("etcd has not answered for so long that the run's claim to %s has ended there: another run may remove its keys", r.in))
	}()
	s.client = clientv3.NewCtxClient(ctx)
	s.client.KV = namespace.NewKV(all.KV, string(r.in))
	s.client.Watcher = namespace.NewWatcher(all.Watcher, string(r.in))
	s.store = s.secrets.store("")
	gate, err := s.Gate()
	if err != nil {
		return err
	}
	gate.Open()
	s.store = gate.Store()
	return nil
}

// revision implements backend. A watch of the run's keys receives the last write last.
func (r *remote) revision(ctx context.Context, client *clientv3.Client) (int64, error) {
	put, err := client.Put(ctx, beacon, "")
	if err != nil {
		return 0, err
	}
	return put.Header.Revision, nil
}

// patience implements backend.
func (r *remote) patience(bool) time.Duration { return cleanWithin }

// close removes the run's keys, and its claim. A store that has failed may answer again by now.
func (r *remote) close(client *clientv3.Client) error {
	if r.claim == nil {
		return nil
	}
	if r.end != nil {
		r.end()
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanWithin-time.Second)
	defer cancel()
	if r.ours != nil {
		_ = r.claim.client.Close() // its claim is removed with the etcd
		return r.ours.Stop(ctx)
	}
	err := r.claim.release(ctx, r.keep, r.leases.taken())
	if client != nil {
		_ = client.Watcher.Close() // it only needs to close the connection
	}
	_ = r.claim.client.Close()
	return err
}

// Prefix returns the prefix of the run's keys in a shared etcd, or "" if the whole etcd is the
// run's.
func (s *Server) Prefix() string {
	if r, is := s.backend.(*remote); is {
		return string(r.in)
	}
	return ""
}

// Swept returns the prefixes of killed runs whose keys Connect has removed.
func (s *Server) Swept() []string {
	if r, is := s.backend.(*remote); is {
		return r.swept
	}
	return nil
}

// Unswept returns why some keys of killed runs are left for the next Connect to remove, or nil
// if none are. They do no harm.
func (s *Server) Unswept() error {
	if r, is := s.backend.(*remote); is {
		return r.unswept
	}
	return nil
}

// tls returns the TLS configuration for the etcd, or nil without TLS.
func (c Remote) tls() (*tls.Config, error) {
	info := transport.TLSInfo{TrustedCAFile: c.CAFile, CertFile: c.CertFile, KeyFile: c.KeyFile}
	return info.ClientConfig()
}
