package diff

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/published"
)

// isStored reports whether objects of a resource are stored: they can be created or replaced, and
// be read again.
func isStored(r published.Resource) bool {
	can := func(verb string) bool { return slices.Contains(r.Verbs, verb) }
	return can("get") && (can("create") || can("update"))
}

// served compares what releases serve.
type served struct{ *comparison }

// groupKind is a kind whatever its version.
type groupKind struct{ group, kind string }

// versionsOf returns the versions that a release serves of each kind, the newest first.
func versionsOf(r release) map[groupKind][]string {
	all := map[groupKind][]string{}
	for at := range r.kinds {
		group, v := at.split()
		all[groupKind{group, at.kind}] = append(all[groupKind{group, at.kind}], v)
	}
	for _, versions := range all {
		slices.SortFunc(versions, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	}
	return all
}

// kinds compares which kinds releases serve, in which versions, and how.
func (c served) kinds() {
	before, after := versionsOf(c.old), versionsOf(c.new)
	for k, versions := range after {
		if len(before[k]) == 0 {
			c.whole(term.KindAdded, c.new, k, versions)
			continue
		}
		for _, v := range versions {
			if slices.Contains(before[k], v) {
				c.resource(c.old.kinds[k.in(v)], c.new.kinds[k.in(v)])
			} else {
				c.whole(term.VersionAdded, c.new, k, []string{v})
			}
		}
		c.conversion(k, before[k], versions)
		c.unserved(k, before[k], versions)
	}
	for k, versions := range before {
		if len(after[k]) == 0 {
			c.whole(term.KindRemoved, c.old, k, versions)
			continue
		}
		for _, v := range versions {
			if !slices.Contains(after[k], v) {
				c.whole(term.VersionRemoved, c.old, k, []string{v})
			}
		}
	}
}

// in returns the kind in a version.
func (k groupKind) in(v string) versionKind {
	return versionKind{strings.TrimPrefix(k.group+"/"+v, "/"), k.kind}
}

// whole adds the difference of a kind, or of versions of it, that one release alone serves.
func (c served) whole(kind term.DifferenceKind, r release, k groupKind, versions []string) {
	d := Difference{Difference: kind, Group: k.group, Version: versions[0], Kind: k.kind, Type: r.roots[k.in(versions[0])]}
	d.Playable = isStored(r.kinds[k.in(versions[0])])
	for _, v := range versions {
		d.Places = append(d.Places, Place{APIVersion: k.in(v).apiVersion, Kind: k.kind})
	}
	served := strings.Join(versions, ", ")
	if kind == term.KindAdded || kind == term.VersionAdded {
		d.New = served
	} else {
		d.Old = served
	}
	c.other(d)
}

// resource compares what two releases serve of a kind in one version.
func (c served) resource(old, new published.Resource) {
	group, v := split(new.APIVersion)
	at := Difference{Group: group, Version: v, Kind: new.Kind, Places: []Place{{APIVersion: new.APIVersion, Kind: new.Kind}}}
	stored := isStored(old) && isStored(new)
	add := func(kind term.DifferenceKind, name, old, new string) {
		d := at
		d.Difference, d.Name, d.Old, d.New = kind, name, old, new
		d.Playable = stored && (name == term.StatusPart || kind.IsRule() && name == MetadataRules || name == term.ScalePart && (kind == term.SubresourceGone || kind == term.NamesChanged && scaled(old) != scaled(new)))
		c.other(d)
	}
	for _, sub := range missing(new.Subresources, old.Subresources) {
		add(term.SubresourceAdded, sub, "", sub)
	}
	for _, sub := range missing(old.Subresources, new.Subresources) {
		was := sub
		if sub == term.ScalePart {
			was = cmp.Or(old.Scale, sub) // its paths say which field it scales
		}
		add(term.SubresourceGone, sub, was, "")
	}
	c.selectable(old, new)
	changed := func(kind term.DifferenceKind, name string, old, new string) {
		if old != new {
			add(kind, name, old, new)
		}
	}
	if c.knowsNames() {
		changed(term.NamesChanged, "short names", listed(old.ShortNames), listed(new.ShortNames))
		changed(term.NamesChanged, "categories", listed(old.Categories), listed(new.Categories))
	}
	changed(term.NamesChanged, "plural", old.Plural, new.Plural)
	changed(term.NamesChanged, "singular", old.Singular, new.Singular)
	changed(term.NamesChanged, "list kind", old.ListKind, new.ListKind)
	changed(term.NamesChanged, "deprecated", old.Deprecated, new.Deprecated)
	changed(term.NamesChanged, "namespaced", strconv.FormatBool(old.Namespaced), strconv.FormatBool(new.Namespaced))
	if old.Scale != "" && new.Scale != "" {
		changed(term.NamesChanged, "scale", old.Scale, new.Scale)
	}
	switch {
	case old.Metadata == "":
		changed(term.RuleTightened, MetadataRules, "", new.Metadata)
	case new.Metadata == "":
		changed(term.RuleRelaxed, MetadataRules, old.Metadata, "")
	default:
		changed(term.RuleChanged, MetadataRules, old.Metadata, new.Metadata)
	}
	changed(term.ColumnsChanged, "", strings.Join(old.Columns, ", "), strings.Join(new.Columns, ", "))
}

// MetadataRules names the rules that a definition has for the metadata of its objects. A difference has them
// as JSON.
const MetadataRules = "metadata"

// scaled returns the field that a scale with these paths writes.
func scaled(paths string) string {
	field, _, _ := strings.Cut(paths, ", ")
	return field
}

// selectable compares the fields by which lists of a kind can be selected.
func (c served) selectable(old, new published.Resource) {
	group, v := split(new.APIVersion)
	at := Difference{Group: group, Version: v, Kind: new.Kind, Places: []Place{{APIVersion: new.APIVersion, Kind: new.Kind}}}
	stored := isStored(old) && isStored(new)
	for _, label := range missing(new.Selectable, old.Selectable) {
		d := at
		d.Difference, d.Name, d.New, d.Playable = term.SelectorAdded, label, label, stored
		c.other(d)
	}
	for _, label := range missing(old.Selectable, new.Selectable) {
		d := at
		d.Difference, d.Name, d.Old, d.Playable = term.SelectorRemoved, label, label, stored
		c.other(d)
	}
}

// knowsNames reports whether both releases say which other names kinds have: discovery does, and
// OpenAPI does not.
func (c served) knowsNames() bool { return c.old.Preferred != nil && c.new.Preferred != nil }

// listed returns words as text, in one order.
func listed(words []string) string {
	return strings.Join(slices.Sorted(slices.Values(words)), ", ")
}

// missing returns the words that another list lacks, sorted.
func missing(words, from []string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for _, w := range words {
			if !slices.Contains(from, w) && !yield(w) {
				return
			}
		}
	})
}

// conversion compares in which version a kind is stored, and how its versions are converted.
func (c served) conversion(k groupKind, before, after []string) {
	old, new := c.old.kinds[k.in(before[0])], c.new.kinds[k.in(after[0])]
	d := Difference{Group: k.group, Version: after[0], Kind: k.kind, Places: []Place{{APIVersion: new.APIVersion, Kind: k.kind}}, Playable: isStored(old) && isStored(new)}
	if old.StorageVersion != "" && new.StorageVersion != "" && old.StorageVersion != new.StorageVersion {
		s := d
		s.Difference, s.Old, s.New = term.StorageChanged, old.StorageVersion, new.StorageVersion
		c.other(s)
	}
	if old.Conversion != "" && new.Conversion != "" && old.Conversion != new.Conversion {
		d.Difference, d.Old, d.New = term.ConversionChanged, old.Conversion, new.Conversion
		c.other(d)
	}
}

// unserved compares the versions that definitions have and servers do not serve. One that is newer than what
// the old release stores was never stored: it was not served yet.
func (c served) unserved(k groupKind, before, after []string) {
	old, new := c.old.kinds[k.in(before[0])], c.new.kinds[k.in(after[0])]
	_, stored := split(old.StorageVersion)
	for _, v := range missing(old.Unserved, slices.Concat(after, new.Unserved)) {
		if !isNewer(v, stored) {
			c.other(Difference{Difference: term.UnservedRemoved, Group: k.group, Version: v, Kind: k.kind, Old: v, Places: []Place{{APIVersion: k.in(v).apiVersion, Kind: k.kind}}})
		}
	}
}

// isNewer reports whether a version was made after another one: v2alpha1 after v1, and v1 after v1beta1. Other
// words have no order.
func isNewer(a, b string) bool {
	one, other := versionName.FindStringSubmatch(a), versionName.FindStringSubmatch(b)
	if one == nil || other == nil {
		return false
	}
	number := func(text string) int { n, _ := strconv.Atoi(text); return n } // digits, or nothing
	stage := func(word string) int { return slices.Index([]string{"alpha", "beta", ""}, word) }
	return cmp.Or(cmp.Compare(number(one[1]), number(other[1])), cmp.Compare(stage(one[2]), stage(other[2])), cmp.Compare(number(one[3]), number(other[3]))) > 0
}

// versionName matches the name of a version: v1, v1beta2.
var versionName = regexp.MustCompile(`^v([0-9]+)(?:(alpha|beta)([0-9]+))?$`)

// preferred compares the preferred versions of the groups that both releases serve.
func (c served) preferred() {
	for _, group := range slices.Sorted(maps.Keys(c.new.Preferred)) {
		before, both := c.old.Preferred[group]
		after := c.new.Preferred[group]
		if !both || before == after {
			continue
		}
		d := Difference{Difference: term.PreferredChanged, Group: group, Version: after, Old: before, New: after}
		for at, r := range c.new.kinds {
			was := c.old.kinds[groupKind{group, at.kind}.in(before)]
			if r.APIVersion == (groupKind{group, at.kind}).in(after).apiVersion && isStored(r) && isStored(was) {
				d.Places, d.Playable = append(d.Places, Place{APIVersion: r.APIVersion, Kind: at.kind}), true
			}
		}
		c.other(d)
	}
}
