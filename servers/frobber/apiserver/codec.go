package apiserver

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
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
	published *published
}

// published is what Go types are called in what the server publishes.
type published struct {
	structs map[string]string
	types   *strings.Replacer
}

func newCodecs(factory serializer.CodecFactory, r *release.Release) codecs {
	names := map[reflect.Type]string{}
	for _, v := range slices.Backward(r.Versions) {
		for t, name := range object.Names(v.New(), v.NewList()) {
			names[t] = name[strings.LastIndex(name, ".")+1:]
		}
	}
	p := &published{structs: map[string]string{}}
	var pairs [][2]string
	for t, name := range names {
		p.structs[t.Name()] = name
		pairs = append(pairs, [2]string{t.String(), name})
	}
	// The longest first: one may begin as another does.
	slices.SortFunc(pairs, func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(len(b[0]), len(a[0])), cmp.Compare(a[0], b[0]))
	})
	var oldnew []string
	for _, pair := range pairs {
		oldnew = append(oldnew, pair[:]...)
	}
	p.types = strings.NewReplacer(oldnew...)
	return codecs{factory, p}
}

// wrongType is the decoder's error about a value of another type than a field's:
// the struct, the path to the field, the type it should have had.
var wrongType = regexp.MustCompile(`^(json: cannot unmarshal .+ into Go struct field )(\w+(?:\[.*\])?)\.(\S*)( of type .+)$`)

// embedded is a struct on such a path: fields are not published in upper case.
var embedded = regexp.MustCompile(`\b[A-Z]\w*\.`)

func (p *published) rename(err error) error {
	m := wrongType.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	name, ok := p.structs[m[2]]
	if !ok {
		name = m[2]
	}
	return errors.New(m[1] + name + "." + embedded.ReplaceAllString(m[3], "") + p.types.Replace(m[4]))
}

// DecoderToVersion is where all bodies, patches and stored bytes come through.
func (c codecs) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return decoder{c.CodecFactory.DecoderToVersion(d, gv), c.published}
}

type decoder struct {
	runtime.Decoder
	published *published
}

func (d decoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	o, gvk, err := d.Decoder.Decode(data, defaults, into)
	if err != nil {
		err = d.published.rename(err)
	}
	return o, gvk, err
}
