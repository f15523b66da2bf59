package etcd

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/hashicorp/go-version"
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	etcdversion "go.etcd.io/etcd/api/v3/version"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// oldest is the first release whose watches split large changes.
const oldest = "3.4.0"

// EmbeddedVersion returns the version of the etcd that Start runs.
func EmbeddedVersion() string { return etcdversion.Version }

// Version returns the version of the first usable member. It changes nothing.
func Version(ctx context.Context, c Remote) (string, error) {
	_, _, says, err := c.reach(ctx)
	return says, err
}

// Check reports whether Connect would reach a usable etcd, and may read there. It changes
// nothing.
func Check(ctx context.Context, c Remote) error {
	serve, config, _, err := c.reach(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	client, err := clientv3.New(clientv3.Config{Endpoints: serve, TLS: config, Logger: zap.NewNop()})
	if err != nil {
		return err
	}
	defer client.Close()
	if _, err := client.Get(ctx, claims, clientv3.WithPrefix(), clientv3.WithCountOnly()); err != nil {
		return fmt.Errorf("etcd at %s: %w", strings.Join(serve, ", "), barred(err))
	}
	return nil
}

// reach asks each member for its status, and returns the usable ones, with the version of the
// first. If none is usable, the error contains the reason for each.
func (c Remote) reach(ctx context.Context) (serve []string, config *tls.Config, says string, err error) {
	secure, err := c.secure()
	if err != nil {
		return nil, nil, "", err
	}
	if secure {
		if config, err = c.tls(); err != nil {
			return nil, nil, "", fmt.Errorf("etcd: certificates: %w", err)
		}
	}
	var problems []error
	for _, endpoint := range c.Endpoints {
		answered, err := ask(ctx, endpoint, config)
		if err != nil && config != nil && cutOff(err) {
			err = cmp.Or(alert(ctx, endpoint, config), err)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("etcd at %s: %w", endpoint, unreached(err)))
			continue
		}
		if err := usable(answered); err != nil { // the answer of one member holds for the cluster
			return nil, nil, "", fmt.Errorf("etcd at %s: %w", endpoint, err)
		}
		says = cmp.Or(says, answered.GetVersion())
		serve = append(serve, endpoint)
	}
	if len(serve) == 0 {
		return nil, nil, "", errors.Join(problems...)
	}
	return serve, config, says, nil
}

// secure reports whether the endpoints use TLS, or returns what is wrong with them.
func (c Remote) secure() (secure bool, err error) {
	if len(c.Endpoints) == 0 {
		return false, errors.New("etcd: no endpoint named; want URLs such as https://127.0.0.1:2379")
	}
	for i, endpoint := range c.Endpoints {
		u, err := url.Parse(endpoint)
		if strings.Contains(endpoint, "@") { // the error must not contain a password
			return false, fmt.Errorf("etcd endpoint %d of %d names a user: skewsim sends no user and password to etcd; use a client certificate, with --etcd-certfile and --etcd-keyfile", i+1, len(c.Endpoints))
		}
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Port() == "" || u.Path != "" || u.RawQuery != "" {
			return false, fmt.Errorf("etcd endpoint %q: want a URL such as https://127.0.0.1:2379", endpoint)
		}
		if is := u.Scheme == "https"; i > 0 && is != secure {
			return false, fmt.Errorf("etcd endpoint %q: some are https and some http: use the same scheme for all members of an etcd", endpoint)
		}
		secure = u.Scheme == "https"
	}
	switch {
	case !secure && (c.CAFile != "" || c.CertFile != "" || c.KeyFile != ""):
		return false, fmt.Errorf("etcd endpoint %q: certificates need https: use https, or omit them", c.Endpoints[0])
	case (c.CertFile == "") != (c.KeyFile == ""):
		return false, errors.New("etcd: a client certificate needs its key: set both --etcd-certfile and --etcd-keyfile")
	}
	return secure, nil
}

// ask returns the status of one member, or the error of its connection.
func ask(ctx context.Context, endpoint string, config *tls.Config) (*pb.StatusResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	creds := insecure.NewCredentials()
	if config != nil {
		creds = credentials.NewTLS(config.Clone())
	}
	_, at, _ := strings.Cut(endpoint, "://")
	conn, err := grpc.NewClient("passthrough:///"+at, grpc.WithTransportCredentials(creds))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return pb.NewMaintenanceClient(conn).Status(ctx, &pb.StatusRequest{})
}

// cutOff reports whether a connection ended without an answer, as far as gRPC saw.
func cutOff(err error) bool {
	text := status.Convert(err).Message()
	return strings.Contains(text, "broken pipe") || strings.Contains(text, "connection reset") || strings.Contains(text, "EOF")
}

// alert returns why a member ends a connection after the client's handshake, or nil if it does
// not say. In TLS 1.3 a server refuses the client's certificate only then, and a client that
// has sent more data may never read the alert, so alert sends nothing.
func alert(ctx context.Context, endpoint string, config *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	_, at, _ := strings.Cut(endpoint, "://")
	config = config.Clone()
	config.NextProtos = []string{"h2"}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", at)
	if err != nil {
		return nil //nolint:nilerr // the handshake's error is reported already
	}
	defer conn.Close()
	if deadline, has := ctx.Deadline(); has {
		_ = conn.SetReadDeadline(deadline) // without a deadline the read ends with the connection
	}
	_, err = conn.Read(make([]byte, 1))
	if told := (*net.OpError)(nil); errors.As(err, &told) && told.Op == "remote error" {
		return err
	}
	return nil
}

// transportSays extracts the cause from gRPC's connection error.
var transportSays = regexp.MustCompile(`(?s)^connection error: desc = "(?:transport: )?(.*)"$`)

// unreached adds advice to the error of a member that was not reached.
func unreached(err error) error {
	text := status.Convert(err).Message()
	if inner := transportSays.FindStringSubmatch(text); inner != nil {
		text = inner[1]
	}
	for _, known := range []struct{ says, wayOut string }{
		{"unknown authority", "name its authority's certificate with --etcd-cafile"},
		{"certificate required", "it asks for a client certificate: name one with --etcd-certfile and --etcd-keyfile"},
		{"bad certificate", "it refuses this client certificate: name another with --etcd-certfile and --etcd-keyfile"},
		{"unknown certificate", "it refuses this client certificate: name another with --etcd-certfile and --etcd-keyfile"},
		{"does not look like a TLS handshake", "it does not use TLS: use http://"},
		{"handshake failed: EOF", "does it use TLS? if not, use http://"},
		{"error reading server preface", "is it an etcd? an etcd with TLS needs https://"},
		{"connection refused", "nothing listens there: is it running, and is that its client port?"},
		{"no such host", "name an existing host"},
		{"Unimplemented", "is it an etcd?"},
	} {
		if strings.Contains(text, known.says) {
			return fmt.Errorf("%w; %s", errors.New(text), known.wayOut)
		}
	}
	if code := status.Code(err); code == codes.DeadlineExceeded {
		return fmt.Errorf("no answer within %s: is it running, and can it be reached from here?", answersWithin)
	}
	return fmt.Errorf("%s; is it an etcd, and can it be reached from here?", text)
}

// usable returns why a member that answers cannot be used, or nil.
func usable(s *pb.StatusResponse) error {
	v, err := version.NewVersion(s.GetVersion())
	if err != nil {
		return fmt.Errorf("it reports version %q, which is not an etcd version", s.GetVersion())
	}
	if v.Core().LessThan(version.Must(version.NewVersion(oldest))) {
		return fmt.Errorf("it is version %s: want %s or later", s.GetVersion(), oldest)
	}
	for _, told := range s.GetErrors() {
		switch {
		case strings.Contains(told, "NOSPACE"):
			return fmt.Errorf("it has raised an alarm (%s), and accepts no writes: free its space (etcdctl defrag), then etcdctl alarm disarm", told)
		case strings.Contains(told, "CORRUPT"):
			return fmt.Errorf("it has raised an alarm (%s): its members hold different data, so nothing that it stores can be judged", told)
		case strings.Contains(told, "no leader"):
			return fmt.Errorf("it has no leader (%s), and accepts no writes: start more of its members", told)
		}
	}
	return nil
}

// barred adds advice to the error of an etcd that refuses access to the run's keys.
func barred(err error) error {
	switch {
	case errors.Is(err, rpctypes.ErrUserEmpty), errors.Is(err, rpctypes.ErrInvalidAuthToken), errors.Is(err, rpctypes.ErrAuthFailed):
		return fmt.Errorf("it requires authentication, which skewsim does only with a client certificate: %w; name with --etcd-certfile and --etcd-keyfile one whose common name is a user that may read and write keys %s", err, keyspace)
	case errors.Is(err, rpctypes.ErrPermissionDenied):
		return fmt.Errorf("%w; let the user read and write keys %s (etcdctl role grant-permission ROLE readwrite /skewsim- /skewsim.)", err, keyspace)
	case errors.Is(err, context.DeadlineExceeded):
		// Not %w: it is not the caller's deadline.
		return fmt.Errorf("no answer within %s: %v; does it have a leader?", answersWithin, err)
	case errors.Is(err, rpctypes.ErrNoSpace):
		return fmt.Errorf("%w; free its space (etcdctl defrag), then etcdctl alarm disarm", err)
	}
	return err
}
