package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// every makes TestNightlyEquality compare all releases with their trees, not a sample.
var every = flag.Bool("every", false, "compare every release with its own tree (TestNightlyEquality; half an hour)")

// sampled are the releases that TestNightlyEquality compares: those that add a new kind of code,
// and some later ones.
var sampled = []string{"1.0", "1.1", "1.2", "1.3", "1.12", "1.22", "1.28"}

// TestNightlyEquality: a server built from a tree without any later edit, and today's server set
// to that release, give the same bytes: in answers, in the store, and in what they publish.
func TestNightlyEquality(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	_, err := today()
	require.NoError(t, err)
	names := train.Names()
	for _, release := range names[:len(names)-1] {
		if !*every && !slices.Contains(sampled, release) {
			continue
		}
		t.Run(release, func(t *testing.T) {
			t.Parallel() // one is built while another runs
			c := cut(t, release)
			assert.Empty(t, c.knows(t), "code of an earlier release knows of a later edit")
			then, err := buildOf(c.dir, t.TempDir())
			require.NoError(t, err, "generic code needs a later edit: without %s", strings.Join(c.gone, " "))
			refusals(t, then, release)
			for name, flags := range variants(t, release) {
				t.Run(name, func(t *testing.T) {
					now := append(slices.Clone(flags), "--release="+release)
					for _, difference := range differ(t, running{then, release, flags}, running{"", release, now}) {
						t.Error(difference)
					}
				})
			}
		})
	}
}

// variants returns the flags that servers of a release are started with.
func variants(t *testing.T, release string) map[string][]string {
	t.Helper()
	r, err := train.Find(release)
	require.NoError(t, err)
	var gates []string
	for gate := range r.Gates {
		gates = append(gates, string(gate)+"=true")
	}
	return map[string][]string{
		"as it is":           nil,
		"protobuf, gates on": {"--storage-media-type=application/vnd.kubernetes.protobuf", "--feature-gates=" + strings.Join(gates, ",")},
	}
}

// TestPagesEqualityCanFail: a release and its mutant are not equal in what the mistake affects.
func TestPagesEqualityCanFail(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	for mutant, c := range map[string]struct {
		variant string
		shows   []string
	}{
		"1.1+meaning": {"as it is", []string{"GET /openapi/v3/apis/frobbing.example.com/v6", "POST /apis/frobbing.example.com/v6/", "stored version"}},
		"1.2+tag":     {"protobuf, gates on", []string{"POST /apis/frobbing.example.com/v6/namespaces/protobuf-v6/", "stored version"}},
	} {
		t.Run(mutant, func(t *testing.T) {
			t.Parallel()
			right, mistake, _ := strings.Cut(mutant, "+")
			flags := func(release string) []string { return append(variants(t, right)[c.variant], "--release="+release) }
			all := strings.Join(differ(t, running{"", right, flags(right)}, running{"", right + ".0+" + mistake, flags(mutant)}), "\n")
			for _, part := range c.shows {
				assert.True(t, strings.Contains(all, part), "%s: no difference", part)
			}
		})
	}
}

// running is a server to start; the path "" means today's.
type running struct {
	path, release string
	flags         []string
}

// differ returns the differences of two servers.
func differ(t *testing.T, one, two running) []string {
	t.Helper()
	stores := [2]*etcd.Server{store(t), store(t)}
	l := &lockstep{
		one: frobber(t, one.path, one.release, stores[0].Store(), one.flags...), oneMask: newMask(),
		two: frobber(t, two.path, two.release, stores[1].Store(), two.flags...), twoMask: newMask(),
	}
	published(t, l)
	for _, name := range sequences(t) {
		l.play(t, "v6", name, sequence(t, name))
	}
	later(t, l)
	encodings(t, l)
	afterwards(t, l)
	l.stored(contents(t, stores[0], l.oneMask), contents(t, stores[1], l.twoMask))
	return l.differences
}

// stored compares the content of the stores.
func (l *lockstep) stored(one, two []string) {
	if len(one) != len(two) {
		l.differences = append(l.differences, fmt.Sprintf("%d and %d stored versions", len(one), len(two)))
	}
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			l.differences = append(l.differences, fmt.Sprintf("stored version %d: %s", i+1, firstDifference(one[i], two[i])))
		}
	}
}

// refusals compares servers that cannot start: with a gate of a later release, and with
// versions that do not exist.
func refusals(t *testing.T, then, release string) {
	t.Helper()
	now, err := today()
	require.NoError(t, err)
	for _, flag := range []string{"--feature-gates=" + laterGate(t, release) + "=true", "--storage-version=v8", "--runtime-config=frobbing.example.com/v8=true", "--version", "--nothing"} {
		ends := func(path string, args ...string) string {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			out, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
			return fmt.Sprintf("%v: %s", err, out)
		}
		assert.Equal(t, ends(then, flag), ends(now, flag, "--release="+release), flag)
	}
}

// laterGate returns a gate that this release does not have, or an invented name if there is
// none.
func laterGate(t *testing.T, release string) string {
	t.Helper()
	this, err := train.Find(release)
	require.NoError(t, err)
	for _, name := range train.Names() {
		r, err := train.Find(name)
		require.NoError(t, err)
		for gate := range r.Gates {
			if _, has := this.Gates[gate]; !has {
				return string(gate)
			}
		}
	}
	return "Nothing"
}

// versions returns the versions of all releases.
func versions(t *testing.T) (all []string) {
	t.Helper()
	for _, name := range train.Names() {
		r, err := train.Find(name)
		require.NoError(t, err)
		for _, v := range r.Versions {
			all = append(all, v.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// published compares discovery, OpenAPI, the version and the gates.
func published(t *testing.T, l *lockstep) {
	t.Helper()
	const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	l.get(t, "/")
	l.get(t, "/version")
	l.get(t, "/apis", aggregated, "application/vnd.kubernetes.protobuf")
	l.get(t, "/api")
	l.get(t, "/apis/frobbing.example.com", "application/yaml")
	for _, version := range append(versions(t), "v0") {
		l.get(t, "/apis/frobbing.example.com/"+version, "application/yaml")
	}
	l.get(t, "/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
	l.get(t, "/openapi/v3")
	index := l.one.must(t, request{verb: http.MethodGet, path: "/openapi/v3"})
	documents := regexp.MustCompile(`/openapi/v3/[^"]+`).FindAllString(string(index.body), -1)
	require.NotEmpty(t, documents)
	for _, path := range documents {
		l.get(t, path, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf")
	}
	l.same(t, request{verb: http.MethodGet, path: "/metrics"}, func(all []byte) []byte {
		lines := bytes.Split(all, []byte("\n"))
		gates := slices.DeleteFunc(lines, func(line []byte) bool { return !bytes.HasPrefix(line, []byte("kubernetes_feature_enabled{")) })
		require.NotEmpty(t, gates)
		return bytes.Join(gates, []byte("\n"))
	})
}

// laterFields are spec fields of later releases, with valid and invalid values.
var laterFields = map[string]string{
	"width": `"width":2`, "no width": `"width":-1`, "null": `"width":null`, "text": `"width":"broad"`, "angle": `"angle":30`,
	"no angle": `"angle":400`, "both": `"width":0,"angle":0`, "size": `"size":{"height":3,"width":4,"angle":5}`, "twice": `"width":1,"width":2`,
}

// later sends requests of later clients: a server must ignore fields that it does not know.
func later(t *testing.T, l *lockstep) {
	t.Helper()
	for i, name := range slices.Sorted(maps.Keys(laterFields)) {
		for _, version := range versions(t) {
			l.play(t, version, fmt.Sprintf("later-%d", i), laterLines(version, laterFields[name]))
		}
	}
}

// ownFields are the spec fields of versions that differ from v6. An unknown field must be the
// only one, because the library reports any of several errors.
var ownFields = map[string]string{"v5": `"height":2,"arg":"p"`, "v7beta1": `"size":{"height":2},"param":"p"`}

func laterLines(version, field string) []string {
	bare := `{"apiVersion":"$gv","kind":"$kind","metadata":{"name":"a"},"spec":{` + cmp.Or(ownFields[version], `"height":2,"param":"p"`) + `,FIELD}}`
	lines := []string{"send POST - application/json " + strings.ReplaceAll(bare, ",FIELD", "")}
	for _, validation := range []string{"Strict", "Warn", "Ignore"} {
		lines = append(lines,
			"send PUT a?fieldValidation="+validation+" application/json "+bare,
			"send PUT a?fieldValidation="+validation+" application/yaml "+bare,
			"send PATCH a?fieldValidation="+validation+` application/merge-patch+json {"spec":{FIELD}}`,
			"send PATCH a?fieldValidation="+validation+` application/strategic-merge-patch+json {"spec":{FIELD}}`,
			"send PATCH a?fieldManager=m&force=true&fieldValidation="+validation+" application/apply-patch+yaml "+bare,
			"send GET a application/json",
		)
	}
	lines = append(lines, `send PATCH a application/json-patch+json [{"op":"add","path":"/spec/width","value":5},{"op":"add","path":"/spec/angle","value":5}]`,
		`send PATCH a application/json-patch+json [{"op":"remove","path":"/spec/width"}]`,
		"send GET a/status application/json", "send GET a/scale application/json", "send DELETE a application/json")
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "FIELD", field)
	}
	return lines
}

// afterwards reads all objects in every encoding, and their history.
func afterwards(t *testing.T, l *lockstep) {
	t.Helper()
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io"
	const partial = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
	streams := []string{"application/json", "application/vnd.kubernetes.protobuf;stream=watch"}
	for i, version := range versions(t) {
		stream := streams[i%len(streams)]
		all := "/apis/frobbing.example.com/" + version + "/frobbers"
		l.get(t, all, table, partial, "application/yaml", "application/vnd.kubernetes.protobuf")
		l.get(t, all+"?limit=3")
		l.get(t, all+"?fieldSelector=spec.param%3Dp")
		l.same(t, request{verb: http.MethodGet, path: all + "?watch=1&resourceVersion=1&timeoutSeconds=1", accept: stream}, nil)
	}
}

// contents returns every stored version of every key, in order.
func contents(t *testing.T, s *etcd.Server, m *mask) (all []string) {
	t.Helper()
	w, err := s.Watch(t.Context(), 1, func(e etcd.Event) {
		all = append(all, m.hide(fmt.Appendf(nil, "%d %s %t %s", e.ModRevision, e.Key, e.Deleted, e.Value)))
	})
	require.NoError(t, err)
	require.NoError(t, w.Sync(t.Context()))
	w.Stop()
	require.Greater(t, len(all), 100)
	return all
}
