package aggregated

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers"
)

const (
	// askWithin bounds one request, answerBytes its response.
	askWithin   = 30 * time.Second
	answerBytes = 16 << 20
)

// caller sends requests to one server, as the run's own user.
type caller struct {
	endpoint servers.Endpoint
	http     *http.Client
}

// newCaller returns a caller that uses HTTP/1.1: a server that shuts down waits a second longer
// for HTTP/2 connections, even idle ones.
func newCaller(e servers.Endpoint) *caller {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.CAData)
	return &caller{endpoint: e, http: &http.Client{Timeout: askWithin, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{},
	}}}
}

func (c *caller) close() { c.http.CloseIdleConnections() }

// answerError is a response that is not a success.
type answerError struct {
	what    string // GET /apis
	code    int
	message string
}

// Error returns the request, the status code and the server's message.
func (e *answerError) Error() string { return fmt.Sprintf("%s: %d: %s", e.what, e.code, e.message) }

// get decodes a JSON response.
func (c *caller) get(ctx context.Context, path string, into any) error {
	return c.do(ctx, http.MethodGet, path, nil, into)
}

// create creates an object. An object that exists already is not an error.
func (c *caller) create(ctx context.Context, path string, object any) error {
	raw, err := json.Marshal(object)
	if err != nil {
		return err
	}
	err = c.do(ctx, http.MethodPost, path, raw, &struct{}{})
	if answer, is := err.(*answerError); is && answer.code == http.StatusConflict {
		return nil
	}
	return err
}

func (c *caller) do(ctx context.Context, method, path string, body []byte, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.endpoint.Token)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerBytes))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case response.StatusCode >= 300:
		return &answerError{method + " " + path, response.StatusCode, said(answer)}
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// said returns the message of a response: that of a Status, or else the beginning of the body.
func said(answer []byte) string {
	const enough = 200
	var status metav1.Status
	_ = json.Unmarshal(answer, &status) // anything else has no message
	return cmp.Or(status.Message, string(bytes.ToValidUTF8(answer[:min(len(answer), enough)], nil)))
}
