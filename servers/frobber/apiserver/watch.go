package apiserver

import (
	"context"

	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Watch observes the events that many watches share, which the library's
// decorator cannot open.
func (s *store) Watch(ctx context.Context, options *metainternalversion.ListOptions) (watch.Interface, error) {
	from, err := s.Store.Watch(ctx, options)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	w := &observedWatch{from: from, stop: stop, results: make(chan watch.Event)}
	go w.pass(ctx, s.decorate)
	return w, nil
}

// observedWatch passes on the events of another watch, until either is stopped.
// watch.Filter would wait for ever with an event that nobody takes any more.
type observedWatch struct {
	from    watch.Interface
	stop    context.CancelFunc
	results chan watch.Event
}

func (w *observedWatch) Stop()                          { w.stop() }
func (w *observedWatch) ResultChan() <-chan watch.Event { return w.results }

func (w *observedWatch) pass(ctx context.Context, observe func(runtime.Object)) {
	defer close(w.results)
	defer w.from.Stop()
	for {
		select {
		case e, more := <-w.from.ResultChan():
			if !more {
				return
			}
			select {
			case w.results <- observed(e, observe):
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// observed gives an event an object of its own where it shares one.
func observed(e watch.Event, observe func(runtime.Object)) watch.Event {
	if shared, ok := e.Object.(runtime.CacheableObject); ok {
		e.Object = shared.GetObject()
		observe(e.Object)
	}
	return e
}
