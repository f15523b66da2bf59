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

// Difference is one value that is not served as it was acknowledged.
type Difference struct {
	Path          fieldpath.Path
	Outcome       term.Outcome // Lost or Changed
	Before, After any
}

// ownMembers are servers' own members of an object's metadata, and its name and place, which change without a loss.
var ownMembers = append(schema.ServerMetadata(), "name", "namespace")

// theirOwn reports whether a path is in one of these members.
func theirOwn(p fieldpath.Path) bool {
	if len(p) < 2 || *p[0].FieldName != "metadata" || p[1].FieldName == nil {
		return false
	}
	return slices.Contains(ownMembers, *p[1].FieldName)
}

// differences compares the acknowledged values with those that are served now. Additional
// values, such as defaults, are not a difference, and neither are other spellings of the
// same amount or time, or empty values.
func differences(acknowledged, served schema.Leaves) []Difference {
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(acknowledged)) {
		was := acknowledged[name]
		if was.Semantic == schema.Empty || theirOwn(was.Path) {
			continue
		}
		now, there := served[name]
		switch {
		case !there:
			all = append(all, Difference{was.Path, term.Lost, was.Value, nil})
		case now.Semantic != was.Semantic:
			all = append(all, Difference{was.Path, term.Changed, was.Value, now.Value})
		}
	}
	return all
}

// besides returns the unacknowledged values that a trip added or changed.
func besides(acknowledged, before, after schema.Leaves) []Difference {
	var all []Difference
	for _, d := range differences(before, after) {
		if _, told := acknowledged[d.PathText()]; !told {
			all = append(all, d)
		}
	}
	for _, d := range differences(after, before) {
		if _, told := acknowledged[d.PathText()]; !told && d.Outcome == term.Lost {
			all = append(all, Difference{d.Path, term.Changed, nil, d.Before})
		}
	}
	return all
}

// NotAccepted returns the values that were sent and that the create's answer does not have
// at all. If the answer has another value, the API normalised it: deprecated fields follow
// the fields that replace them.
func NotAccepted(sent, acknowledged schema.Leaves) []Difference {
	var all []Difference
	for _, d := range differences(sent, acknowledged) {
		if d.Outcome == term.Lost {
			d.Outcome = term.Dropped
			all = append(all, d)
		}
	}
	return all
}

// knows reports whether a release publishes a field: in the given API version or, if it
// does not serve that version, in any version of the kind.
func knows(r *Release, kind, apiVersion, named string, p fieldpath.Path) bool {
	if k, ok := r.Schema.Kind(apiVersion, kind); ok {
		return k.Declares(p)
	}
	for _, d := range r.Served {
		if KindName(d) != named {
			continue
		}
		if k, ok := r.Schema.Kind(d.APIVersion, kind); ok && k.Declares(p) {
			return true
		}
	}
	return false
}

// checkOf returns the check that a trip through a place tests.
func checkOf(origin, through Place) term.CheckName {
	if origin.Role == through.Role && origin.APIVersion() != through.APIVersion() {
		return term.CheckRule4
	}
	return term.CheckNothingLost
}

// Pattern returns a path without the indices and keys of elements: what is wrong with one
// is wrong with all.
func Pattern(p fieldpath.Path) string {
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

// Rule returns the rule that a fact breaks.
func (f Fact) Rule() term.Rule {
	switch {
	case f.Class == term.Impact || f.From != "":
		return f.By
	case f.Check == term.CheckRule1:
		return term.Rule1
	case f.Check == term.CheckRule3:
		return term.Rule3
	case f.Check == term.CheckRule4:
		return term.Rule4
	case f.Check == term.CheckEverythingDecodes:
		return term.RuleStorage
	case f.Check == term.CheckStaysWritable:
		return term.RuleWritable
	}
	return term.Rule2
}
