package apiserver

import (
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// newScheme knows the release's types, how they convert to and from the internal
// form, and their defaults.
func newScheme(r *release.Release) *runtime.Scheme {
	scheme := runtime.NewScheme()
	addMeta(scheme)
	addScale(scheme)
	scheme.AddKnownTypeWithName(api.Internal().WithKind(api.Kind), &api.Frobber{})
	scheme.AddKnownTypeWithName(api.Internal().WithKind(api.ListKind), &api.List{})
	var versions []schema.GroupVersion
	for i := range r.Versions {
		gv := groupVersion(r.Versions[i].Name)
		addVersion(scheme, gv, r, &r.Versions[i])
		versions = append(versions, gv)
	}
	utilruntime.Must(scheme.SetVersionPriority(versions...))
	return scheme
}

func groupVersion(version string) schema.GroupVersion {
	return schema.GroupVersion{Group: api.Group, Version: version}
}

// addMeta adds what every API server answers with, whatever it serves.
func addMeta(scheme *runtime.Scheme) {
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddUnversionedTypes(schema.GroupVersion{Version: "v1"},
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{}, &metav1.APIResourceList{})
}

// addScale adds Scale, once more as its own internal form: the library decodes
// every body to one.
func addScale(scheme *runtime.Scheme) {
	utilruntime.Must(autoscalingv1.AddToScheme(scheme))
	internal := schema.GroupVersion{Group: autoscalingv1.GroupName, Version: runtime.APIVersionInternal}
	scheme.AddKnownTypes(internal, &autoscalingv1.Scale{})
}

func addVersion(scheme *runtime.Scheme, gv schema.GroupVersion, r *release.Release, v *release.Version) {
	metav1.AddToGroupVersion(scheme, gv)
	scheme.AddKnownTypeWithName(gv.WithKind(api.Kind), v.New())
	scheme.AddKnownTypeWithName(gv.WithKind(api.ListKind), v.NewList())
	scheme.AddTypeDefaultingFunc(v.New(), func(o any) { r.Default(o.(runtime.Object)) })
	utilruntime.Must(scheme.AddConversionFunc(v.New(), (*api.Frobber)(nil), func(from, into any, _ conversion.Scope) error {
		toInternal(r, from.(runtime.Object), into.(*api.Frobber))
		return nil
	}))
	utilruntime.Must(scheme.AddConversionFunc((*api.Frobber)(nil), v.New(), func(from, into any, _ conversion.Scope) error {
		fromInternal(r, from.(*api.Frobber), into.(runtime.Object))
		return nil
	}))
	utilruntime.Must(scheme.AddConversionFunc(v.NewList(), (*api.List)(nil), func(from, into any, _ conversion.Scope) error {
		toInternalList(r, from.(object.Sequence), into.(*api.List))
		return nil
	}))
	utilruntime.Must(scheme.AddConversionFunc((*api.List)(nil), v.NewList(), func(from, into any, _ conversion.Scope) error {
		fromInternalList(r, from.(*api.List), into.(object.Sequence))
		return nil
	}))
	utilruntime.Must(scheme.AddFieldLabelConversionFunc(gv.WithKind(api.Kind), fieldLabels(v)))
}

// metaOf gives the metadata of an object of a version.
func metaOf(o runtime.Object) *metav1.ObjectMeta {
	return o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

func toInternal(r *release.Release, from runtime.Object, into *api.Frobber) {
	into.ObjectMeta = *metaOf(from)
	r.ToInternal(from, into)
}

func fromInternal(r *release.Release, from *api.Frobber, into runtime.Object) {
	*metaOf(into) = from.ObjectMeta
	r.FromInternal(from, into)
}

func toInternalList(r *release.Release, from object.Sequence, into *api.List) {
	into.ListMeta = *from.GetListMeta().(*metav1.ListMeta)
	into.Items = make([]api.Frobber, from.Len())
	for i := range into.Items {
		toInternal(r, from.At(i), &into.Items[i])
	}
}

func fromInternalList(r *release.Release, from *api.List, into object.Sequence) {
	*into.GetListMeta().(*metav1.ListMeta) = from.ListMeta
	into.Resize(len(from.Items))
	for i := range from.Items {
		fromInternal(r, &from.Items[i], into.At(i))
	}
}

// fieldLabels converts what selectors of a version may select by to what attributesOf
// offers.
func fieldLabels(v *release.Version) runtime.FieldLabelConversionFunc {
	return func(label, value string) (internalLabel, internalValue string, err error) {
		if internal, other := v.Labels[label]; other {
			return internal, value, nil
		}
		for _, internal := range v.Labels {
			if label == internal { // which this version calls otherwise
				return "", "", fmt.Errorf("field label not supported: %s", label)
			}
		}
		switch label {
		case "metadata.name", "metadata.namespace", "spec.param":
			return label, value, nil
		}
		return "", "", fmt.Errorf("field label not supported: %s", label)
	}
}
