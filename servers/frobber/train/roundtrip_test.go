package train_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// lossyRoads lists the pairs of versions for which a value of the first does not survive a
// write through the second. Random objects have the first one's own types, so that they contain
// only what the release knows.
func lossyRoads(t testing.TB, r *release.Release, objects int) []string {
	t.Helper()
	random := randfill.NewWithSeed(1).NilChance(.3).NumElements(0, 3).Funcs(func(at *metav1.Time, c randfill.Continue) {
		*at = metav1.NewTime(time.Unix(c.Int63n(1<<32), 0))
	}, func(tilted *train.TiltField, c randfill.Continue) { // only tilts in this range are valid and kept
		if tilted.Tilt = nil; c.Float64() > .3 {
			tilted.Tilt = new(c.Int31n(91) - 45)
		}
	})
	var lossy []string
	for _, from := range r.Versions {
		for _, through := range r.Versions {
			for range objects {
				o := from.New()
				random.Fill(part(o, "Spec"))
				random.Fill(part(o, "Status"))
				sent := internal(r, o)
				if same := from.New(); !comesBack(r, o, sent, same) {
					t.Logf("%s: %s -> internal (-sent +back): %s", r, from.Name, cmp.Diff(o, same))
					lossy = append(lossy, from.Name+" -> internal")
					break
				}
				written := through.New()
				r.FromInternal(sent, written)
				if got := internal(r, written); !apiequality.Semantic.DeepEqual(sent, got) {
					lossy = append(lossy, fmt.Sprintf("%s -> %s", from.Name, through.Name))
					break
				}
			}
		}
	}
	return lossy
}

// comesBack reports whether all values of an object of a version reach the internal form: a
// field without a conversion is lost before another version is involved.
func comesBack(r *release.Release, o runtime.Object, sent *api.Frobber, into runtime.Object) bool {
	r.FromInternal(sent, into)
	r.Default(into)
	return apiequality.Semantic.DeepEqual(o, into)
}

// part returns the spec or the status of an object, to be filled.
func part(o runtime.Object, name string) any {
	return reflect.ValueOf(o).Elem().FieldByName(name).Addr().Interface()
}

// internal returns the internal form of a decoded object.
func internal(r *release.Release, o runtime.Object) *api.Frobber {
	f := &api.Frobber{}
	r.Default(o)
	r.ToInternal(o, f)
	return f
}

func TestRoundTrip(t *testing.T) { testRoundTrip(t, 10) }

// TestNightlyRoundTrip is TestRoundTrip with many more objects.
func TestNightlyRoundTrip(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	testRoundTrip(t, 200)
}

func testRoundTrip(t *testing.T, objects int) {
	for _, r := range right(t) {
		assert.Empty(t, lossyRoads(t, r, objects), r)
	}
	for _, r := range wrong(t) {
		var want []string
		if r.Mutant == "forgets" {
			// Without a default v7beta1 also has no width where v6 has one.
			want = []string{"v6 -> v7beta1", "v5 -> v7beta1", "v7beta1 -> v6", "v7beta1 -> v5"}
		}
		switch r.String() {
		case "1.3+swaps":
			want = []string{"v6 -> v7beta1", "v5 -> v7beta1", "v7beta1 -> internal", "v7beta1 -> internal", "v7beta1 -> internal"}
		case "1.6+new-only", "1.16+new-only":
			want = []string{"v7beta1 -> v6", "v7beta1 -> v5"}
		case "1.17+new-only":
			want = []string{"v6 -> v7beta1", "v5 -> v7beta1"}
		case "1.17+unstable", "1.18+schema", "1.22+name", "1.22+wire": // the last three take any text, and keep a number
			for _, from := range r.Versions {
				for range r.Versions {
					want = append(want, from.Name+" -> internal")
				}
			}
		case "1.28+unparked":
			want = []string{"v7alpha1 -> v7beta1", "v7alpha1 -> v6", "v7alpha1 -> v5"}
		}
		assert.Equal(t, want, lossyRoads(t, r, objects), r)
	}
}

// TestNothingIsShared: what is converted is a copy.
func TestNothingIsShared(t *testing.T) {
	r := find(t, "1.3")
	for _, v := range r.Versions {
		f := &api.Frobber{Spec: api.Spec{Width: new(int32(3)), Parts: []api.Part{{Name: "a", Size: new(int32(1))}}}}
		o := v.New()
		r.FromInternal(f, o)
		*f.Spec.Width, *f.Spec.Parts[0].Size = 9, 9
		got := internal(r, o)
		assert.Equal(t, int32(3), *got.Spec.Width, v.Name)
		assert.Equal(t, int32(1), *got.Spec.Parts[0].Size, v.Name)
	}
}
