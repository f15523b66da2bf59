package crd

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd/definition"
)

const (
	// maxStall is how long an installation may go on without progress: an answer to a write, a change of
	// a definition's status, or one of what the server publishes.
	maxStall = 5 * time.Minute
	// maxLate is how many writes of one definition a server may end itself because they took too long.
	maxLate = 10
	// answerBytes bounds a response.
	answerBytes = 64 << 20
	// firstPause and longestPause are the pauses between two requests.
	firstPause, longestPause = 50 * time.Millisecond, time.Second
	// definitions is the path of the definitions.
	definitions     = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
	definitionKind  = "CustomResourceDefinition"
	definitionGroup = "apiextensions.k8s.io"
	// Manager is the field manager that applies.
	Manager = "skewsim-installs"
	// inShort asks for the metadata of an object: a definition may have megabytes.
	inShort = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
)

// errStalled is why an installation is given up.
var errStalled = fmt.Errorf("the server made no progress for %s", maxStall)

// errEnded is why an installation ends with its server.
var errEnded = errors.New("the server ended")

// installer installs objects on one server.
type installer struct {
	endpoint servers.Endpoint
	http     *http.Client // without a timeout: what a server still works on is not asked for again
	ended    <-chan struct{}
	progress *progress
	documents
}

// install applies the objects that the store does not have yet, in order, then waits until all are
// served. If the server refuses an object, an existing object of that name stays; if none exists, the
// run could not proceed, and install returns an error. Of servers that take turns, one applies an
// object at a time, and the next one finds it in the store if both have the same.
func install(ctx context.Context, p servers.Process, i *servers.Installation, hook *webhook, at turns) ([]servers.Installed, error) {
	to := newInstaller(p)
	defer to.http.CloseIdleConnections()
	return to.install(ctx, i, hook, at)
}

func (to *installer) install(ctx context.Context, i *servers.Installation, hook *webhook, at turns) (all []servers.Installed, err error) {
	ctx, to.progress = watchProgress(ctx, maxStall, errStalled)
	defer to.progress.end()
	written := map[string]int64{} // revisions, by name
	for n, object := range i.Objects {
		if hook != nil {
			if object, err = hook.fill(object); err != nil {
				return nil, err
			}
		}
		told, revision, err := to.applyInTurn(ctx, i.Defines[n], object, at)
		if err != nil {
			return nil, err
		}
		told.Versions, told.Webhook = versionsIn(object)
		all, written[told.Name] = append(all, told), revision
	}
	found, err := to.awaitEstablished(ctx, written)
	if err != nil {
		return nil, err
	}
	for n := range all {
		all[n].Stored = found[all[n].Name].Status.StoredVersions
	}
	return all, to.awaitServed(ctx, found)
}

// versionsIn returns the versions of a definition, and whether a webhook converts between them.
func versionsIn(definition []byte) (all []string, webhook bool) {
	var d apiextensionsv1.CustomResourceDefinition
	if json.Unmarshal(definition, &d) != nil {
		return nil, false
	}
	for _, v := range d.Spec.Versions {
		all = append(all, v.Name)
	}
	return all, d.Spec.Conversion != nil && d.Spec.Conversion.Strategy == apiextensionsv1.WebhookConverter
}

func newInstaller(p servers.Process) *installer {
	to := newInstallerAt(p.Endpoint())
	to.ended = p.Done()
	return to
}

// newInstallerAt returns one that does not see the end of its server.
func newInstallerAt(e servers.Endpoint) *installer {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.CAData)
	return &installer{endpoint: e, http: &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}},
	}}
}

// applyInTurn applies one object when it is the server's turn.
func (to *installer) applyInTurn(ctx context.Context, name string, object []byte, at turns) (servers.Installed, int64, error) {
	to.progress.suspend() // another server has its own limit
	done, err := at.take(ctx, to.ended, name)
	to.progress.advance()
	if err != nil {
		return servers.Installed{}, 0, err
	}
	defer done()
	return to.apply(ctx, name, object)
}

// apply applies one object unless the store has it, and returns the revision of what is stored then. A
// server that does not answer, or answers 5xx, may not have access to its store yet. A write that it
// ended itself because it took too long is sent again if it had no effect.
func (to *installer) apply(ctx context.Context, name string, object []byte) (servers.Installed, int64, error) {
	late := 0
	for wait := firstPause; ; wait = longer(wait) {
		code, body, err := to.ask(ctx, http.MethodGet, definitions+name, nil, "application/json")
		if err == nil && code == http.StatusOK && isStored(object, body) {
			to.progress.advance()
			return servers.Installed{Kind: definitionKind, Name: name, Code: code}, revisionOf(body), nil
		}
		if err == nil && (code == http.StatusOK || code == http.StatusNotFound) {
			code, body, err = to.ask(ctx, http.MethodPatch, definitions+name+"?force=true&fieldManager="+Manager, object, inShort)
			switch {
			case err == nil && code < 300:
				to.progress.advance()
				return servers.Installed{Kind: definitionKind, Name: name, Code: code}, revisionOf(body), nil
			case err == nil && code < 500 && code != http.StatusConflict && code != http.StatusTooManyRequests:
				return to.refused(ctx, name, object, code, body)
			case err == nil && code == http.StatusGatewayTimeout && late < maxLate:
				late++
				to.progress.advance()
			}
		}
		if err := to.pause(ctx, wait, fmt.Sprintf("apply %s", name), code, body, err); err != nil {
			return servers.Installed{}, 0, err
		}
	}
}

// refused returns the outcome of an object that the server refuses. The run can proceed with
// the existing object if it is served at the same path; otherwise no answer would be
// meaningful.
func (to *installer) refused(ctx context.Context, name string, object []byte, code int, body []byte) (servers.Installed, int64, error) {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil || status.Message == "" {
		status.Message = string(body)
	}
	there, current, err := to.ask(ctx, http.MethodGet, definitions+name, nil, "application/json")
	if err != nil || there != http.StatusOK || !samePlace(object, current) {
		return servers.Installed{}, 0, &servers.RequestError{Err: fmt.Errorf("the server refuses the manifest of %s: %d: %s", name, code, status.Message)}
	}
	return servers.Installed{Kind: definitionKind, Name: name, Code: code, Message: status.Message}, revisionOf(current), nil
}

// isStored reports whether a stored definition is what a manifest asks for, so that applying the manifest
// would change nothing.
func isStored(manifest, stored []byte) bool {
	asked, errAsked := definition.Read(manifest)
	is, errIs := definition.Read(stored)
	return errAsked == nil && errIs == nil && is.DeletionTimestamp == nil && knowsAll(manifest) &&
		maps.Equal(asked.Labels, is.Labels) && maps.Equal(asked.Annotations, is.Annotations) && equality.Semantic.DeepEqual(asked.Spec, is.Spec)
}

// knowsAll reports whether a definition has no field that its type lacks, which a server may refuse.
func knowsAll(definition []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(definition))
	decoder.DisallowUnknownFields()
	return decoder.Decode(&apiextensionsv1.CustomResourceDefinition{}) == nil
}

// revisionOf returns the resource version of an object; 0 if it is unknown.
func revisionOf(object []byte) int64 {
	var of metav1.PartialObjectMetadata
	if json.Unmarshal(object, &of) != nil {
		return 0
	}
	return revision(of.ResourceVersion)
}

func revision(resourceVersion string) int64 {
	n, err := strconv.ParseInt(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// samePlace reports whether two definitions are served at the same path.
func samePlace(a, b []byte) bool {
	var one, other apiextensionsv1.CustomResourceDefinition
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &other) != nil {
		return false
	}
	return one.Spec.Scope == other.Spec.Scope && one.Spec.Names.Plural == other.Spec.Names.Plural && one.Spec.Names.Kind == other.Spec.Names.Kind
}

// pause waits before the next request, or returns why there is no next one.
func (to *installer) pause(ctx context.Context, wait time.Duration, what string, code int, body []byte, last error) error {
	select {
	case <-to.ended:
		return fmt.Errorf("%s: %w", what, errEnded)
	case <-ctx.Done():
		switch {
		case errors.Is(last, context.Canceled): // a consequence
			last = nil
		case last == nil && code != 0:
			last = fmt.Errorf("answered %d: %.300s", code, body)
		}
		return errors.Join(fmt.Errorf("%s: %w", what, context.Cause(ctx)), last)
	case <-time.After(wait):
		return nil
	}
}

// longer returns the pause after a pause.
func longer(pause time.Duration) time.Duration { return min(pause*3/2, longestPause) }

// ask sends a request, and waits for its answer as long as the server makes progress.
func (to *installer) ask(ctx context.Context, method, path string, body []byte, accept string) (code int, answer []byte, err error) {
	response, err := to.send(ctx, method, path, body, accept)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, answerBytes))
	return response.StatusCode, answer, err
}

func (to *installer) send(ctx context.Context, method, path string, body []byte, accept string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, to.endpoint.URL+path, bytes.NewReader(term.JSONForYAML(body)))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+to.endpoint.Token)
	request.Header.Set("Accept", accept)
	if body != nil {
		request.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	return to.http.Do(request)
}
