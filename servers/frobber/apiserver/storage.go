package apiserver

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// store is the frobbers resource.
type store struct {
	*registry.Store
	observe func(*api.Frobber)
}

var (
	_ rest.ShortNamesProvider = &store{}
	_ rest.CategoriesProvider = &store{}
)

// newStores makes the resource and its status, which are two views of one store.
func newStores(r *release.Release, scheme *runtime.Scheme, on release.Gates, options generic.RESTOptionsGetter) (*store, *statusStore, error) {
	frobbers := &store{observe: observer(r, on)}
	s := strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, release: r, on: on}
	frobbers.Store = &registry.Store{
		NewFunc:                   func() runtime.Object { return &api.Frobber{} },
		NewListFunc:               func() runtime.Object { return &api.List{} },
		PredicateFunc:             matches,
		DefaultQualifiedResource:  schema.GroupResource{Group: api.Group, Resource: api.Resource},
		SingularQualifiedResource: schema.GroupResource{Group: api.Group, Resource: "frobber"},
		CreateStrategy:            s,
		UpdateStrategy:            s,
		DeleteStrategy:            s,
		ResetFieldsStrategy:       s,
		Decorator:                 frobbers.decorate,
		TableConvertor:            table{},
	}
	err := frobbers.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options, AttrFunc: attributesOf})
	if err != nil {
		return nil, nil, err
	}
	view := *frobbers.Store
	view.UpdateStrategy, view.ResetFieldsStrategy = statusStrategy{s}, statusStrategy{s}
	return frobbers, &statusStore{&view}, nil
}

// ShortNames and Categories are what kubectl understands besides the name.
func (*store) ShortNames() []string { return []string{"frob"} }
func (*store) Categories() []string { return []string{"all"} }

// observer is what the release computes, and leaves out, whenever an object is read.
func observer(r *release.Release, on release.Gates) func(*api.Frobber) {
	return func(f *api.Frobber) {
		for _, rule := range r.Rules {
			if rule.Observe != nil {
				rule.Observe(f)
			}
			if rule.Hide != nil {
				rule.Hide(on, f)
			}
		}
	}
}

// decorate observes what leaves the store. Items of a list are shallow copies of
// what the watch cache holds, so a rule may set fields of the status and must
// not write through its pointers.
func (s *store) decorate(o runtime.Object) {
	switch o := o.(type) {
	case *api.Frobber:
		s.observe(o)
	case *api.List:
		for i := range o.Items {
			s.observe(&o.Items[i])
		}
	}
}

// statusStore is the subresource status.
type statusStore struct{ store *registry.Store }

var (
	_ rest.Patcher             = &statusStore{}
	_ rest.ResetFieldsStrategy = &statusStore{}
	_ rest.TableConvertor      = &statusStore{}
)

func (s *statusStore) New() runtime.Object { return &api.Frobber{} }

// Destroy does nothing: the store is the resource's.
func (*statusStore) Destroy() {}

func (s *statusStore) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, options)
}

// Update never creates: a status is that of something.
func (s *statusStore) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (o runtime.Object, created bool, err error) {
	return s.store.Update(ctx, name, info, create, update, false, options)
}

func (s *statusStore) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

func (s *statusStore) ConvertToTable(ctx context.Context, o, options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, o, options)
}

// attributesOf is what selectors can select by.
func attributesOf(o runtime.Object) (labels.Set, fields.Set, error) {
	f, ok := o.(*api.Frobber)
	if !ok {
		return nil, nil, errors.New("not a Frobber")
	}
	return f.Labels, fields.Set{"metadata.name": f.Name, "metadata.namespace": f.Namespace, "spec.param": f.Spec.Param}, nil
}

func matches(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
	return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: attributesOf}
}
