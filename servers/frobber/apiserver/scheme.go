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
		addVersion(scheme, gv, &r.Versions[i])
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

func addVersion(scheme *runtime.Scheme, gv schema.GroupVersion, v *release.Version) {
	metav1.AddToGroupVersion(scheme, gv)
	scheme.AddKnownTypeWithName(gv.WithKind(api.Kind), v.New())
	scheme.AddKnownTypeWithName(gv.WithKind(api.ListKind), v.NewList())
	scheme.AddTypeDefaultingFunc(v.New(), func(o any) { v.Default(o.(runtime.Object)) })
	utilruntime.Must(scheme.AddConversionFunc(v.New(), (*api.Frobber)(nil), func(from, into any, _ conversion.Scope) error {
		return toInternal(v, from.(runtime.Object), into.(*api.Frobber))
	}))
	utilruntime.Must(scheme.AddConversionFunc((*api.Frobber)(nil), v.New(), func(from, into any, _ conversion.Scope) error {
		return fromInternal(v, from.(*api.Frobber), into.(runtime.Object))
	}))
	utilruntime.Must(scheme.AddConversionFunc(v.NewList(), (*api.List)(nil), func(from, into any, _ conversion.Scope) error {
		return toInternalList(v, from.(object.Sequence), into.(*api.List))
	}))
	utilruntime.Must(scheme.AddConversionFunc((*api.List)(nil), v.NewList(), func(from, into any, _ conversion.Scope) error {
		return fromInternalList(v, from.(*api.List), into.(object.Sequence))
	}))
	utilruntime.Must(scheme.AddFieldLabelConversionFunc(gv.WithKind(api.Kind), convertFieldLabel))
}

// metaOf gives the metadata of an object of a version.
func metaOf(o runtime.Object) *metav1.ObjectMeta {
	return o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
}

func toInternal(v *release.Version, from runtime.Object, into *api.Frobber) error {
	into.ObjectMeta = *metaOf(from)
	return v.ToInternal(from, into)
}

func fromInternal(v *release.Version, from *api.Frobber, into runtime.Object) error {
	*metaOf(into) = from.ObjectMeta
	return v.FromInternal(from, into)
}

func toInternalList(v *release.Version, from object.Sequence, into *api.List) error {
	into.ListMeta = *from.GetListMeta().(*metav1.ListMeta)
	into.Items = make([]api.Frobber, from.Len())
	for i := range into.Items {
		if err := toInternal(v, from.At(i), &into.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

func fromInternalList(v *release.Version, from *api.List, into object.Sequence) error {
	*into.GetListMeta().(*metav1.ListMeta) = from.ListMeta
	into.Resize(len(from.Items))
	for i := range from.Items {
		if err := fromInternal(v, &from.Items[i], into.At(i)); err != nil {
			return err
		}
	}
	return nil
}

// convertFieldLabel lets through what fieldsOf offers. The names are the same in
// all versions.
func convertFieldLabel(label, value string) (internalLabel, internalValue string, err error) {
	switch label {
	case "metadata.name", "metadata.namespace", "spec.param":
		return label, value, nil
	}
	return "", "", fmt.Errorf("field label not supported: %s", label)
}
