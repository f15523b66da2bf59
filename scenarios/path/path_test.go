package path_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/skewsim/skewsim/scenarios/path"
)

func field(name string) fieldpath.PathElement { return fieldpath.FieldNameElement(name) }

func key(nameValues ...any) fieldpath.PathElement {
	return fieldpath.KeyElementByFields(nameValues...)
}

func member(v any) fieldpath.PathElement {
	return fieldpath.ValueElement(value.NewValueInterface(v))
}

var spelled = map[string]fieldpath.Path{
	``:               {},
	`.spec.replicas`: {field("spec"), field("replicas")},
	`.a-b._c.$d.9`:   {field("a-b"), field("_c"), field("$d"), field("9")},
	`.spec.args[0]`:  {field("spec"), field("args"), fieldpath.IndexElement(0)},
	`.x[-1]`:         {field("x"), fieldpath.IndexElement(-1)},
	`[""]["a b"].c`:  {field(""), field("a b"), field("c")},
	`["é"]["\xff"]`:  {field("é"), field("\xff")},
	`.l[k=-2]`:       {field("l"), key("k", int64(-2))},
	`.l["0"=1,"a.b"=2]`: {field("l"),
		key("0", int64(1), "a.b", int64(2))},
	`.l[a=1.5e+00,b=true,c=null]`: {field("l"), key("c", nil, "b", true, "a", 1.5)},
	`.l[=80]`:                     {field("l"), member(80.0)},
	`.l[=1e+19]`:                  {field("l"), member(1e19)},
	`.metadata.finalizers[="x"]`:  {field("metadata"), field("finalizers"), member("x")},
	`.metadata.labels["app.kubernetes.io/name"]`: {
		field("metadata"), field("labels"), field("app.kubernetes.io/name")},
	`.spec.volumes[name="v"].emptyDir.mode`: {
		field("spec"), field("volumes"), key("name", "v"), field("emptyDir"), field("mode")},
	`.spec.ports[containerPort=80,protocol="TCP"].name`: {
		field("spec"), field("ports"), key("protocol", "TCP", "containerPort", int64(80)), field("name")},
	`.l[name="],=\"\n"]`: {field("l"), key("name", "],=\"\n")},
}

func TestSpelling(t *testing.T) {
	for text, p := range spelled {
		assert.Equal(t, text, path.String(p))
		parsed, err := path.Parse(text)
		require.NoError(t, err)
		assert.True(t, p.Equals(parsed), "%s parses to %v", text, parsed)
	}
}

// TestFieldpathText holds the claim that paths without odd names read as
// structured-merge-diff prints them.
func TestFieldpathText(t *testing.T) {
	for _, text := range []string{
		`.spec.volumes[name="v"].emptyDir.mode`,
		`.spec.ports[containerPort=80,protocol="TCP"].name`,
		`.metadata.finalizers[="x"]`,
		`.spec.args[0]`,
	} {
		p, err := path.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, text, p.String())
	}
}

func TestSeveralSpellings(t *testing.T) {
	for text, canonical := range map[string]string{
		`["spec"]`:                `.spec`,
		`.p[b="x",a=1]`:           `.p[a=1,b="x"]`,
		`.p["a"=1]`:               `.p[a=1]`,
		`.p[=1.0]`:                `.p[=1]`,
		`.p[="\u0061\x62\u00e9"]`: `.p[="abé"]`,
	} {
		p, err := path.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, canonical, path.String(p))
	}
}

func TestParseErrors(t *testing.T) {
	const odd = `: a name that holds more than letters, digits, "_", "-" and "$" is quoted whole, as in .metadata.labels["app.kubernetes.io/name"]`
	for text, want := range map[string]string{
		`spec`:            `position 1: a path starts at the object's root with "." or "[", as .spec does`,
		`.`:               `position 2: the path ends where a field's name is expected`,
		`.a..b`:           `position 4: unexpected "." where a field's name is expected`,
		`.a b`:            `position 3: unexpected " "` + odd,
		`.l.k8s.io/name`:  `position 10: unexpected "/"` + odd,
		`.é`:              `position 2: unexpected "é" where a field's name is expected`,
		`.a[`:             `position 4: the path ends where a name, a key or an index is expected`,
		`.a[]`:            `position 4: unexpected "]" where a quoted name, a key such as name="v", a value such as ="v" or an index is expected`,
		`.a[01]`:          `position 4: unexpected "0" where a quoted name, a key such as name="v", a value such as ="v" or an index is expected`,
		`.a[0`:            `position 5: the path ends where "]" is expected`,
		`.a["x`:           `position 4: a quoted string that does not end, or holds an escape Go does not know`,
		`.a[b]`:           `position 5: unexpected "]" where "=" after key "b" is expected`,
		`.a[b=c]`:         `position 6: unexpected "c" where a quoted string, a number, true, false or null is expected`,
		`.a[b=NaN]`:       `position 6: unexpected "N" where a quoted string, a number, true, false or null is expected`,
		`.a[b=1,]`:        `position 8: unexpected "]" where a key's name is expected`,
		`.a[b=1,b=2]`:     `position 9: key "b" is given twice`,
		`.l["0"=1,a.b=2]`: `position 11: unexpected "." where "=" after key "a" is expected`,
	} {
		_, err := path.Parse(text)
		assert.EqualError(t, err, fmt.Sprintf("%q: %s", text, want))
	}
}

// TestInverse builds paths at random from awkward parts.
func TestInverse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		p := randomPath(random)
		text := path.String(p)
		parsed, err := path.Parse(text)
		require.NoError(t, err)
		require.True(t, p.Equals(parsed), "%s parses to %v", text, parsed)
		require.Equal(t, text, path.String(parsed))
	}
}

func randomPath(random *rand.Rand) fieldpath.Path {
	names := []string{"", "a", "a.b", "0", "-1", "x/y", "]", `"`, "=", ",", " ", "é", "\xff", "\n", "null", "$p"}
	scalars := []any{nil, true, false, int64(0), int64(-7), int64(1 << 62), 0.5, -1e300, 3.0, "", "a", "]", `",`, "1", "null"}
	name := func() string { return names[random.IntN(len(names))] }
	scalar := func() any { return scalars[random.IntN(len(scalars))] }
	p := make(fieldpath.Path, random.IntN(5))
	for i := range p {
		switch random.IntN(5) {
		case 0:
			p[i] = fieldpath.IndexElement(random.IntN(9) - 2)
		case 1:
			p[i] = member(scalar())
		case 2:
			first, second := name(), name()
			p[i] = key(first, scalar())
			if first != second {
				p[i] = key(first, scalar(), second, scalar())
			}
		default:
			p[i] = field(name())
		}
	}
	return p
}

func TestContains(t *testing.T) {
	for _, c := range []struct {
		prefix, p string
		want      bool
	}{
		{`.a`, `.a`, true},
		{`.a`, `.a.b`, true},
		{``, `.a`, true},
		{`.a.b`, `.a`, false},
		{`.a`, `.ab`, false},
		{`.l[k=1]`, `.l[k=1].x`, true},
		{`.l[k=1]`, `.l[k=1,m=2].x`, false},
		{`.l[=1]`, `.l[=1.0]`, true},
	} {
		assert.Equal(t, c.want, path.Contains(mustParse(t, c.prefix), mustParse(t, c.p)), "%s in %s", c.p, c.prefix)
	}
}

// TestUnsoundPaths tries what only hands can build.
func TestUnsoundPaths(t *testing.T) {
	var none value.Value
	empty := value.FieldList{}
	nameless := value.FieldList{{Name: "k"}}
	for _, e := range []fieldpath.PathElement{{}, {Value: &none}, {Key: &empty}, {Key: &nameless}} {
		p := fieldpath.Path{field("l"), e}
		obj := map[string]any{"l": []any{map[string]any{"x": "y"}, "a"}}
		path.Get(obj, p)
		_ = path.Set(obj, p, "v")
		path.Remove(obj, p)
		path.Contains(p, p)
		_ = path.Set(nil, p, "v")
		path.Remove(nil, p)
	}
	long := make(fieldpath.Path, 20000)
	for i := range long {
		long[i] = field("a")
	}
	assert.EqualError(t, path.Set(map[string]any{}, long, "v"), "path of 20000 elements: at most 10000")
	_, err := path.Parse(path.String(long))
	assert.ErrorContains(t, err, "position 20003: more than 10000 elements")
}

func mustParse(t testing.TB, text string) fieldpath.Path {
	t.Helper()
	p, err := path.Parse(text)
	require.NoError(t, err)
	return p
}
