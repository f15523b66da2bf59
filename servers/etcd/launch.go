package etcd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/servers/process"
)

const (
	// upWithin bounds the time from an etcd's start until it answers.
	upWithin = time.Minute
	// pollEvery is the pause between attempts to connect meanwhile.
	pollEvery = 25 * time.Millisecond
	// tries is the number of ports to try if another process takes the first one.
	tries = 3
	// saidLines is the number of log lines that the error contains if etcd does not start.
	saidLines = 3
)

// Member is the configuration of an etcd for one run, for a function that executes it.
type Member struct {
	Arguments []string
	// Certs is a directory that etcd reads, and Data one that it writes.
	Certs, Data string
	// LogPath receives its output.
	LogPath string
}

// Running is an etcd that was executed.
type Running interface {
	// Done is closed when it has ended.
	Done() <-chan struct{}
	// Status returns how it ended: "exited with status 1".
	Status() string
	// Stop asks it to end and waits for that; when ctx ends first, Stop kills it.
	Stop(ctx context.Context) error
	// Kill ends it immediately and waits for that.
	Kill()
}

// Launch makes a store from an etcd that execute starts, such as one in a container. The etcd
// listens only on 127.0.0.1, accepts only clients with the certificates that Launch creates,
// and ends with the store. If Launch fails, it leaves only files in Dir.
func Launch(ctx context.Context, c Config, execute func(context.Context, Member) (Running, error)) (*Server, error) {
	if err := machine.CheckLoopback(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	member, err := newSecrets(filepath.Join(c.Dir, "member"))
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	m := Member{Certs: filepath.Join(c.Dir, "member"), Data: filepath.Join(c.Dir, "data"), LogPath: c.LogPath}
	for try := 1; ; try++ {
		running, port, err := m.start(ctx, c, member, execute)
		if errors.Is(err, errTaken) && try < tries {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("store: etcd: %w", err)
		}
		s, err := connectTo(ctx, c, member, port)
		if err != nil {
			running.Kill()
			return nil, err
		}
		s.lives(running)
		return s, nil
	}
}

// errTaken reports that another process took the port in the meantime.
var errTaken = errors.New("the port is taken")

// start executes the etcd and waits until it answers.
func (m Member) start(ctx context.Context, c Config, s secrets, execute func(context.Context, Member) (Running, error)) (Running, string, error) {
	port, err := freePort()
	if err != nil {
		return nil, "", err
	}
	if err := errors.Join(os.RemoveAll(m.Data), os.MkdirAll(m.Data, 0o700)); err != nil {
		return nil, "", err
	}
	m.Arguments = arguments(m.Data, port, s, c.Fsync)
	running, err := execute(ctx, m)
	if err != nil {
		return nil, "", err
	}
	if err := m.await(ctx, running, port); err != nil {
		running.Kill()
		return nil, "", err
	}
	return running, port, nil
}

// freePort returns a port that is free now. Etcd cannot take over a port that is already open.
func freePort() (string, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return strconv.Itoa(port), listener.Close()
}

// arguments returns an etcd's flags, equal to the configuration of the embedded one.
func arguments(data, port string, s secrets, fsync bool) []string {
	serve, anyPort := "https://127.0.0.1:"+port, "https://127.0.0.1:0"
	all := []string{
		"--name=skewsim", "--data-dir=" + data,
		"--listen-client-urls=" + serve, "--advertise-client-urls=" + serve,
		"--listen-peer-urls=" + anyPort, "--initial-advertise-peer-urls=" + anyPort, "--initial-cluster=skewsim=" + anyPort,
		"--cert-file=" + s.server.CertFile, "--key-file=" + s.server.KeyFile, "--trusted-ca-file=" + s.ca.CertFile, "--client-cert-auth",
		"--peer-cert-file=" + s.peer.CertFile, "--peer-key-file=" + s.peer.KeyFile, "--peer-trusted-ca-file=" + s.ca.CertFile, "--peer-client-cert-auth",
		"--auto-compaction-retention=0", "--quota-backend-bytes=" + strconv.Itoa(quotaBytes),
		"--heartbeat-interval=" + strconv.Itoa(tickMillis), "--election-timeout=" + strconv.Itoa(electionMillis),
	}
	if !fsync {
		all = append(all, "--unsafe-no-fsync")
	}
	return all
}

// await returns when something listens at the port, or the etcd has ended.
func (m Member) await(ctx context.Context, running Running, port string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, upWithin, failed(fmt.Errorf("not up after %s; log: %s", upWithin, m.LogPath)))
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		select {
		case <-running.Done():
			said := strings.Join(process.Tail(m.LogPath, saidLines), "\n  ")
			if strings.Contains(said, "address already in use") {
				return errTaken
			}
			return failed(fmt.Errorf("%s before it was up; log: %s; its last lines:\n  %s", running.Status(), m.LogPath, said))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-poll.C:
			if conn, err := net.Dial("tcp4", net.JoinHostPort("127.0.0.1", port)); err == nil {
				return conn.Close()
			}
		}
	}
}

// connectTo makes a store from the etcd at the port, like Connect from an existing one, except
// that it belongs to the run.
func connectTo(ctx context.Context, c Config, s secrets, port string) (*Server, error) {
	at := s.store("https://127.0.0.1:" + port)
	return Connect(ctx, Remote{
		Endpoints: []string{at.Endpoint}, CAFile: at.CAFile, CertFile: at.CertFile, KeyFile: at.KeyFile,
		Keep: true, // the etcd is removed with its keys
		Dir:  filepath.Join(c.Dir, "gates"), LogPath: strings.TrimSuffix(c.LogPath, ".log") + "-client.log",
	})
}

// lives ends the store with the etcd, and the etcd with the store.
func (s *Server) lives(running Running) {
	s.backend.(*remote).ours = running
	go func() {
		select {
		case <-running.Done():
			s.failure.report(fmt.Errorf("etcd %s although nobody asked it to", running.Status()))
		case <-s.failure.done:
		}
	}()
}
