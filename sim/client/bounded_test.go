package client

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// within connects to a TLS server of both protocols under the limits given.
func within(t *testing.T, l limits, handler http.HandlerFunc) *Connection {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	c, err := connect(Endpoint{URL: server.URL, CAData: ca}, l)
	require.NoError(t, err)
	return c
}

// small are limits that a test can meet.
func small() limits {
	return limits{within: time.Minute, header: 1 << 16, body: 1 << 16, ordinary: 1 << 10, shared: &budget{whole: 1 << 17}}
}

func do(c *Connection) Answer {
	return c.Do(context.Background(), Request{Method: http.MethodGet, Path: "/x"})
}

// TestAnswersAreBounded: an answer of just the limit is whole; one byte more is
// an error, however much would follow.
func TestAnswersAreBounded(t *testing.T) {
	const limit, longer = 1 << 16, "after 65536 bytes: the answer is longer than 65536 bytes, which no answer of a run has to be: it is read no further"
	for size, want := range map[int]string{0: "", limit - 1: "", limit: "", limit + 1: longer, 1 << 24: longer} {
		a := do(within(t, small(), func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush() // its length is not announced
			_, _ = io.WriteString(w, strings.Repeat("x", size))
		}))
		if want == "" {
			assert.NoError(t, a.Err, size)
			assert.Len(t, a.Body, size)
			continue
		}
		assert.ErrorContains(t, a.Err, want, size)
		assert.Zero(t, a.Code, size)
		assert.Empty(t, a.Body, size)
	}
}

// TestDrip: an answer of which there is always a next byte is bounded as a
// whole, and told as a time-out.
func TestDrip(t *testing.T) {
	t.Parallel()
	l := small()
	l.within = 2 * time.Second // the answer begins in less
	c := within(t, l, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	})
	a := do(c)
	assert.ErrorContains(t, a.Err, "answer 200, after ")
	assert.ErrorIs(t, a.Err, context.DeadlineExceeded)
	assert.True(t, a.TimedOut())
	assert.Zero(t, a.Code)

	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	a = c.Do(ctx, Request{Method: http.MethodGet, Path: "/x"})
	assert.ErrorIs(t, a.Err, context.DeadlineExceeded)
	assert.False(t, a.TimedOut(), "it was the caller who had no more time")
}

// TestHeaderFloodOfHTTP2: a header that goes on is an error; hostile_test.go has
// that of HTTP/1.1.
func TestHeaderFloodOfHTTP2(t *testing.T) {
	a := do(within(t, small(), func(w http.ResponseWriter, _ *http.Request) {
		for i := range 2000 {
			w.Header().Set(fmt.Sprintf("X-Flood-%d", i), strings.Repeat("x", 100))
		}
	}))
	assert.ErrorContains(t, a.Err, "PROTOCOL_ERROR")
	assert.Zero(t, a.Code)
}

// flood connects to a server that sends bytes until it must stop, and reports when it has sent
// that many.
func flood(t *testing.T, l limits, size int) *Connection {
	chunk := make([]byte, 1<<14)
	return within(t, l, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/small" {
			return
		}
		for sent := 0; sent < size && r.Context().Err() == nil; sent += len(chunk) {
			_, _ = w.Write(chunk)
		}
	})
}

// TestSumIsBounded: what answers that are read at once hold together is
// bounded too; and an ordinary one is read beside them.
func TestSumIsBounded(t *testing.T) {
	l := small()
	require.True(t, l.shared.take(l.shared.whole))
	a := do(flood(t, l, 1<<15))
	assert.ErrorContains(t, a.Err, "other answers of 131072 bytes are being read, and more is not kept: this one is given up")
	assert.Zero(t, a.Code)

	a = do(flood(t, l, 0))
	assert.NoError(t, a.Err, "an ordinary answer")
	l.shared.give(l.shared.whole)
	a = do(flood(t, l, 1<<15))
	assert.NoError(t, a.Err, "what was taken is given back")
	assert.Zero(t, l.shared.used.Load())
}

// TestHeap holds the memory that a flood from several servers at once takes:
// what the limits say, twice for the growing, and not what is sent.
func TestHeap(t *testing.T) {
	l := limits{within: time.Minute, header: 1 << 20, body: 8 << 20, ordinary: 1 << 16, shared: &budget{whole: 16 << 20}}
	c := flood(t, l, 1<<40)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // garbage that nobody collects yet is no memory in use
	peak, stop := heapPeak()
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { assert.Error(t, do(c).Err) })
	}
	all.Wait()
	stop()
	assert.Less(t, peak()>>20, uint64(96), "MiB")
	assert.Zero(t, l.shared.used.Load(), "what was taken is given back")
}

// heapPeak watches how much more the heap holds than now.
func heapPeak() (peak func() uint64, stop func()) {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var most uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse-min(before.HeapInuse, now.HeapInuse))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { return most }, func() { close(done); <-ended }
}

// TestUsualLimits: what a run can need passes.
func TestUsualLimits(t *testing.T) {
	l := usual()
	assert.GreaterOrEqual(t, l.ordinary, int64(3<<19), "an object of the largest size that etcd takes")
	assert.GreaterOrEqual(t, l.shared.whole, 4*(l.body-l.ordinary), "as many large answers as there are workers")
}

// TestAllowing: a run of many objects may have long answers; what is usual stays
// allowed, and there is an end to it.
func TestAllowing(t *testing.T) {
	for longest, want := range map[int64]int64{0: 64 << 20, 1 << 20: 64 << 20, 100 << 20: 100 << 20, 1 << 40: longestEver} {
		l := usual()
		l.shared = &budget{whole: 256 << 20}
		l = l.allowing(longest)
		assert.Equal(t, want, l.body)
		assert.GreaterOrEqual(t, l.shared.size(), atOnce*l.body, "as many are read at once")
		assert.True(t, l.shared.take(l.shared.size()))
		assert.False(t, l.shared.take(1))
	}
}
