package clients

import (
	"reflect"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// Of gives the types of a release's clients: its own kinds in each version that
// it serves, and the Scale that its scale subresource speaks.
func Of(r *release.Release) program.Types {
	scheme, objects := known(r)
	configurations := map[schema.GroupVersionKind]reflect.Type{}
	for gvk, object := range objects {
		configurations[gvk] = configurationOf(reflect.TypeOf(object).Elem())
	}
	return program.Types{
		Release: r.GitVersion(),
		Scheme:  scheme,
		Codecs:  serializer.NewCodecFactory(scheme).WithoutConversion(),
		Configuration: func(gvk schema.GroupVersionKind) any {
			if t, ok := configurations[gvk]; ok {
				return reflect.New(t).Interface()
			}
			return nil
		},
		Converter: sync.OnceValues(func() (managedfields.TypeConverter, error) { return converter(objects) }),
	}
}

// known is the scheme, registered as a generated clientset does, and an empty
// object of each kind in it that is neither a list nor a parameter.
func known(r *release.Release) (*runtime.Scheme, map[schema.GroupVersionKind]runtime.Object) {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scale := autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	objects := map[schema.GroupVersionKind]runtime.Object{scale: &autoscalingv1.Scale{}}
	for _, v := range r.Versions {
		gv := schema.GroupVersion{Group: api.Group, Version: v.Name}
		metav1.AddToGroupVersion(scheme, gv)
		scheme.AddKnownTypeWithName(gv.WithKind(api.ListKind), v.NewList())
		objects[gv.WithKind(api.Kind)] = v.New()
	}
	for gvk, object := range objects {
		scheme.AddKnownTypeWithName(gvk, object)
	}
	return scheme, objects
}
