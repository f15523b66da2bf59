package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/discovery"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // what kubeconfig files may name
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/skewsim/skewsim/servers/fault"
)

const (
	// answerWithin bounds one answer: servers give up a LIST after 60 s.
	answerWithin = 70 * time.Second
	// pageWithin bounds one chunk, with the waits that the server asks for.
	pageWithin = 3 * time.Minute
)

// Options say which cluster to read, and what of it.
type Options struct {
	// Kubeconfig is the file; "" means $KUBECONFIG or ~/.kube/config, as for kubectl.
	Kubeconfig string
	// Context is a context in the file; "" means the current one.
	Context string
	// Secrets lists Secrets as well.
	Secrets bool
	// Events lists Events as well, which expire within hours.
	Events bool
}

// Cluster is a connection to a cluster. It is a source of objects.
type Cluster struct {
	options   Options
	discovery *discovery.DiscoveryClient
	host      string
	name      string // for errors and the coverage
	version   string
	sent      *atomic.Int64
	certData  []byte // the client's certificate
}

// Connect reads the kubeconfig file and asks the server for its version.
func Connect(ctx context.Context, o Options) (*Cluster, error) {
	config, context, err := readConfig(o)
	if err != nil {
		return nil, fault.ByUser(err)
	}
	c := &Cluster{options: o, host: config.Host, name: fmt.Sprintf("cluster %s (context %s)", config.Host, context), sent: &atomic.Int64{}}
	if err := c.prepare(config); err != nil {
		return nil, fault.ByUser(fmt.Errorf("connect to %s: %w", c.name, err))
	}
	version, err := c.discovery.ServerVersionWithContext(quiet(ctx))
	switch {
	case err == nil:
		c.version = version.GitVersion
	case apierrors.IsForbidden(err): // read on: only the version stays unknown
	default:
		return nil, c.explained("connect to", err)
	}
	return c, nil
}

// Version returns the gitVersion of the server, such as v1.36.1-eks-abc; "": the server does
// not let the caller read it.
func (c *Cluster) Version() string { return c.version }

// Requests returns how many requests were sent. All of them are GETs.
func (c *Cluster) Requests() int { return int(c.sent.Load()) }

// readConfig returns the connection's parameters and the name of their context.
func readConfig(o Options) (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.Kubeconfig
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: o.Context})
	file := strings.Join(rules.GetLoadingPrecedence(), ", ")
	raw, err := loader.RawConfig()
	if err != nil {
		return nil, "", fmt.Errorf("read kubeconfig %s: %w", file, err)
	}
	context := raw.CurrentContext
	if o.Context != "" {
		context = o.Context
	}
	if raw.Contexts[context] == nil {
		known := strings.Join(slices.Sorted(maps.Keys(raw.Contexts)), ", ")
		if known == "" {
			known = "none"
		}
		return nil, "", fmt.Errorf("read kubeconfig %s: no context %q; contexts: %s", file, context, known)
	}
	config, err := loader.ClientConfig()
	if err != nil {
		return nil, "", fmt.Errorf("read kubeconfig %s, context %s: %w", file, context, err)
	}
	return config, context, nil
}

// prepare makes the client. The guard is the innermost transport, so that nothing gets around
// it, and redirects are not followed: they would take the credentials along.
func (c *Cluster) prepare(config *rest.Config) error {
	config.Timeout, config.QPS, config.WarningHandler = answerWithin, -1, rest.NoWarnings{}
	config.UserAgent = "skewsim (read-only)"
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper { return readOnly{rt, c.sent} })
	if err := rest.LoadTLSFiles(config); err != nil {
		return err
	}
	c.certData = config.CertData
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return errors.New("the server redirects, and redirects are not followed")
	}
	c.discovery, err = discovery.NewDiscoveryClientForConfigAndClient(config, client)
	return err
}
