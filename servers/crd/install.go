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
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers"
)

const (
	// installWithin bounds applying one object and waiting until it is served.
	installWithin = time.Minute
	// askWithin bounds one request, answerBytes its response.
	askWithin   = 10 * time.Second
	answerBytes = 64 << 20
	// againAfter is the pause between two requests.
	againAfter = 50 * time.Millisecond
	// awaitMost is how many definitions are waited for in parallel.
	awaitMost = 8
	// definitions is the path of the definitions.
	definitions    = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
	definitionKind = "CustomResourceDefinition"
	// Manager is the field manager that applies.
	Manager = "skewsim-installs"
)

// installer installs objects on one server.
type installer struct {
	endpoint servers.Endpoint
	http     *http.Client
	ended    <-chan struct{}
	documents
}

// install applies the objects in order, then waits until all are served. If the server refuses
// an object, an existing object of that name stays; if none exists, the run could not proceed,
// and install returns an error.
func install(ctx context.Context, p servers.Process, i *servers.Installation, hook *webhook) (all []servers.Installed, err error) {
	to := newInstaller(p)
	defer to.http.CloseIdleConnections()
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(len(i.Objects))*installWithin, errors.New("the manifests were not served in time"))
	defer cancel()
	for n, object := range i.Objects {
		if hook != nil {
			if object, err = hook.fill(object); err != nil {
				return nil, err
			}
		}
		told, err := to.apply(ctx, i.Defines[n], object)
		if err != nil {
			return nil, err
		}
		told.Versions = versionsIn(object)
		all = append(all, told)
	}
	group, bounded := errgroup.WithContext(ctx)
	group.SetLimit(awaitMost)
	for n := range all {
		group.Go(func() (err error) {
			all[n].Stored, err = to.await(bounded, all[n].Name)
			return err
		})
	}
	return all, group.Wait()
}

// versionsIn returns the versions of a definition.
func versionsIn(definition []byte) (all []string) {
	var d apiextensionsv1.CustomResourceDefinition
	if json.Unmarshal(definition, &d) == nil {
		for _, v := range d.Spec.Versions {
			all = append(all, v.Name)
		}
	}
	return all
}

func newInstaller(p servers.Process) *installer {
	e := p.Endpoint()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.CAData)
	return &installer{endpoint: e, ended: p.Done(), http: &http.Client{
		Timeout:   askWithin,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}},
	}}
}

// apply applies one object. It retries while the server does not answer or answers 5xx, because
// the server may not have access to its store yet.
func (to *installer) apply(ctx context.Context, name string, object []byte) (servers.Installed, error) {
	for {
		code, body, err := to.ask(ctx, http.MethodPatch, definitions+name+"?force=true&fieldManager="+Manager, object)
		switch {
		case err == nil && code < 300:
			return servers.Installed{Kind: definitionKind, Name: name, Code: code}, nil
		case err == nil && code < 500 && code != http.StatusConflict && code != http.StatusTooManyRequests:
			return to.refused(ctx, name, object, code, body)
		}
		if err := to.pause(ctx, fmt.Sprintf("apply %s", name), code, body, err); err != nil {
			return servers.Installed{}, err
		}
	}
}

// refused returns the outcome of an object that the server refuses. The run can proceed with
// the existing object if it is served at the same path; otherwise no answer would be
// meaningful.
func (to *installer) refused(ctx context.Context, name string, object []byte, code int, body []byte) (servers.Installed, error) {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil || status.Message == "" {
		status.Message = string(body)
	}
	there, current, err := to.ask(ctx, http.MethodGet, definitions+name, nil)
	if err != nil || there != http.StatusOK || !samePlace(object, current) {
		return servers.Installed{}, &servers.RequestError{Err: fmt.Errorf("the server refuses the manifest of %s: %d: %s", name, code, status.Message)}
	}
	return servers.Installed{Kind: definitionKind, Name: name, Code: code, Message: status.Message}, nil
}

// samePlace reports whether two definitions are served at the same path.
func samePlace(a, b []byte) bool {
	var one, other apiextensionsv1.CustomResourceDefinition
	if json.Unmarshal(a, &one) != nil || json.Unmarshal(b, &other) != nil {
		return false
	}
	return one.Spec.Scope == other.Spec.Scope && one.Spec.Names.Plural == other.Spec.Names.Plural && one.Spec.Names.Kind == other.Spec.Names.Kind
}

// await waits until a definition is established, and served in its current form.
func (to *installer) await(ctx context.Context, name string) (stored []string, err error) {
	var last published
	for {
		var d apiextensionsv1.CustomResourceDefinition
		code, body, err := to.ask(ctx, http.MethodGet, definitions+name, nil)
		known := err == nil && code == http.StatusOK && json.Unmarshal(body, &d) == nil
		if why := conflict(d); known && why != "" {
			return nil, &servers.RequestError{Err: fmt.Errorf("the server does not serve what the manifest of %s defines: %s", name, why)}
		}
		if known && established(d) {
			served, err := to.serves(ctx, d, &last)
			if err != nil {
				return nil, err
			}
			if served {
				return d.Status.StoredVersions, nil
			}
		}
		if err := to.pause(ctx, fmt.Sprintf("wait for %s", name), code, nil, err); err != nil {
			return nil, err
		}
	}
}

// conflict returns the server's message if a definition's names are not accepted.
func conflict(d apiextensionsv1.CustomResourceDefinition) string {
	for _, c := range d.Status.Conditions {
		if c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse {
			return c.Reason + ": " + c.Message
		}
	}
	return ""
}

func established(d apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range d.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}

// pause waits before the next request, or returns why there is no next one.
func (to *installer) pause(ctx context.Context, what string, code int, body []byte, last error) error {
	select {
	case <-to.ended:
		return fmt.Errorf("%s: the server ended", what)
	case <-ctx.Done():
		if last == nil && code != 0 {
			last = fmt.Errorf("answered %d: %.300s", code, body)
		}
		return errors.Join(fmt.Errorf("%s: %w", what, context.Cause(ctx)), last)
	case <-time.After(againAfter):
		return nil
	}
}

func (to *installer) ask(ctx context.Context, method, path string, body []byte) (code int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, to.endpoint.URL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+to.endpoint.Token)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	response, err := to.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(response.Body, answerBytes))
	return response.StatusCode, answer, err
}
