package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// MirrorVariable is the environment variable that names the base address of release binaries. Off
// disables downloads, and an empty value means DefaultMirror.
const (
	MirrorVariable = "SKEWSIM_MIRROR"
	// DefaultMirror is the address in Kubernetes' documentation, "Download Kubernetes".
	DefaultMirror = "https://dl.k8s.io"
)

// Program is an executable of a release of Kubernetes.
type Program struct {
	Name     string // kube-apiserver
	Version  string // v1.36.3
	OS, Arch string // linux, amd64
}

// Mirror is a server of release binaries: BASE/release/VERSION/bin/OS/ARCH/NAME, and the
// checksum of each beside it.
type Mirror struct {
	base   *url.URL
	client *http.Client
	// answerWithin bounds how long a checksum may take. Without the network a download is given
	// up after that.
	answerWithin time.Duration
	// stalled bounds how long a download may be without a byte.
	stalled time.Duration

	mutex       sync.Mutex
	unreachable error // found out once
}

// UnreachableError reports that nothing could be asked of a mirror.
type UnreachableError struct {
	// Known reports that an earlier call returned the same error.
	Known bool
	Err   error
}

// Error returns the message of the first failure.
func (e *UnreachableError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *UnreachableError) Unwrap() error { return e.Err }

// mirrors keeps one Mirror for each address, so that a process waits once for a network that is
// not there.
var mirrors sync.Map

// MirrorFromEnvironment returns the mirror that MirrorVariable names; nil if it is Off. All callers of a
// process share the mirror of an address.
func MirrorFromEnvironment() (*Mirror, error) {
	base := cmp.Or(os.Getenv(MirrorVariable), DefaultMirror)
	if base == Off {
		return nil, nil
	}
	if m, known := mirrors.Load(base); known {
		return m.(*Mirror), nil
	}
	m, err := NewMirror(base)
	if err != nil {
		return nil, fmt.Errorf("$%s: %w", MirrorVariable, err)
	}
	kept, _ := mirrors.LoadOrStore(base, m)
	return kept.(*Mirror), nil
}

// NewMirror returns the mirror at a base address, http or https.
func NewMirror(base string) (*Mirror, error) {
	u, err := url.Parse(strings.TrimRight(base, "/"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, fmt.Errorf("%q: want an address such as %s, or %s", base, DefaultMirror, Off)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	const connectWithin = 2 * time.Second
	transport.DialContext = (&net.Dialer{Timeout: connectWithin}).DialContext
	transport.TLSHandshakeTimeout = connectWithin
	return &Mirror{
		base: u, answerWithin: 2 * time.Second, stalled: 30 * time.Second,
		client: &http.Client{Transport: transport, CheckRedirect: sameScheme},
	}, nil
}

// errRedirect is wrapped by the errors of redirects that are not followed: the server was reached.
var errRedirect = errors.New("redirect refused")

// sameScheme refuses redirects that leave the scheme of the first request: https must not become
// http.
func sameScheme(next *http.Request, via []*http.Request) error {
	const maxRedirects = 5
	switch {
	case len(via) >= maxRedirects:
		return fmt.Errorf("%w: more than %d in a row", errRedirect, maxRedirects)
	case next.URL.Scheme != via[0].URL.Scheme:
		return fmt.Errorf("%w to %s: it leaves %s", errRedirect, next.URL.Redacted(), via[0].URL.Scheme)
	}
	return nil
}

// address returns where a program is published.
func (m *Mirror) address(p Program) string {
	return m.base.JoinPath("release", p.Version, "bin", p.OS, p.Arch, p.Name).String()
}

// known returns the error of an earlier call that could ask nothing.
func (m *Mirror) known() error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.unreachable == nil {
		return nil
	}
	return &UnreachableError{Known: true, Err: m.unreachable}
}

// fail remembers an error that no later call can avoid: the server could not be reached.
func (m *Mirror) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if failed := (*url.Error)(nil); !errors.As(err, &failed) || errors.Is(err, errRedirect) {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.unreachable = fmt.Errorf("%s cannot be reached: %w", m.base.Redacted(), err)
	return &UnreachableError{Err: m.unreachable}
}
