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

// Remote is an etcd that is there already, and how a run's store is made there.
type Remote struct {
	// Endpoints are its members' URLs: https://10.0.0.1:2379, or http:// for one that
	// speaks no TLS. One that answers is enough.
	Endpoints []string
	// CAFile, CertFile and KeyFile are the authority that its certificate is held
	// against, and the client certificate that it is shown, in PEM. Default: the
	// machine's authorities, and none.
	CAFile, CertFile, KeyFile string
	// Prefix is what every key of the run's begins with: /skewsim- and 16 hexadecimal
	// digits. Default: random ones.
	Prefix string
	// Keep leaves the run's keys there when the store is closed.
	Keep bool
	// Dir takes the certificates of the gates. It is created with mode 0700.
	Dir string
	// LogPath takes what etcd's client says. Default: etcd.log in Dir.
	LogPath string

	lasts time.Duration // claimFor, but in tests
}

// remote is the part of an etcd elsewhere that is a run's own.
type remote struct {
	*forwarder
	claim *claim
	keep  bool
	end   context.CancelFunc // of the claim's lease
	swept []string
	// unswept is why some of what killed runs have left is there still; nil: none is.
	unswept error
	ours    Running // the etcd itself, to be ended with the store; nil: it stays
}

// beacon is a key that is written to know how far a watch has come: others' writes
// move the revision on as well, and no watch of the run's keys is told of those.
const beacon = "skewsim/beacon"

// answersWithin bounds each question before the run, sweptWithin what is removed of others
// before it, and cleanWithin what is removed after it.
const (
	answersWithin = 10 * time.Second
	sweptWithin   = 10 * time.Second
	cleanWithin   = 20 * time.Second
)

// Connect makes a store of an etcd that is there already, for one run: its keys all
// begin with a prefix of their own, which is removed by Close, and by the next Connect
// where this process is killed before. What the etcd holds otherwise is neither read nor
// changed, and nothing is compacted. Errors say what is to be done about an etcd that
// does not answer, or not to this client.
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
		_ = s.Close() // err is the cause; what closing says can only be its echo
		return nil, err
	}
	return s, nil
}

// id is that of the run: of the prefix, where one is given.
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

// enter sweeps, and claims a prefix. It tells the first revision that is the run's. What
// others left keeps no run away.
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

// attend keeps the claim, and gives servers a way in that needs no gate.
func (s *Server) attend(r *remote, all *clientv3.Client) error {
	ctx, end := context.WithCancel(context.Background()) // until the store is closed
	r.end = end
	lost, err := r.claim.keep(ctx)
	if err != nil {
		return fmt.Errorf("store: keep the claim to %s: %w", r.in, err)
	}
	go func() {
		<-lost
		s.failure.report(fmt.Errorf("etcd has not answered for so long that the run's claim to %s has ended there: what it stored may be removed by another run", r.in))
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

// revision implements backend. What is written last a watch of the run's keys is told
// last.
func (r *remote) revision(ctx context.Context, client *clientv3.Client) (int64, error) {
	put, err := client.Put(ctx, beacon, "")
	if err != nil {
		return 0, err
	}
	return put.Header.Revision, nil
}

// patience implements backend.
func (r *remote) patience(bool) time.Duration { return cleanWithin }

// close removes what the run has stored, and its claim. A store that has failed may
// answer again by now.
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
		_ = r.claim.client.Close() // what it had claimed goes with the etcd
		return r.ours.Stop(ctx)
	}
	err := r.claim.release(ctx, r.keep, r.leases.taken())
	if client != nil {
		_ = client.Watcher.Close() // the connection's end is all that matters
	}
	_ = r.claim.client.Close()
	return err
}

// Prefix is what the run's keys begin with in an etcd that is shared with others; "":
// all of the etcd is the run's.
func (s *Server) Prefix() string {
	if r, is := s.backend.(*remote); is {
		return string(r.in)
	}
	return ""
}

// Swept are the prefixes of runs that were killed, whose keys Connect has removed.
func (s *Server) Swept() []string {
	if r, is := s.backend.(*remote); is {
		return r.swept
	}
	return nil
}

// Unswept is why some keys of runs that were killed are there still, for the next Connect
// to remove; nil: all are gone. They are in nobody's way.
func (s *Server) Unswept() error {
	if r, is := s.backend.(*remote); is {
		return r.unswept
	}
	return nil
}

// tls is how the etcd is spoken to; nil: without TLS.
func (c Remote) tls() (*tls.Config, error) {
	info := transport.TLSInfo{TrustedCAFile: c.CAFile, CertFile: c.CertFile, KeyFile: c.KeyFile}
	return info.ClientConfig()
}
