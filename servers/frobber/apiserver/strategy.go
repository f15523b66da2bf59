package apiserver

import (
	"context"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// strategy implements creates, updates and deletes of the kind: the behaviour of all kinds with
// a status, and the release's rules.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	release *release.Release
	on      release.Gates
}

var (
	_ rest.RESTCreateStrategy              = strategy{}
	_ rest.RESTUpdateStrategy              = strategy{}
	_ rest.ResetFieldsStrategy             = strategy{}
	_ rest.GarbageCollectionDeleteStrategy = strategy{}
)

func (strategy) NamespaceScoped() bool                         { return true }
func (strategy) AllowCreateOnUpdate(context.Context) bool      { return false }
func (strategy) AllowUnconditionalUpdate(context.Context) bool { return true }
func (strategy) Canonicalize(runtime.Object)                   {}
func (strategy) DefaultGarbageCollectionPolicy(context.Context) rest.GarbageCollectionPolicy {
	return rest.DeleteDependents
}

// GetResetFields returns the fields that a write of the object itself cannot set, so that such
// a write does not own them.
func (s strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.resetFields(fieldpath.MakePathOrDie("status"))
}

func (s strategy) resetFields(paths ...fieldpath.Path) map[fieldpath.APIVersion]*fieldpath.Set {
	all := map[fieldpath.APIVersion]*fieldpath.Set{}
	for _, v := range s.release.Versions {
		all[fieldpath.APIVersion(groupVersion(v.Name).String())] = fieldpath.NewSet(paths...)
	}
	return all
}

func (s strategy) PrepareForCreate(_ context.Context, o runtime.Object) {
	created := o.(*api.Frobber)
	created.Status = api.Status{}
	created.Generation = 1
	for _, rule := range s.release.Rules {
		if rule.PrepareForCreate != nil {
			rule.PrepareForCreate(s.on, created)
		}
	}
}

func (s strategy) PrepareForUpdate(_ context.Context, o, was runtime.Object) {
	updated, old := o.(*api.Frobber), was.(*api.Frobber)
	updated.Status = old.Status
	for _, rule := range s.release.Rules {
		if rule.PrepareForUpdate != nil {
			rule.PrepareForUpdate(s.on, updated, old)
		}
	}
	updated.Generation = old.Generation
	if !apiequality.Semantic.DeepEqual(updated.Spec, old.Spec) {
		updated.Generation++
	}
}

func (s strategy) Validate(_ context.Context, o runtime.Object) field.ErrorList {
	f := o.(*api.Frobber)
	all := validation.ValidateObjectMeta(&f.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	all = append(all, s.validate(f)...)
	for _, rule := range s.release.Rules {
		if rule.ValidateCreate != nil {
			all = append(all, rule.ValidateCreate(s.on, f)...)
		}
	}
	return all
}

func (s strategy) validate(f *api.Frobber) (all field.ErrorList) {
	for _, rule := range s.release.Rules {
		if rule.Validate != nil {
			all = append(all, rule.Validate(s.on, f)...)
		}
	}
	return all
}

// ValidateUpdate leaves the metadata to the library, which validates it for all kinds.
func (s strategy) ValidateUpdate(_ context.Context, o, was runtime.Object) field.ErrorList {
	updated, old := o.(*api.Frobber), was.(*api.Frobber)
	all := s.validate(updated)
	for _, rule := range s.release.Rules {
		if rule.ValidateUpdate != nil {
			all = append(all, rule.ValidateUpdate(s.on, updated, old)...)
		}
	}
	return all
}

func (s strategy) WarningsOnCreate(_ context.Context, o runtime.Object) []string {
	return s.warnings(o.(*api.Frobber))
}

func (s strategy) WarningsOnUpdate(_ context.Context, o, _ runtime.Object) []string {
	return s.warnings(o.(*api.Frobber))
}

func (s strategy) warnings(f *api.Frobber) (all []string) {
	for _, rule := range s.release.Rules {
		if rule.Warn != nil {
			all = append(all, rule.Warn(s.on, f)...)
		}
	}
	return all
}

// statusStrategy is the strategy for writes of the status.
type statusStrategy struct{ strategy }

// GetResetFields returns all fields except the status.
func (s statusStrategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.resetFields(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
}

func (s statusStrategy) PrepareForUpdate(_ context.Context, o, was runtime.Object) {
	updated, old := o.(*api.Frobber), was.(*api.Frobber)
	updated.Spec = old.Spec
	sent := updated.Annotations
	metav1.ResetObjectMetaForStatus(&updated.ObjectMeta, &old.ObjectMeta)
	if s.release.StatusSetsAnnotations {
		updated.Annotations = sent
	}
}

// ValidateUpdate leaves the metadata to the library.
func (s statusStrategy) ValidateUpdate(_ context.Context, o, was runtime.Object) (all field.ErrorList) {
	updated, old := o.(*api.Frobber), was.(*api.Frobber)
	for _, rule := range s.release.Rules {
		if rule.ValidateStatusUpdate != nil {
			all = append(all, rule.ValidateStatusUpdate(s.on, updated, old)...)
		}
	}
	return all
}

func (statusStrategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}
