package apiserver

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/skewsim/skewsim/servers/frobber/api"
)

const (
	// readyPoll is the pause between a starting server's checks of its own readiness.
	readyPoll = 5 * time.Millisecond
	// cacheWithin is how long the watch cache may take after the store answers, before the
	// server looks for a reason.
	cacheWithin = 300 * time.Millisecond
)

// await keeps the server unready until its watch cache is filled, so that no first watch is
// refused. If an object cannot be decoded, the cache never fills; like kube-apiserver, the
// server then serves the other objects.
func (s *store) await(hook genericapiserver.PostStartHookContext) error {
	until(hook, s.reached)
	filled := func(context.Context) bool { return s.ReadinessCheck() == nil }
	ctx, cancel := context.WithTimeout(hook, cacheWithin)
	defer cancel()
	until(ctx, filled)
	until(hook, func(ctx context.Context) bool { return filled(ctx) || s.undecodable(ctx) })
	return nil
}

// undecodable reports whether a LIST of the store, page by page and without the watch cache,
// finds an object that cannot be decoded.
func (s *store) undecodable(ctx context.Context) bool {
	options := &metainternalversion.ListOptions{Limit: 500}
	for {
		list, err := s.Store.ListPredicate(ctx, matches(labels.Everything(), fields.Everything()), options)
		if err != nil {
			return !apierrors.IsTooManyRequests(err) && ctx.Err() == nil
		}
		if options.Continue = list.(*api.List).Continue; options.Continue == "" {
			return false
		}
	}
}

// reached reports whether the store answers. It asks for a key that cannot exist: object names
// have no upper-case letters.
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
