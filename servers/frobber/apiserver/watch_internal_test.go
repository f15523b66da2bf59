package apiserver

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/skewsim/skewsim/servers/frobber/api"
)

// TestWatchEnds: whoever stops taking events leaves nothing behind. The bubble
// fails the test when a goroutine in it never ends.
func TestWatchEnds(t *testing.T) {
	for name, end := range map[string]func(w watch.Interface, from *watch.FakeWatcher, cancel func()){
		"stopped":        func(w watch.Interface, _ *watch.FakeWatcher, _ func()) { w.Stop() },
		"stopped twice":  func(w watch.Interface, _ *watch.FakeWatcher, _ func()) { w.Stop(); w.Stop() },
		"cancelled":      func(_ watch.Interface, _ *watch.FakeWatcher, cancel func()) { cancel() },
		"ended by store": func(w watch.Interface, from *watch.FakeWatcher, _ func()) { <-w.ResultChan(); from.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				from := watch.NewFakeWithChanSize(1, false)
				from.Add(&api.Frobber{})
				w := &observedWatch{from: from, stop: cancel, results: make(chan watch.Event)}
				go w.pass(ctx, func(runtime.Object) {})
				synctest.Wait() // an event is pending
				end(w, from, cancel)
				synctest.Wait()
				_, more := <-w.ResultChan()
				assert.False(t, more)
				assert.True(t, from.IsStopped())
			})
		})
	}
}
