package apiserver

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
)

const (
	// readyPoll is how often a starting server asks itself whether it is ready.
	readyPoll = 5 * time.Millisecond
	// cacheWithin is how long the watch cache may take once the store answers. It
	// never fills where an object cannot be decoded; kube-apiserver serves the
	// others then, and so does this.
	cacheWithin = 300 * time.Millisecond
)

// await keeps the server unready until its watch cache has what is stored, so
// that no first watch is refused.
func (s *store) await(hook genericapiserver.PostStartHookContext) error {
	until(hook, s.reached)
	ctx, cancel := context.WithTimeout(hook, cacheWithin)
	defer cancel()
	until(ctx, func(context.Context) bool { return s.ReadinessCheck() == nil })
	return nil
}

// reached tells whether the store answers, by asking for what cannot be there:
// no object's name is in upper case.
func (s *store) reached(ctx context.Context) bool {
	_, err := s.Store.Get(genericapirequest.WithNamespace(ctx, metav1.NamespaceDefault), "NONE", &metav1.GetOptions{})
	return apierrors.IsNotFound(err)
}

func until(ctx context.Context, done func(context.Context) bool) {
	poll := time.NewTicker(readyPoll)
	defer poll.Stop()
	for !done(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
		}
	}
}
