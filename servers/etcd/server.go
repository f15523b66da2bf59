package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
)

// Server is a running etcd, or a run's part of an existing one.
type Server struct {
	backend backend          // nil until it is started
	client  *clientv3.Client // sees the same keys as the servers
	store   servers.Store
	secrets secrets
	first   int64 // see First
	failure *failure
	logFile *os.File
	logger  *zap.Logger

	gatesMu sync.Mutex
	gates   []*Gate

	closeOnce sync.Once
	closeErr  error
}

// backend is where the keys are stored.
type backend interface {
	// behind returns the service that answers at a gate.
	behind(serving *tls.Config, call grpc.UnaryServerInterceptor, options ...grpc.ServerOption) *grpc.Server
	// revision returns a revision that a watch of all the run's keys reaches after everything
	// that was stored before the call.
	revision(ctx context.Context, client *clientv3.Client) (int64, error)
	// patience returns how long close may take.
	patience(failed bool) time.Duration
	// close ends what belongs to the run; client may be nil.
	close(client *clientv3.Client) error
}

func newServer(s secrets, logPath string) (*Server, error) {
	f := newFailure()
	logger, file, err := openLog(logPath, f)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &Server{secrets: s, failure: f, logger: logger, logFile: file, first: 2}, nil
}

type secrets struct {
	ca                   *certs.Authority
	server, client, peer certs.Pair
	tls                  *tls.Config
}

// store returns how servers with these certificates reach the endpoint.
func (s secrets) store(endpoint string) servers.Store {
	return servers.Store{
		Endpoint: endpoint, CAFile: s.ca.CertFile, CertFile: s.client.CertFile, KeyFile: s.client.KeyFile,
	}
}

// newSecrets creates an authority for this store. Clients and the member have different
// certificates, but any of them may use the store: it does not distinguish users.
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

// First returns the first revision that can contain a change of the run: a Watch from there
// shows all of its changes. An empty etcd is at revision 1.
func (s *Server) First() int64 { return s.first }

// Store returns how servers reach the store.
func (s *Server) Store() servers.Store { return s.store }

// Client returns a new client of the store. The caller must close it.
func (s *Server) Client() (*clientv3.Client, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{s.store.Endpoint},
		TLS:       s.secrets.tls.Clone(),
		Logger:    s.logger.Named("client"),
	})
	if err != nil {
		return nil, fmt.Errorf("store: client: %w", err)
	}
	return client, nil
}

// Done is closed when the store has ended, by a failure or by Close.
func (s *Server) Done() <-chan struct{} { return s.failure.done }

// Err returns why the store ended: nil while it serves and after Close, otherwise the failure,
// such as a full disk.
func (s *Server) Err() error { return s.failure.Err() }

// Close ends the store. Its data stays. The error is the failure that had ended the store
// before, or that it did not end in time. Later calls return the same error.
func (s *Server) Close() error {
	s.closeOnce.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Server) close() error {
	failed := s.failure.Err()
	s.failure.report(nil)
	if s.backend == nil {
		return errors.Join(failed, s.logFile.Close())
	}
	within := s.backend.patience(failed != nil)
	closed := make(chan error, 1)
	go func() {
		s.closeGates()
		closed <- s.backend.close(s.client)
	}()
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case err := <-closed:
		return errors.Join(failed, err, s.logFile.Close())
	case <-timeout.C:
		if failed != nil {
			_ = s.logFile.Close() // further log entries would follow from the failure
			return failed
		}
		return fmt.Errorf("store: close: still not closed after %s", within)
	}
}
