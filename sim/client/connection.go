package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// answerWithin bounds one request. A LIST over an undecodable object can take
// long to be refused, but not longer than a watch cache waits.
const answerWithin = 70 * time.Second

// Endpoint is how a replica is reached.
type Endpoint struct {
	URL    string
	CAData []byte
	Token  string
}

// Connection talks to one replica.
type Connection struct {
	rest *rest.RESTClient
}

// Connect prepares a connection; nothing is sent yet. There is no rate limit
// of the client's own: the server's answers are what is looked for.
func Connect(e Endpoint) (*Connection, error) {
	config := &rest.Config{
		Host:            e.URL,
		BearerToken:     e.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: e.CAData},
		Timeout:         answerWithin,
		QPS:             -1,
		WarningHandler:  rest.NoWarnings{},
		ContentConfig: rest.ContentConfig{
			NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
			ContentType:          "application/json",
		},
	}
	c, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", e.URL, err)
	}
	return &Connection{rest: c}, nil
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
	req := c.rest.Verb(r.Method).AbsPath(r.Path).MaxRetries(0)
	for key, v := range r.Query {
		req = req.Param(key, v)
	}
	if len(r.Body) > 0 {
		req = req.Body(r.Body).SetHeader("Content-Type", r.ContentType)
	}
	req = req.SetHeader("Accept", "application/json")
	if r.UserAgent != "" {
		req = req.SetHeader("User-Agent", r.UserAgent)
	}
	began := time.Now()
	res := req.Do(ctx)
	return answer(res, time.Since(began))
}

func answer(res rest.Result, took time.Duration) Answer {
	a := Answer{Took: took}
	res.StatusCode(&a.Code)
	body, err := res.Raw()
	a.Body = body
	for _, w := range res.Warnings() {
		a.Warnings = append(a.Warnings, w.Text)
	}
	a.Status = statusIn(body)
	if a.Code == 0 {
		a.Err = err // no answer: any other error is what the code and the body say
	}
	return a
}

// statusIn reads a body that is a Status, nil when it is anything else. The
// library's own error would replace the server's words by a general phrase.
func statusIn(body []byte) *metav1.Status {
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil || status.Kind != "Status" {
		return nil
	}
	return &status
}

// Succeeded tells whether the answer is a 2xx.
func (a Answer) Succeeded() bool {
	return a.Err == nil && a.Code >= http.StatusOK && a.Code < http.StatusMultipleChoices
}
