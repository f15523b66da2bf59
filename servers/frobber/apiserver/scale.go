package apiserver

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// scaleStore is the subresource scale: spec.replicas and status.replicas, seen as
// an autoscaling/v1 Scale.
type scaleStore struct {
	store *registry.Store
	paths managedfields.ResourcePathMappings
}

var (
	_ rest.Patcher                  = &scaleStore{}
	_ rest.GroupVersionKindProvider = &scaleStore{}
	_ rest.TableConvertor           = &scaleStore{}
)

// newScaleStore needs to know where each version has its replicas: all of them at
// the same path.
func newScaleStore(r *release.Release, frobbers *store) *scaleStore {
	s := &scaleStore{store: frobbers.Store, paths: managedfields.ResourcePathMappings{}}
	for _, v := range r.Versions {
		s.paths[groupVersion(v.Name).String()] = fieldpath.MakePathOrDie("spec", "replicas")
	}
	return s
}

func (*scaleStore) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

func (*scaleStore) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy does nothing: the store is the resource's.
func (*scaleStore) Destroy() {}

func (s *scaleStore) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	o, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return scaleOf(o.(*api.Frobber)), nil
}

func (s *scaleStore) ConvertToTable(ctx context.Context, o, options runtime.Object) (*metav1.Table, error) {
	return rest.NewDefaultTableConvertor(s.store.DefaultQualifiedResource).ConvertToTable(ctx, o, options)
}

// Update writes the object that the scale is of.
func (s *scaleStore) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (scale runtime.Object, created bool, err error) {
	asScale := func(ctx context.Context, o runtime.Object) error { return create(ctx, scaleOf(o.(*api.Frobber))) }
	asScales := func(ctx context.Context, o, old runtime.Object) error {
		return update(ctx, scaleOf(o.(*api.Frobber)), scaleOf(old.(*api.Frobber)))
	}
	if create == nil {
		asScale = nil
	}
	if update == nil {
		asScales = nil
	}
	o, _, err := s.store.Update(ctx, name, &scaleUpdate{info, s.paths}, asScale, asScales, false, options)
	if err != nil {
		return nil, false, err
	}
	return scaleOf(o.(*api.Frobber)), false, nil
}

func scaleOf(f *api.Frobber) *autoscalingv1.Scale {
	s := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{
			Name: f.Name, Namespace: f.Namespace, UID: f.UID, ResourceVersion: f.ResourceVersion, CreationTimestamp: f.CreationTimestamp,
		},
		Status: autoscalingv1.ScaleStatus{Replicas: f.Status.Replicas},
	}
	if f.Spec.Replicas != nil {
		s.Spec.Replicas = *f.Spec.Replicas
	}
	return s
}

// scaleUpdate makes the update of a scale one of the object.
type scaleUpdate struct {
	rest.UpdatedObjectInfo
	paths managedfields.ResourcePathMappings
}

// UpdatedObject hands the request the old object as a scale, its managed fields
// included, and takes the replicas of what comes back.
func (u *scaleUpdate) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	f := old.DeepCopyObject().(*api.Frobber)
	request, ok := genericapirequest.RequestInfoFrom(ctx)
	if !ok {
		return nil, fmt.Errorf("scale %s: no request information in the context", f.Name)
	}
	fields := managedfields.NewScaleHandler(f.ManagedFields, groupVersion(request.APIVersion), u.paths)
	before := scaleOf(f)
	var err error
	if before.ManagedFields, err = fields.ToSubresource(); err != nil {
		return nil, err
	}
	o, err := u.UpdatedObjectInfo.UpdatedObject(ctx, before)
	if err != nil {
		return nil, err
	}
	scale, ok := o.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("wrong object passed to Scale update: %T", o))
	}
	if err := judgeScale(scale, f); err != nil {
		return nil, err
	}
	f.Spec.Replicas = &scale.Spec.Replicas
	f.ResourceVersion = scale.ResourceVersion
	f.ManagedFields, err = fields.ToParent(scale.ManagedFields)
	return f, err
}

// judgeScale refuses what no scale may be, as Kubernetes' kinds do.
func judgeScale(scale *autoscalingv1.Scale, f *api.Frobber) error {
	errs := validation.ValidateObjectMeta(&scale.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
	if scale.Spec.Replicas < 0 {
		errs = append(errs, field.Invalid(field.NewPath("spec", "replicas"), scale.Spec.Replicas, "must be greater than or equal to 0"))
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(schema.GroupKind{Group: autoscalingv1.GroupName, Kind: "Scale"}, f.Name, errs)
	}
	if scale.UID != "" && scale.UID != f.UID {
		return apierrors.NewConflict(schema.GroupResource{Group: api.Group, Resource: api.Resource + "/scale"}, f.Name,
			fmt.Errorf("precondition failed: UID in precondition: %v, UID in object meta: %v", scale.UID, f.UID))
	}
	return nil
}
