package apiserver

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// codecs are the library's, with errors that name types as they are published.
// The JSON decoder names Go structs, and releases call theirs differently: the
// same bad body would get another answer.
type codecs struct {
	serializer.CodecFactory
	published *strings.Replacer
}

func newCodecs(factory serializer.CodecFactory, r *release.Release) codecs {
	names := map[reflect.Type]string{}
	for _, v := range slices.Backward(r.Versions) {
		for t, name := range object.Names(v.New(), v.NewList()) {
			names[t] = name[strings.LastIndex(name, ".")+1:]
		}
	}
	return codecs{factory, renames(names)}
}

// renames replaces Go types, the longest name first, as the decoder prints them:
// the type whose field was wrong, and the type that a value should have had.
func renames(names map[reflect.Type]string) *strings.Replacer {
	var pairs [][2]string
	for t, name := range names {
		pairs = append(pairs, [2]string{" " + t.Name() + ".", " " + name + "."}, [2]string{t.String(), name})
	}
	slices.SortFunc(pairs, func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(len(b[0]), len(a[0])), cmp.Compare(a[0], b[0]))
	})
	var oldnew []string
	for _, pair := range pairs {
		oldnew = append(oldnew, pair[:]...)
	}
	return strings.NewReplacer(oldnew...)
}

// DecoderToVersion is where all bodies, patches and stored bytes come through.
func (c codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return decoder{c.CodecFactory.DecoderToVersion(d, gv), c.published}
}

type decoder struct {
	runtime.Decoder
	published *strings.Replacer
}

func (d decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	o, gvk, err := d.Decoder.Decode(data, defaults, into)
	if err != nil && strings.HasPrefix(err.Error(), "json: cannot unmarshal ") {
		err = errors.New(d.published.Replace(err.Error()))
	}
	return o, gvk, err
}
