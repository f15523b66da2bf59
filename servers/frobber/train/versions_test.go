package train_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// versionProbes are the guide's requirements for versions.
func versionProbes() map[string]probe {
	return map[string]probe{
		"what is read from the store": func(_ testing.TB, r *release.Release) string {
			var names []string
			for _, v := range r.Versions {
				names = append(names, v.Name)
			}
			return fmt.Sprint(names)
		},
	}
}

// v6Of returns v6 in a release, or in the last release that had it.
func v6Of(t testing.TB, r *release.Release) *release.Version {
	t.Helper()
	v, ok := r.Version("v6")
	if !ok {
		v, ok = find(t, r.Name).Version("v6")
	}
	require.True(t, ok)
	return v
}

// askable returns a release with v6, even if it has removed it, for probes that use v6.
func askable(t testing.TB, r *release.Release) *release.Release {
	t.Helper()
	if _, ok := r.Version("v6"); !ok {
		v := *v6Of(t, r)
		v.Disabled = true
		r.Versions = append(r.Versions, v)
	}
	return r
}

// hasty lists changes of a release's versions that are too early: the guide's "Backward
// compatibility gotchas" requires a release in between.
func hasty(before, r *release.Release) (all []string) {
	for i, v := range r.Versions {
		was, known := before.Version(v.Name)
		switch {
		case !known && i == 0:
			all = append(all, v.Name+": preferred by the release that introduces it")
		case strings.Contains(v.Name, "alpha") && !v.Disabled:
			all = append(all, v.Name+": an alpha version that nobody has switched on")
		case known && v.Disabled && !was.Disabled && r.Storage != before.Storage:
			all = append(all, v.Name+": not served by the release that ends to store it")
		case known && v.Disabled && !was.Disabled && was.Deprecated == nil:
			all = append(all, v.Name+": not served, without a deprecation")
		}
	}
	if _, known := before.Version(r.Storage); !known {
		all = append(all, r.Storage+": stored by the release that introduces it")
	}
	for _, v := range before.Versions {
		if _, kept := r.Version(v.Name); !kept && (!v.Disabled || before.Storage == v.Name) {
			all = append(all, v.Name+": gone, though the release before serves or stores it")
		}
	}
	return all
}

func TestVersionsTakeTheirTime(t *testing.T) {
	releases := right(t)
	for i, r := range releases[1:] {
		assert.Empty(t, hasty(releases[i], r), r)
	}
	want := map[string]string{
		"1.3+preferred": "v7beta1: preferred by the release that introduces it",
		"1.3+stored":    "v7beta1: stored by the release that introduces it",
		"1.4+removed":   "v6: gone, though the release before serves or stores it",
		"1.4+unserved":  "v6: not served by the release that ends to store it",
		"1.28+stored":   "v7alpha1: stored by the release that introduces it",
		"1.29+removed":  "v5: gone, though the release before serves or stores it",
		"1.30+another":  "v6: gone, though the release before serves or stores it",
	}
	for i, r := range releases[1:] {
		for _, name := range train.Mutants(r.Name) {
			mutant := find(t, r.Name+"+"+name)
			assert.Equal(t, want[mutant.String()], strings.Join(hasty(releases[i], mutant), "; "), mutant)
		}
	}
	open := find(t, "1.28")
	v, _ := open.Version("v7alpha1")
	v.Disabled = false
	assert.Equal(t, []string{"v7alpha1: an alpha version that nobody has switched on"}, hasty(find(t, "1.27"), open))
	silent := find(t, "1.28")
	v, _ = silent.Version("v5")
	v.Deprecated = nil
	assert.Equal(t, []string{"v5: not served, without a deprecation"}, hasty(silent, find(t, "1.29")))
}

// TestPreferred: v7beta1 is introduced, then stored, then preferred.
func TestPreferred(t *testing.T) {
	for name, want := range map[string]string{
		"1.2": "[v6 v5] v6", "1.3": "[v6 v5 v7beta1] v6", "1.4": "[v6 v5 v7beta1] v7beta1", "1.5": "[v7beta1 v6 v5] v7beta1",
		"1.28": "[v7beta1 v6 v5] v7beta1", "1.29": "[v7beta1 v6] v7beta1", "1.30": "[v7beta1 v6] v7beta1",
	} {
		r := find(t, name)
		assert.Equal(t, want, fmt.Sprint(served(r), " ", r.Storage), name)
	}
}

// TestParked: versions without the field keep it, and the kept value exists once.
func TestParked(t *testing.T) {
	r := find(t, "1.28")
	for _, name := range []string{"v5", "v6", "v7beta1", "v7alpha1"} {
		v, _ := r.Version(name)
		f := &api.Frobber{Spec: api.Spec{Tilt: new(int32(-7))}}
		f.Annotations = map[string]string{"another": "one"}
		o := v.New()
		meta := o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
		*meta = f.ObjectMeta
		r.FromInternal(f, o)
		want := map[string]string{"another": "one", train.TiltAnnotation: "-7"}
		if name == "v7alpha1" {
			delete(want, train.TiltAnnotation)
		}
		assert.Equal(t, want, meta.Annotations, name)
		assert.Equal(t, map[string]string{"another": "one"}, f.Annotations, name)

		got := &api.Frobber{ObjectMeta: *meta}
		r.ToInternal(o, got)
		assert.Equal(t, int32(-7), *got.Spec.Tilt, name)
		assert.Equal(t, map[string]string{"another": "one"}, got.Annotations, name)
		assert.Equal(t, want, meta.Annotations, name)
	}
}

// parking returns the object of v6 with a text in the annotation, as 1.28 reads it.
func parking(t testing.TB, r *release.Release, text string) *api.Frobber {
	o := v6Of(t, r).New()
	meta := o.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
	meta.Annotations = map[string]string{train.TiltAnnotation: text}
	f := &api.Frobber{ObjectMeta: *meta}
	r.ToInternal(o, f)
	return f
}

// TestParkedByOthers: a text that no release would have parked is not a tilt, and is served
// unchanged.
func TestParkedByOthers(t *testing.T) {
	r := find(t, "1.28")
	for parked, want := range map[string]string{
		"upright": "none", "": "none", "3000000000": "none", "46": "none", "-46": "none", "+5": "none", "007": "none", "-0": "none",
		"-45": "-45", "45": "45", "0": "0",
	} {
		f := parking(t, r, parked)
		assert.Equal(t, want, value(f.Spec.Tilt), parked)
		shown := v6Of(t, r).New()
		meta := shown.(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
		*meta = f.ObjectMeta
		r.FromInternal(f, shown)
		assert.Equal(t, map[string]string{train.TiltAnnotation: parked}, meta.Annotations, parked)
	}
}

// TestParkedRatchet: a number that is not a valid tilt is refused when it is set, and an object
// that an older release stored with it stays writable.
func TestParkedRatchet(t *testing.T) {
	r := find(t, "1.28")
	says := func(text string) *api.Frobber { return parking(t, r, text) }
	refused := func(f, old *api.Frobber) bool {
		text := validate(r, f)
		for _, rule := range r.Rules {
			if old == nil && rule.ValidateCreate != nil {
				text += fmt.Sprint(rule.ValidateCreate(on, f))
			}
			if old != nil && rule.ValidateUpdate != nil {
				text += fmt.Sprint(rule.ValidateUpdate(on, f, old))
			}
		}
		return strings.Contains(text, "tilt")
	}
	assert.True(t, refused(says("46"), nil))
	assert.True(t, refused(says("46"), says("7")))
	assert.True(t, refused(says("46"), says("-46")))
	assert.False(t, refused(says("46"), says("46")))
	assert.False(t, refused(says("7"), says("46")))
	assert.False(t, refused(says("007"), nil))
	assert.True(t, refused(&api.Frobber{Spec: api.Spec{Tilt: new(int32(46))}}, says("46")))
}
