package fuzz

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// difference is one value that is not served as it was acknowledged.
type difference struct {
	path          fieldpath.Path
	state         term.State // Lost or Changed
	before, after any
}

// servers' own members of an object's metadata, which change without a loss.
func theirOwn(p fieldpath.Path) bool {
	if len(p) < 2 || *p[0].FieldName != "metadata" || p[1].FieldName == nil {
		return false
	}
	return slices.Contains([]string{
		"managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink", "name", "namespace",
	}, *p[1].FieldName)
}

// differences compares what was acknowledged with what is served now. What is
// served besides, such as defaults, is no difference; nor is another spelling of
// the same amount or time, nor whether something empty is there.
func differences(acknowledged, served schema.Leaves) []difference {
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(acknowledged)) {
		was := acknowledged[name]
		if was.Semantic == schema.Empty || theirOwn(was.Path) {
			continue
		}
		now, there := served[name]
		switch {
		case !there:
			all = append(all, difference{was.Path, term.Lost, was.Value, nil})
		case now.Semantic != was.Semantic:
			all = append(all, difference{was.Path, term.Changed, was.Value, now.Value})
		}
	}
	return all
}

// besides are the values, of those that nobody acknowledged, that a trip added or did
// not bring back as they were.
func besides(acknowledged, before, after schema.Leaves) []difference {
	var all []difference
	for _, d := range differences(before, after) {
		if _, told := acknowledged[d.text()]; !told {
			all = append(all, d)
		}
	}
	for _, d := range differences(after, before) {
		if _, told := acknowledged[d.text()]; !told && d.state == term.Lost {
			all = append(all, difference{d.path, term.Changed, nil, d.before})
		}
	}
	return all
}

// notAccepted are the values that were sent, and that the very answer shows
// nothing of. One that it shows another value for was normalised, which is the
// API's to do: deprecated fields follow those that took their place.
func notAccepted(sent, acknowledged schema.Leaves) []difference {
	var all []difference
	for _, d := range differences(sent, acknowledged) {
		if d.state == term.Lost {
			d.state = term.NotAccepted
			all = append(all, d)
		}
	}
	return all
}

// knows tells whether a release publishes a field: in the API version at hand, or
// in any that it serves of the kind, when that version is not among them.
func knows(r *release, kind, apiVersion, named string, p fieldpath.Path) bool {
	if k, ok := r.schema.Kind(apiVersion, kind); ok {
		return k.Declares(p)
	}
	for _, d := range r.served {
		if kindName(d) != named {
			continue
		}
		if k, ok := r.schema.Kind(d.APIVersion, kind); ok && k.Declares(p) {
			return true
		}
	}
	return false
}

// checkOf is the promise that a trip through a place puts to the test.
func checkOf(origin, through place) term.CheckName {
	if origin.role == through.role && origin.apiVersion() != through.apiVersion() {
		return term.CheckRule4
	}
	return term.NothingLost
}

// pattern is a path in which elements are not told apart: what is wrong with one
// is wrong with all.
func pattern(p fieldpath.Path) string {
	var b strings.Builder
	for _, e := range p {
		if e.FieldName != nil {
			b.WriteString(path.String(fieldpath.Path{e}))
		} else {
			b.WriteString("[]")
		}
	}
	return b.String()
}
