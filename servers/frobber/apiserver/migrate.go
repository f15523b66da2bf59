package apiserver

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metainternalversion "k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// migrateAtStart has a release that migrates stored objects do so before the server is
// ready.
func (s *store) migrateAtStart(server *genericapiserver.GenericAPIServer, r *release.Release) error {
	rules := slices.DeleteFunc(slices.Clone(r.Rules), func(rule release.Rule) bool { return rule.Migrate == nil })
	if len(rules) == 0 {
		return nil
	}
	return server.AddPostStartHook("migrate-objects", func(hook genericapiserver.PostStartHookContext) error {
		until(hook, s.reached)
		return s.migrate(hook, func(f *api.Frobber) (changed bool) {
			for _, rule := range rules {
				changed = rule.Migrate(f) || changed
			}
			return changed
		})
	})
}

// migrate applies the change to all stored objects, as updates that replace whatever is
// stored by then. An object that is gone meanwhile needs none.
func (s *store) migrate(ctx context.Context, change func(*api.Frobber) bool) error {
	list, err := s.Store.ListPredicate(ctx, matches(labels.Everything(), fields.Everything()), &metainternalversion.ListOptions{})
	if err != nil {
		return fmt.Errorf("migrate objects: list: %w", err)
	}
	for _, item := range list.(*api.List).Items {
		if !change(item.DeepCopyObject().(*api.Frobber)) {
			continue
		}
		changed := rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, old runtime.Object) (runtime.Object, error) {
			o := old.DeepCopyObject()
			change(o.(*api.Frobber))
			return o, nil
		})
		in := genericapirequest.WithNamespace(ctx, item.Namespace)
		_, _, err := s.Store.Update(in, item.Name, changed, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("migrate objects: update %s/%s: %w", item.Namespace, item.Name, err)
		}
	}
	return nil
}
