package train_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// published is a field as a version of a release has it.
type published struct {
	in, name      string // .spec.parts[] and name
	number, wire  string // of its protobuf tag
	kind          string // its type; a pointer is as good as what it points to
	filled        string // the published default
	mayBeLeftAway bool
}

func (p published) path() string { return p.in + "." + p.name }

// publishedBy lists the fields of a version's spec and status.
func publishedBy(v release.Version) []published {
	return fieldsOf(reflect.TypeOf(v.New()).Elem(), "")
}

func fieldsOf(t reflect.Type, at string) (all []published) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Type == reflect.TypeFor[object.TypeMeta]() || f.Type == reflect.TypeFor[metav1.ObjectMeta]():
			continue
		case f.Anonymous:
			all = append(all, fieldsOf(f.Type, at)...)
			continue
		}
		tag := append(strings.Split(f.Tag.Get("protobuf"), ","), "", "")
		element, path := f.Type, at+"."+name
		for element.Kind() == reflect.Pointer || element.Kind() == reflect.Slice {
			if element.Kind() == reflect.Slice {
				path += "[]"
			}
			element = element.Elem()
		}
		all = append(all, published{
			in: at, name: name, number: tag[1], wire: tag[0], filled: f.Tag.Get("default"), mayBeLeftAway: how == "omitempty",
			kind: strings.TrimPrefix(path, at+"."+name) + element.Kind().String(),
		})
		if element.Kind() == reflect.Struct && !reflect.PointerTo(element).Implements(reflect.TypeFor[json.Marshaler]()) {
			all = append(all, fieldsOf(element, path)...)
		}
	}
	return all
}

// tagProblems lists what is wrong with the protobuf tags of releases, the oldest
// first. Stored bytes know a field by its tag alone, so a tag stays the field's,
// and a field keeps its tag.
func tagProblems(releases []*release.Release) (problems []string) {
	owner, tagOf := map[string]string{}, map[string]string{}
	for _, r := range releases {
		for _, v := range r.Versions {
			for _, f := range publishedBy(v) {
				place, tag := fmt.Sprint(v.Name, f.in, " ", f.number), f.number+","+f.wire
				if was, taken := owner[place]; taken && was != f.name || f.number == "" {
					problems = append(problems, fmt.Sprintf("%s: %s%s: tag %q, that was of %q, is of %s", r, v.Name, f.in, f.number, was, f.name))
				}
				if was, had := tagOf[v.Name+f.path()]; had && was != tag {
					problems = append(problems, fmt.Sprintf("%s: %s%s: had tag %s, and has %s", r, v.Name, f.path(), was, tag))
				}
				owner[place], tagOf[v.Name+f.path()] = f.name, tag
			}
		}
	}
	return problems
}

// nameProblems lists what is wrong with the names of fields of releases, the
// oldest first: JSON knows a field by its name, so what is called so stays of
// its type; and what could be left out can be.
func nameProblems(releases []*release.Release) (problems []string) {
	known := map[string]published{}
	for _, r := range releases {
		for _, v := range r.Versions {
			fresh := map[string]bool{}
			for _, f := range publishedBy(v) {
				name := v.Name + f.path()
				was, had := known[name]
				switch {
				case f.name == "" || fresh[name]:
					problems = append(problems, fmt.Sprintf("%s: %s: not the name of one field", r, name))
				case had && was.kind != f.kind:
					problems = append(problems, fmt.Sprintf("%s: %s: was of type %s, and is of type %s", r, name, was.kind, f.kind))
				case had && was.mayBeLeftAway && !f.mayBeLeftAway:
					problems = append(problems, fmt.Sprintf("%s: %s: could be left out, and cannot", r, name))
				}
				known[name], fresh[name] = f, true
			}
		}
	}
	return problems
}

// TestEmbedding: structured-merge-diff, which keeps managed fields, takes one field
// for its neighbour when structs are embedded three deep (v6.4.2: the siblings'
// paths share memory).
func TestEmbedding(t *testing.T) {
	for _, r := range append(right(t), wrong(t)...) {
		for _, v := range r.Versions {
			spec, _ := v.New().(object.Content).Contents()
			assert.LessOrEqual(t, embedding(reflect.TypeOf(spec).Elem()), 2, "%s %s", r, v.Name)
		}
	}
	type one struct{ train.HeightField }
	type two struct{ one }
	type three struct{ Named two }
	assert.Equal(t, 2, embedding(reflect.TypeFor[two]()))
	assert.Equal(t, 3, embedding(reflect.TypeFor[struct{ two }]()))
	assert.Equal(t, 2, embedding(reflect.TypeFor[three]()))
}

// embedding is how deep structs are embedded in a struct, or in one that it is
// made of.
func embedding(t reflect.Type) (deepest int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type.Kind() != reflect.Struct {
			continue
		}
		depth := embedding(f.Type)
		if f.Anonymous {
			depth++
		}
		deepest = max(deepest, depth)
	}
	return deepest
}

func TestTags(t *testing.T) {
	assert.Empty(t, tagProblems(right(t)))
	for _, mutant := range wrong(t) {
		assert.Equal(t, wrongTags()[mutant.String()], tagProblems(until(t, mutant)), mutant)
	}
}

// anotherSpec calls things as v6 does, and means others by them.
type anotherSpec struct {
	Height int64    `json:"height" protobuf:"fixed64,1,opt,name=height"`
	Param  []string `json:"param" protobuf:"bytes,2,rep,name=param"`
	Count  *int32   `json:"replicas" protobuf:"varint,4,opt,name=replicas"`
	Bare   string   `json:"bare"`
}

func TestNames(t *testing.T) {
	assert.Empty(t, nameProblems(right(t)))
	for _, mutant := range wrong(t) {
		assert.Equal(t, wrongNames()[mutant.String()], nameProblems(until(t, mutant)), mutant)
	}
	next := find(t, "1.0")
	next.Name = "next"
	next.Versions[0] = release.Of[anotherSpec, struct{}]("v6")
	train := []*release.Release{find(t, "1.0"), next}
	assert.Equal(t, []string{
		"next: v6.spec.height: was of type int32, and is of type int64",
		"next: v6.spec.param: was of type string, and is of type []string",
		"next: v6.spec.replicas: could be left out, and cannot",
	}, nameProblems(train))
	assert.Equal(t, []string{
		"next: v6.spec.height: had tag 1,varint, and has 1,fixed64",
		`next: v6.spec: tag "", that was of "", is of bare`,
	}, tagProblems(train))
}

// TestDefaults holds what releases publish as defaults against what they do.
func TestDefaults(t *testing.T) {
	filledAnywhere := 0
	for _, r := range append(right(t), wrong(t)...) {
		for _, v := range r.Versions {
			declared := map[string]string{}
			for _, f := range publishedBy(v) {
				if f.filled != "" {
					declared[f.path()] = strings.Trim(f.filled, `"`)
				}
			}
			o := v.New()
			before := leaves(t, o)
			r.Default(o)
			filled := leaves(t, o)
			for path, value := range filled {
				if before[path] == value {
					delete(filled, path)
				}
			}
			filledAnywhere += len(filled)
			assert.Equal(t, declared, filled, "%s %s", r, v.Name)
		}
	}
	assert.Greater(t, filledAnywhere, 20)
}

// leaves are an object's values as JSON, by path.
func leaves(t testing.TB, object any) map[string]string {
	t.Helper()
	raw, err := json.Marshal(object)
	require.NoError(t, err)
	var tree map[string]any
	require.NoError(t, json.Unmarshal(raw, &tree))
	all := map[string]string{}
	flatten(tree, "", all)
	return all
}

func flatten(v any, at string, into map[string]string) {
	members, isMap := v.(map[string]any)
	if !isMap {
		into[at] = fmt.Sprint(v)
		return
	}
	for name, member := range members {
		flatten(member, at+"."+name, into)
	}
}
