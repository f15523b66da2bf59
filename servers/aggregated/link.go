package aggregated

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
)

// link is the connection between the two servers of a replica.
type link struct {
	toCore, toServer *way
	kubeconfig       string // a file: how the server reaches its kube-apiserver
	egress, policy   string // files
	front            front
}

// front holds the credentials of a run's aggregators.
type front struct {
	authority *certs.Authority
	pair      certs.Pair
	egress    *tls.Config // of the ways from them to servers
}

// frontName is the client that servers trust to name the user of a request.
const frontName = "aggregator"

// newFront creates the keys of the aggregators.
func newFront(dir string) (front, error) {
	authority, err := certs.New(dir, "skewsim-aggregator")
	if err != nil {
		return front{}, err
	}
	pair, err := authority.Issue(frontName, certs.Client)
	if err != nil {
		return front{}, err
	}
	serving, err := authority.Issue("egress", certs.Server)
	if err != nil {
		return front{}, err
	}
	cert, err := tls.LoadX509KeyPair(serving.CertFile, serving.KeyFile)
	return front{authority: authority, pair: pair, egress: &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert},
		ClientCAs: authority.Pool(), ClientAuth: tls.RequireAndVerifyClientCert,
	}}, err
}

// file returns the file with the authority's certificate; "" if not written yet.
func (f front) file() string {
	if f.authority == nil {
		return ""
	}
	return f.authority.CertFile
}

// flags returns the flags with which a server trusts the aggregators.
func (f front) flags() []string {
	return []string{
		"--requestheader-client-ca-file=" + f.file(),
		"--requestheader-allowed-names=" + frontName,
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
	}
}

// newLink opens the connections between two servers and writes the files that they need to dir.
// at returns the endpoint of a server at a port.
func newLink(dir string, f front, at func(port int) servers.Endpoint) (l *link, err error) {
	if err := certs.MakeDir(dir); err != nil {
		return nil, err
	}
	l = &link{
		front: f, kubeconfig: filepath.Join(dir, "kubeconfig"), egress: filepath.Join(dir, "egress.json"), policy: filepath.Join(dir, "policy.jsonl"),
	}
	if l.toCore, err = newWay(nil); err != nil {
		return nil, err
	}
	if l.toServer, err = newWay(f.egress); err != nil {
		l.toCore.close()
		return nil, err
	}
	for file, content := range map[string]any{
		l.kubeconfig: at(l.toCore.port).Kubeconfig(), l.egress: l.selection(), l.policy: policy(),
	} {
		if err := writeSecret(file, content); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

func (l *link) close() {
	l.toCore.close()
	l.toServer.close()
}

// serverFlags returns the flags with which the server uses its kube-apiserver. The server does
// not look up the authentication configuration, so that both can start at the same time.
func (l *link) serverFlags() []string {
	return append(l.front.flags(),
		"--authentication-kubeconfig="+l.kubeconfig,
		"--authorization-kubeconfig="+l.kubeconfig,
		"--kubeconfig="+l.kubeconfig,
		"--authentication-skip-lookup=true",
	)
}

// coreFlags returns the flags with which the kube-apiserver reaches the server.
func (l *link) coreFlags() []string {
	return append(l.front.flags(),
		"--proxy-client-cert-file="+l.front.pair.CertFile,
		"--proxy-client-key-file="+l.front.pair.KeyFile,
		"--egress-selector-config-file="+l.egress,
		// The server asks the kube-apiserver for authorization, and must hear that an unknown
		// user may do nothing.
		"--authorization-mode=ABAC",
		"--authorization-policy-file="+l.policy,
		"--anonymous-auth=false",
	)
}

// selection sends all requests of a kube-apiserver to Services to the replica's own port.
func (l *link) selection() any {
	return map[string]any{
		"apiVersion": "apiserver.k8s.io/v1beta1", "kind": "EgressSelectorConfiguration",
		"egressSelections": []any{map[string]any{"name": "cluster", "connection": map[string]any{
			"proxyProtocol": "HTTPConnect",
			"transport": map[string]any{"tcp": map[string]any{
				"url": fmt.Sprintf("https://127.0.0.1:%d", l.toServer.port),
				"tlsConfig": map[string]any{
					"caBundle": l.front.file(), "clientCert": l.front.pair.CertFile, "clientKey": l.front.pair.KeyFile,
				},
			}},
		}}},
	}
}

// lines are JSON documents, one per line.
type lines []any

// policy allows the run's own user everything, an aggregator to read what servers publish, and
// other users nothing.
func policy() lines {
	const group = "system:masters"
	line := func(spec map[string]any) any {
		return map[string]any{"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": spec}
	}
	return lines{
		line(map[string]any{"group": group, "namespace": "*", "resource": "*", "apiGroup": "*"}),
		line(map[string]any{"group": group, "nonResourcePath": "*"}),
		line(map[string]any{"user": "system:aggregator", "nonResourcePath": "/openapi/*", "readonly": true}),
	}
}

// writeSecret writes JSON to a file that only the current user can read.
func writeSecret(path string, content any) error {
	documents, several := content.(lines)
	if !several {
		documents = lines{content}
	}
	var text []byte
	for _, d := range documents {
		raw, err := json.Marshal(d)
		if err != nil {
			return err
		}
		text = append(append(text, raw...), '\n')
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return f.Close()
}
