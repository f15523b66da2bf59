package apiserver

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// reading is the codec of the store, which has the release's rules fill in what
// the bytes leave out. A decorator of answers would come too late: a patch applies
// to what was decoded, and an update is held against it.
type reading struct {
	runtime.Codec
	release *release.Release
}

func (r reading) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	o, gvk, err := r.Codec.Decode(data, defaults, into)
	f, ok := o.(*api.Frobber)
	if err != nil || !ok {
		return o, gvk, err
	}
	for _, rule := range r.release.Rules {
		if rule.Read != nil {
			rule.Read(f)
		}
	}
	return o, gvk, nil
}
