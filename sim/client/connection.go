package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	"github.com/skewsim/skewsim/scenarios/term"
)

// answerWithin bounds one request: see usual.
const answerWithin = 70 * time.Second

// Endpoint is how a replica is reached.
type Endpoint struct {
	URL    string
	CAData []byte
	Token  string
	// Longest is how many bytes an answer may have to be. What is usual is
	// allowed whatever it says.
	Longest int64
	// Panicked returns the server's panic during a request that the server broke off. Nil:
	// nobody knows.
	Panicked func(ctx context.Context, auditID string) *Panic
}

// Panic is a panic of a server during a request: its message, and the function and line, if its
// log contains them.
type Panic struct {
	Value    string `json:"value"`
	Function string `json:"function,omitempty"`
	Line     string `json:"line,omitempty"`
}

// Connection talks to one replica.
type Connection struct {
	base   string
	http   *http.Client
	within time.Duration

	panicked func(ctx context.Context, auditID string) *Panic
}

// Connect prepares a connection; nothing is sent yet. Identity and TLS are
// client-go's; its request layer is left out, for that retries what a server
// in trouble answers, and keeps neither code nor body of an answer that is no
// JSON.
func Connect(e Endpoint) (*Connection, error) { return connect(e, usual().allowing(e.Longest)) }

func connect(e Endpoint, l limits) (*Connection, error) {
	config := &rest.Config{Host: e.URL, BearerToken: e.Token, TLSClientConfig: rest.TLSClientConfig{CAData: e.CAData}}
	identity, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", e.URL, err)
	}
	transport := bounded{utilnet.SetTransportDefaults(&http.Transport{
		TLSClientConfig: identity,
		// On loopback, compressing costs both sides more than it saves; and an
		// answer that is never unpacked cannot grow.
		DisableCompression:     true,
		MaxResponseHeaderBytes: l.header,
		MaxIdleConnsPerHost:    25,
	}), l}
	authenticated, err := rest.HTTPWrappersForConfig(config, transport)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", e.URL, err)
	}
	return &Connection{base: e.URL, within: l.within, panicked: e.Panicked, http: &http.Client{
		Transport: authenticated,
		Timeout:   l.within, // until the body's last byte
		// A redirect is an answer like any other; to follow it would be a second request.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Request is one HTTP request to a replica.
type Request struct {
	Method      string
	Path        string // absolute, such as /api/v1/namespaces/x/pods
	Query       map[string]string
	ContentType string // of Body
	Body        []byte
	Accept      string // default JSON
	UserAgent   string
}

// Answer is the answer to a request. Err is set if there was no HTTP answer at all.
type Answer struct {
	Code     int
	Body     []byte
	Warnings []string
	// Mutated are the paths that an admission webhook changed, as JSON pointers.
	Mutated []string
	Status  *metav1.Status // of an answer that is a Status
	Err     error
	Took    time.Duration
	// Panic is the panic of the server that broke off the request; nil: it did not panic.
	Panic *Panic

	late bool // its connection's whole time was over
}

// Do sends one request, once.
func (c *Connection) Do(ctx context.Context, r Request) Answer {
	req, err := c.request(ctx, r)
	if err != nil {
		return Answer{Err: err}
	}
	auditID := identified(req)
	sent.Add(1)
	began := time.Now()
	a := c.exchange(req)
	a.Took = time.Since(began)
	a.late = a.Took >= c.within
	return c.explained(ctx, a, auditID)
}

var sent atomic.Int64

// Sent returns how many requests this process has sent with [Connection.Do]: what a profile shows.
func Sent() int64 { return sent.Load() }

// identified gives a request an audit ID, which identifies it in the server's log.
func identified(req *http.Request) string {
	auditID := rand.Text()
	req.Header.Set("Audit-ID", auditID)
	return auditID
}

// explained adds the server's panic to an answer that a panic broke off.
func (c *Connection) explained(ctx context.Context, a Answer, auditID string) Answer {
	if c.panicked != nil && !a.late && ctx.Err() == nil && a.brokenOff() {
		a.Panic = c.panicked(ctx, auditID)
	}
	return a
}

// brokenOff reports whether a server may have panicked: it ended the stream without an
// answer, or its answer says so.
func (a Answer) brokenOff() bool {
	return a.Err != nil || a.Code == http.StatusInternalServerError && bytes.Contains(a.Body, []byte("caused apiserver to panic"))
}

// buffers hold answers while they are read: most come without their length, and a slice that grows
// until they are whole is allocated five times over.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// large has how long the last large answer to a request was, by the path, and whether it was a page of a LIST. The next one is
// mostly as long, and a slice of tens of megabytes that grows until it is whole takes three times the memory meanwhile.
var large sync.Map

// read returns the whole answer to a request.
func read(req *http.Request, body io.Reader) ([]byte, error) {
	const kept = 1 << 20 // a larger buffer is the answer itself, or it would stay for a few
	at := [2]string{req.URL.Path}
	if strings.Contains(req.URL.RawQuery, "limit=") {
		at[1] = "a page"
	}
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if before, known := large.Load(at); known {
		b.Grow(before.(int) + before.(int)/8 + bytes.MinRead)
	}
	_, err := b.ReadFrom(body)
	if b.Cap() > kept {
		large.Store(at, b.Len())
		if b.Len() > b.Cap()/2 {
			return b.Bytes(), err
		}
		return bytes.Clone(b.Bytes()), err
	}
	whole := bytes.Clone(b.Bytes())
	buffers.Put(b)
	return whole, err
}

func (c *Connection) exchange(req *http.Request) Answer {
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{Err: err}
	}
	defer res.Body.Close()
	body, err := read(req, res.Body)
	if err != nil {
		// Half an answer says nothing that can be relied on, its code included.
		return Answer{Err: fmt.Errorf("answer %d, after %d%s bytes: %w", res.StatusCode, len(body), announced(res), err)}
	}
	a := Answer{Code: res.StatusCode, Body: body}
	a.Warnings, a.Mutated = term.SplitMutations(warnings(res.Header))
	if !a.Succeeded() {
		a.Status = statusIn(body)
	}
	return a
}

// announced returns the announced length of an answer, or "" if its header has none.
func announced(res *http.Response) string {
	if res.ContentLength < 0 {
		return ""
	}
	return fmt.Sprintf(" of %d", res.ContentLength)
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
	body := r.Body
	if r.ContentType == string(types.ApplyPatchType) {
		body = term.JSONForYAML(body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", cmp.Or(r.Accept, JSONContent))
	if len(r.Body) > 0 {
		req.Header.Set("Content-Type", r.ContentType)
	}
	if r.UserAgent != "" {
		req.Header.Set("User-Agent", r.UserAgent)
	}
	return req, nil
}

// maxWarnings is how many warnings of one answer are kept, each up to
// maxWarning bytes: a server may warn for every field of an object, and each
// text is kept again in every report.
const (
	maxWarnings = 100
	maxWarning  = 4 << 10
)

// warnings are the texts of an answer's Warning headers.
func warnings(header http.Header) []string {
	parsed, _ := utilnet.ParseWarningHeaders(header["Warning"]) // what cannot be parsed is no warning
	var texts []string
	for _, w := range parsed[:min(len(parsed), maxWarnings)] {
		texts = append(texts, shortened(w.Text, maxWarning))
	}
	if more := len(parsed) - maxWarnings; more > 0 {
		texts = append(texts, fmt.Sprintf("(skewsim: %d more warnings are left out)", more))
	}
	return texts
}

// maxStatus is how long a Status is read: its message is kept again in every
// report. What is longer is a body like any other.
const maxStatus = 1 << 20

// statusIn reads a body that is a Status, nil when it is anything else.
func statusIn(body []byte) *metav1.Status {
	var status metav1.Status
	if len(body) > maxStatus || json.Unmarshal(body, &status) != nil || status.Kind != "Status" {
		return nil
	}
	return &status
}

// shortened is a text's first bytes, in whole characters.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:most], ""), len(text))
}

// TimedOut reports that no answer came in time.
func (a Answer) TimedOut() bool {
	var timeout net.Error
	return errors.As(a.Err, &timeout) && timeout.Timeout() && !errors.Is(a.Err, context.DeadlineExceeded) ||
		errors.Is(a.Err, context.DeadlineExceeded) && a.late
}

// Text returns what a server says about an answer: the message of its status, the error of
// the connection, or its body.
func (a Answer) Text() string {
	switch {
	case a.Status != nil && a.Status.Message != "":
		return a.Status.Message
	case a.Err != nil:
		return a.Err.Error()
	}
	return string(a.Body)
}

// Succeeded reports whether the answer is a 2xx.
func (a Answer) Succeeded() bool {
	return a.Err == nil && a.Code >= http.StatusOK && a.Code < http.StatusMultipleChoices
}
