package main

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// BenchmarkOperations compares what the simulator takes for a stage's requests,
// recorded as they are, with what a bare client takes that sends the same ones,
// as many at once, to servers of the same release. What counts is the speed:
// 1 is a simulator that costs nothing.
func BenchmarkOperations(b *testing.B) {
	// So many that the trials' servers, which start beside the last of them, are
	// a small part of it.
	j := newJourney(b, "operations", 40)
	for b.Loop() {
		_, recorded := j.play(b)
		groups, took := recorded.lastStage()
		bare := repeat(b, j, groups)
		requests := 0
		for _, group := range groups {
			for _, step := range group {
				requests += len(step)
			}
		}
		b.ReportMetric(float64(requests), "requests")
		b.ReportMetric(took*1e3/float64(requests), "ms-per-request")
		b.ReportMetric(bare.Seconds()*1e3/float64(requests), "ms-per-bare-request")
		b.ReportMetric(bare.Seconds()/took, "speed")
	}
}

// asked is one request as it was recorded.
type asked struct {
	replica string
	history.Exchange
	body []byte
}

// lastStage gives the requests of the last stage's operations and LISTs, by what
// goes on at once and by step, and the seconds that they took.
func (j journal) lastStage() (groups [3][][]asked, seconds float64) {
	first := j.plan.Stages[len(j.plan.Stages)-1].Steps[0].Number
	byStep := map[int]int{}
	for _, s := range j.spans {
		if s.step.Number < first || s.step.Action != plan.Operate && s.step.Action != plan.Observe {
			continue
		}
		seconds += s.seconds
		group := groupOf(s.step)
		at, known := byStep[s.step.Number]
		if !known || s.step.Action == plan.Observe {
			at = len(groups[group])
			groups[group] = append(groups[group], nil)
			byStep[s.step.Number] = at
		}
		groups[group][at] = append(groups[group][at], j.asked(s.record))
	}
	return groups, seconds
}

func groupOf(s plan.Step) int {
	switch {
	case s.Action == plan.Observe:
		return 2
	case s.Verb == term.Create:
		return 0
	}
	return 1
}

func (j journal) asked(r history.Record) asked {
	if r.Listing != nil {
		return asked{replica: r.Listing.Replica, Exchange: r.Listing.Exchange}
	}
	x := r.Operation.Exchange
	return asked{r.Operation.Replica, x, unbound(j.blobs[x.Sent])}
}

// unbound takes out of a body what ties it to the object of the recorded run.
func unbound(body []byte) []byte {
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return body
	}
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "resourceVersion")
		delete(metadata, "uid")
	}
	body, _ = json.Marshal(object) // it was JSON before
	return body
}

// repeat sends the requests again, in the simulator's order and number at once.
func repeat(b *testing.B, j benched, groups [3][][]asked) time.Duration {
	b.Helper()
	clients := bareClients(b, j)
	var took time.Duration
	for _, steps := range groups {
		began := time.Now()
		var group errgroup.Group
		group.SetLimit(4) // as package run does
		for _, step := range steps {
			group.Go(func() error { return send(b, clients, step) })
		}
		if err := group.Wait(); err != nil {
			b.Fatal(err)
		}
		took += time.Since(began)
	}
	return took
}

func send(b *testing.B, clients map[string]*rest.RESTClient, step []asked) error {
	for _, a := range step {
		if _, err := bareRequest(clients[a.replica], a.Exchange, a.body).DoRaw(b.Context()); err != nil && a.Code < 300 {
			return err
		}
	}
	return nil
}

// bareRequest is a recorded request with a body.
func bareRequest(client *rest.RESTClient, x history.Exchange, body []byte) *rest.Request {
	request := client.Verb(x.Method).AbsPath(x.Path).SetHeader("Accept", "application/json").MaxRetries(0)
	query, _ := url.ParseQuery(x.Query) // it was sent once
	for name := range query {
		request.Param(name, query.Get(name))
	}
	if len(body) > 0 {
		request.SetHeader("Content-Type", x.ContentType).Body(body)
	}
	return request
}

// bareClients are clients of two servers that are up, on a store of their own.
func bareClients(b *testing.B, j benched) map[string]*rest.RESTClient {
	b.Helper()
	dir := b.TempDir()
	store, err := etcd.Start(b.Context(), etcd.Config{Dir: filepath.Join(dir, "store")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	of, err := newApp().NewRuntime(filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { of.Close() })
	clients := map[string]*rest.RESTClient{}
	for i, replica := range j.plan.Replicas {
		process := j.start(b, of, store, plan.Step{Replica: replica, Role: term.New}, i)
		clients[replica] = bareClient(b, process.Endpoint())
	}
	body := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":` + strconv.Quote(j.plan.Namespace) + `}}`
	if _, err := clients["a"].Post().AbsPath("/api/v1/namespaces").Body([]byte(body)).DoRaw(b.Context()); err != nil {
		b.Fatal(err)
	}
	return clients
}

func bareClient(b *testing.B, e servers.Endpoint) *rest.RESTClient {
	b.Helper()
	c, err := rest.UnversionedRESTClientFor(&rest.Config{
		Host: e.URL, BearerToken: e.Token, TLSClientConfig: rest.TLSClientConfig{CAData: e.CAData}, QPS: -1,
		ContentConfig: rest.ContentConfig{
			ContentType: "application/json", GroupVersion: &schema.GroupVersion{Version: "v1"},
			NegotiatedSerializer: serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion(),
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	return c
}
