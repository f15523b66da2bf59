package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// answerWithin bounds one request. A LIST over an undecodable object can take
// long to be refused, but not longer than a watch cache waits.
const answerWithin = 70 * time.Second

// answerLimit bounds one answer's body. etcd holds objects of 1.5 MiB at most,
// and a run's LISTs some thousands of them; a server that goes on past this
// must not take the simulator's memory with it.
const answerLimit = 512 << 20

// Endpoint is how a replica is reached.
type Endpoint struct {
	URL    string
	CAData []byte
	Token  string
}

// Connection talks to one replica.
type Connection struct {
	base string
	http *http.Client
}

// Connect prepares a connection; nothing is sent yet. Identity and TLS are
// client-go's; its request layer is left out, for that retries what a server
// in trouble answers, and keeps neither code nor body of an answer that is no
// JSON.
func Connect(e Endpoint) (*Connection, error) { return connect(e, answerLimit) }

func connect(e Endpoint, limit int64) (*Connection, error) {
	c, err := rest.HTTPClientFor(&rest.Config{
		Host:            e.URL,
		BearerToken:     e.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: e.CAData},
		Timeout:         answerWithin,
		// On loopback, compressing costs both sides more than it saves.
		DisableCompression: true,
		WrapTransport:      func(t http.RoundTripper) http.RoundTripper { return bounded{t, limit} },
	})
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", e.URL, err)
	}
	// A redirect is an answer like any other; to follow it would be a second request.
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Connection{base: e.URL, http: c}, nil
}

// Request is one HTTP request to a replica.
type Request struct {
	Method      string
	Path        string // absolute, such as /api/v1/namespaces/x/pods
	Query       map[string]string
	ContentType string // of Body
	Body        []byte
	UserAgent   string
}

// Answer is what came back. Err is set when there was no HTTP answer at all.
type Answer struct {
	Code     int
	Body     []byte
	Warnings []string
	Status   *metav1.Status // of an answer that is a Status
	Err      error
	Took     time.Duration
}

// Do sends one request, once.
func (c *Connection) Do(ctx context.Context, r Request) Answer {
	req, err := c.request(ctx, r)
	if err != nil {
		return Answer{Err: err}
	}
	began := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{Err: err, Took: time.Since(began)}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		// Half an answer says nothing that can be relied on, its code included.
		return Answer{Err: fmt.Errorf("answer %d: %w", res.StatusCode, err), Took: time.Since(began)}
	}
	a := Answer{Code: res.StatusCode, Body: body, Warnings: warnings(res.Header), Took: time.Since(began)}
	if !a.Succeeded() {
		a.Status = statusIn(body)
	}
	return a
}

func (c *Connection) request(ctx context.Context, r Request) (*http.Request, error) {
	at, err := url.Parse(c.base + r.Path)
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	for key, v := range r.Query {
		query.Set(key, v)
	}
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.Method, at.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if len(r.Body) > 0 {
		req.Header.Set("Content-Type", r.ContentType)
	}
	if r.UserAgent != "" {
		req.Header.Set("User-Agent", r.UserAgent)
	}
	return req, nil
}

// warnings are the texts of an answer's Warning headers.
func warnings(header http.Header) []string {
	parsed, _ := utilnet.ParseWarningHeaders(header["Warning"]) // what cannot be parsed is no warning
	var texts []string
	for _, w := range parsed {
		texts = append(texts, w.Text)
	}
	return texts
}

// statusIn reads a body that is a Status, nil when it is anything else.
func statusIn(body []byte) *metav1.Status {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil || status.Kind != "Status" {
		return nil
	}
	return &status
}

// TimedOut tells that no answer came in time.
func (a Answer) TimedOut() bool {
	var timeout net.Error
	return errors.As(a.Err, &timeout) && timeout.Timeout() && !errors.Is(a.Err, context.DeadlineExceeded) ||
		errors.Is(a.Err, context.DeadlineExceeded) && a.Took >= answerWithin
}

// Succeeded tells whether the answer is a 2xx.
func (a Answer) Succeeded() bool {
	return a.Err == nil && a.Code >= http.StatusOK && a.Code < http.StatusMultipleChoices
}
