package sweep

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// Target is an object that a sweep needs, for one difference or for several.
type Target struct {
	try.Target
	// Rows are the IDs of the rows that the object is for; empty for a baseline.
	Rows []string
	// Release is the one whose server takes the object, and through which copies are created.
	Release term.Role
	// Form is treated if the object uses what only the new release has.
	Form term.CopyRole
	// Without is the field, of the struct at Path, that the object must not have; "": none.
	Without string
	// Gates are the gates that the differences are behind.
	Gates []diff.Gate
	// Change are values, by path, that are sent to the object once it is stored, to the
	// subresource Part; nil: none. Without a change, Part is the subresource that differs itself.
	Change map[string]any
	Part   string
	// Alone reports that the other release does not serve the object's API version, Elsewhere
	// that it may serve the kind in another one.
	Alone, Elsewhere bool
	// Preferred reports that clients write in the version that the new release prefers, also
	// through the old one.
	Preferred bool
	// Unstated reports that a release refuses to create the object, by a rule that no release
	// states. The guide permits that ("new invalid: fails") as long as what is stored can be written.
	Unstated bool
	// Stated reports that a release states the rule that the object is for.
	Stated bool
	// Others are further versions in which the new release serves the kind, OwnOthers those of them in which the object's
	// own release does.
	Others, OwnOthers []string
	// Paired reports that a webhook converts the object's version to Others, and back.
	Paired bool
	// Withdrawn reports that clients use the object's API version at default settings, and the other
	// release does not serve it any more.
	Withdrawn bool
	// Beside reports that the other release is also sent another value of a field beside the one that
	// the object is for: servers may tolerate what is stored as long as nothing around it changes.
	Beside bool
	// Ruled is the path, in the object, of what the rule is of that the object is for, and Rule the rule's
	// text; "": it is for no rule.
	Ruled, Rule string
	// Hidden reports that no refusal has named the rule: a release that refuses the object for something else
	// does not evaluate it.
	Hidden bool
	// Neighbour is what Beside changes, by its path: see Neighbours. Nil: nothing can be changed.
	Neighbour map[string]any
	// Scaled is the field that the scale of the object's own release writes, where the other release's
	// writes another one; "": both write the same.
	Scaled string
	// Selector is the label by which lists of the object's own release can be selected, as the object has
	// it, and those of the other one cannot; "": none differs.
	Selector string
	// Shared reports that one manager adds a part of the list or map that the object holds a part of, and
	// another one applies the object without it. Keys are the members by which the list knows its elements.
	Shared bool
	Keys   []string
	// Emptied reports that the object holds a field that the new release removes, and is for a rule of the
	// struct that loses it. That the field is lost is the field's own row.
	Emptied bool
	// Apart reports that a release may store the kind in a version that the other one does not
	// know, which makes all objects of the resource unreadable there.
	Apart bool
}

// Baseline reports whether the object uses no difference: what happens to it happens to every
// object of its kind.
func (t Target) Baseline() bool { return len(t.Rows) == 0 }

// InPart reports whether the kind of an object belongs to a part of a sweep. What no published
// difference explains, and only servers show, is in the rows of that part alone.
func (t Target) InPart(s Scope) bool { return s.HasUnexplained(t.APIVersion, t.Kind) }

// MaxKinds is how many kinds two releases may serve for all of them to get a baseline. A sweep of more plays the kinds
// that differ; where programs convert, there may be more.
const MaxKinds = 25

// Options choose what a sweep plays.
type Options struct {
	Scope Scope
	// Parts are the rows of all shards.
	Parts []Row
	// Again are the IDs of rows that the gates lap plays although no gate says so, such as those
	// that no object reached at default settings.
	Again []string
	// Stored are kinds that get a baseline although no difference names them.
	Stored []Kind
	// Served are the kinds that each release serves and stores.
	Served map[term.Role][]Kind
	// Unconverted are kinds, as Kind.group, that are written in one version only: how their
	// versions are converted is not known.
	Unconverted []string
	// Unstored are the fields of kinds that the version in which a server stores them lacks.
	Unstored map[Kind][]string
	// Pairs are the pairs of versions that a webhook converts.
	Pairs []Pair
}

// Kind is a kind in one version.
type Kind struct{ APIVersion, Kind string }

// Differences returns the rows of the parts of a comparison, without outcomes.
func Differences(parts []Part) []Row {
	rows := make([]Row, len(parts))
	for i, p := range parts {
		rows[i] = Row{ID: p.ID, Difference: p.Difference, Reachable: Reachable(p.Difference)}
	}
	return rows
}

// Targets returns the objects that a lap of a sweep needs, a baseline for each kind among them.
// The same object is wanted once, whichever differences it is for.
func Targets(rows []Row, lap term.Lap, o Options) []Target {
	w := wantedOf(rows, lap, o)
	w.addPairs(o)
	parts := wanted{}
	if o.Scope.Shards > 1 {
		parts = wantedOf(o.Parts, lap, o)
	}
	w.all = append(w.all, w.baselines(parts.all, slices.Concat(rows, o.Parts), o)...)
	w.addStatuses(o)
	all := w.all
	apart := Unreadable(o.Scope.Whole)
	for i := range all {
		group, _ := CutAPIVersion(all[i].APIVersion)
		all[i].Apart = apart[GroupKind{Group: group, Kind: all[i].Kind}]
		all[i].Others = others(all[i], o)
		all[i].OwnOthers = slices.DeleteFunc(slices.Clone(all[i].Others), func(version string) bool {
			return !slices.Contains(o.Served[all[i].Release], Kind{version, all[i].Kind})
		})
		all[i].Paired = len(all[i].Others) > 0 && slices.ContainsFunc(o.Pairs, func(p Pair) bool { return p.isShownBy(all[i]) })
	}
	return all
}

// wantedOf wants the objects of rows.
func wantedOf(rows []Row, lap term.Lap, o Options) wanted {
	w := wanted{at: map[string]int{}}
	for _, row := range rows {
		if !row.Playable || !inLap(row, lap, o) || row.Difference.Difference == term.StorageChanged && slices.Contains(o.Unconverted, row.Kind+"."+row.Group) {
			continue // a webhook that is not known may convert what each of its versions lacks
		}
		for _, a := range AllAims()[row.Difference.Difference] {
			for _, place := range Places(row.Difference) {
				a.Unkept = a.Unkept || slices.Contains(o.Unstored[Kind{APIVersion: place.APIVersion, Kind: place.Kind}], place.Path)
				w.addValues(row, a, place, o.Scope.Whole)
			}
		}
		switch row.Difference.Difference {
		case term.FieldRemoved:
			w.emptied(row, rows)
		case term.VersionAdded:
			w.unstored(row, o)
		case term.StorageChanged:
			w.restored(row, o)
		case term.ListChanged:
			w.keyless(row, o.Scope.Whole)
		}
	}
	return w
}

// keyless wants an object with an element that lacks a key which only the other release's list has and requires:
// it cannot be told from other elements.
func (w *wanted) keyless(row Row, whole []diff.Difference) {
	for _, place := range Places(row.Difference) {
		for _, key := range NewKeys(row.Old, row.New) {
			at := diff.Place{APIVersion: place.APIVersion, Kind: place.Kind, Path: place.Path + "[]." + key}
			isNew := func(d diff.Difference) bool {
				return (d.Difference == term.RequiredAdded || d.Difference == term.FieldAdded) && slices.Contains(d.Places, at)
			}
			if !slices.ContainsFunc(whole, isNew) {
				continue // elements of the old list have it
			}
			for _, a := range AllAims()[term.RequiredAdded] {
				w.add(row, a, at)
			}
		}
	}
}

// others returns the versions, besides the object's own, in which the new release serves its kind.
func others(t Target, o Options) (versions []string) {
	group, _ := CutAPIVersion(t.APIVersion)
	if slices.Contains(o.Unconverted, t.Kind+"."+group) {
		return nil
	}
	for _, k := range o.Served[term.New] {
		if of, _ := CutAPIVersion(k.APIVersion); of == group && k.Kind == t.Kind && k.APIVersion != t.APIVersion {
			versions = append(versions, k.APIVersion)
		}
	}
	if isPaired := func(p Pair) bool { return p.Kind == (Kind{t.APIVersion, t.Kind}) }; slices.ContainsFunc(o.Pairs, isPaired) {
		return versions
	}
	return versions[:min(len(versions), 3)]
}

// inLap reports whether a lap plays a row. The lap with gates leaves out what is the same
// without them.
func inLap(row Row, lap term.Lap, o Options) bool {
	switch {
	case lap == term.GatesLap:
		return len(row.Gates) > 0 || !IsStable(row.Version) || slices.Contains(o.Again, row.ID)
	case row.Difference.Difference.IsGate():
		return IsPermitted(row.Difference)
	}
	return row.Reachable
}

// wanted are the targets of a lap, each once.
type wanted struct {
	all []Target
	at  map[string]int // by what distinguishes targets
}

// add wants the object of an aim at a place.
func (w *wanted) add(row Row, a Aim, place diff.Place) {
	if place.Path == "" && (a.Spot < AtKind || a.Spot == AtParts) && !a.Beyond {
		return // what differs is no field
	}
	t := Target{Release: a.Release, Form: a.Form, Gates: row.Gates}
	t.APIVersion, t.Kind, t.Path = place.APIVersion, place.Kind, place.Path
	what := LastField(place.Path)
	switch a.Spot {
	case AtParent:
		t.Path, t.Without = CutField(place.Path)
	case AtKind:
		t.Path, what = "", ""
	case AtStatus:
		t.Path, what = "."+term.StatusPart, term.StatusPart
		if row.Name == term.ScalePart { // of any object that has its fields
			t.Path, what, t.Part = "", term.ScalePart, term.ScalePart
		}
	case AtScale:
		t.Path, what, t.Part = "", "scaled", term.ScalePart
		t.Scaled, _, _ = strings.Cut(row.Old, ", ")
	case AtSelected:
		t.Selector = strings.TrimPrefix(row.Name, ".")
		t.Path, what = "."+t.Selector, "selected"
	case AtParts:
		if !row.losesParts() {
			return
		}
		t.Path, what, t.Shared, t.Keys = place.Path+"[]", "shared", true, KeysOf(row.Old)
	}
	if a.Beyond {
		if t.Value = Beyond(row.ofRelease(a.Release)); t.Value == nil {
			return // each value of the type is one of the other type
		}
		t.Alike = IsAnyOfType(row.ofRelease(a.Release))
		what += "-beyond"
	}
	if a.Twice {
		what += "-twice"
		own, other := row.ofRelease(a.Release)
		t.Differ, t.Same = Keys(own, other)
	}
	if a.Preferred { // both releases serve what the old one prefers
		t.APIVersion, what = GroupVersion(row.Group, row.Old), "preferred"
	}
	if a.Named && row.Name != "" {
		t.Value = row.Name
	}
	t.Alone, t.Elsewhere, t.Preferred, t.Beside = a.Alone, a.Elsewhere, a.Preferred, a.Beside
	if row.Difference.Difference == term.EnumValueAdded { // outside of lists servers tolerate what is stored
		t.Beside = strings.Contains(place.Path, anyElement)
	}
	t.Unkept, t.Twice = a.Unkept, a.Twice
	t.Withdrawn = row.Difference.Difference == term.VersionRemoved && row.Reachable
	t.Filled = a.Filled || t.Part == term.ScalePart || t.Beside && a.Spot == AtPath // so that a field beside it can change
	if t.Without != "" && (t.Beside || strings.HasPrefix(t.Path+".", "."+term.StatusPart+".")) {
		t.Filled, t.Except = true, []string{place.Path}
	}
	w.put(t, what, row.ID)
}

// addValues wants the objects of an aim at a place. Of a gate with values of an enum behind it, an
// object uses the gate only with such a value: those of the values' own rows.
func (w *wanted) addValues(row Row, a Aim, place diff.Place, whole []diff.Difference) {
	if !row.Difference.Difference.IsGate() || a.Spot != AtPath {
		w.add(row, a, place)
		return
	}
	values := Behind(row.Difference, place, whole)
	if len(values) == 0 {
		w.add(row, a, place)
	}
	for _, value := range values {
		row.Name, a.Named = value, true
		w.add(row, a, place)
	}
}

// ofRelease returns what a release says of a difference, and what the other one says.
func (r Row) ofRelease(role term.Role) (own, other string) {
	if role == term.Old {
		return r.Old, r.New
	}
	return r.New, r.Old
}

// emptied wants, for each rule that names a field which the new release removes, an object with the field: what
// is left of the struct there may break the rule.
func (w *wanted) emptied(row Row, rows []Row) {
	for _, place := range Places(row.Difference) {
		outer, name := CutField(place.Path)
		holder := diff.Place{APIVersion: place.APIVersion, Kind: place.Kind, Path: outer}
		for _, rule := range rows {
			if !rule.Playable || !rule.Difference.Difference.IsRule() || !Names(rule.Old+rule.New, name) || !slices.Contains(Places(rule.Difference), holder) {
				continue
			}
			t := Target{Release: term.Old, Form: term.Bystander, Gates: row.Gates, Beside: true, Emptied: true}
			t.APIVersion, t.Kind, t.Path, t.Filled = place.APIVersion, place.Kind, place.Path, true
			w.put(t, name+"-emptied", rule.ID)
		}
	}
}

// unstored wants an object with each field of a new version that the stored version lacks.
func (w *wanted) unstored(row Row, o Options) {
	for _, place := range Places(row.Difference) {
		for _, field := range o.Unstored[Kind{APIVersion: place.APIVersion, Kind: place.Kind}] {
			place.Path = field
			w.add(row, Aim{Release: term.New, Form: term.Treated, Alone: true, Elsewhere: true, Unkept: true}, place)
		}
	}
}

// restored wants an object with each field of the version that a release stores, and the version lacks
// that the other one stores.
func (w *wanted) restored(row Row, o Options) {
	for _, a := range []Aim{{Release: term.Old, Form: term.Bystander}, {Release: term.New, Form: term.Treated}} {
		version, _ := row.ofRelease(a.Release)
		place := diff.Place{APIVersion: GroupVersion(row.Group, version), Kind: row.Kind}
		for _, field := range o.Unstored[Kind{APIVersion: place.APIVersion, Kind: place.Kind}] {
			place.Path = field
			w.add(row, a, place)
		}
	}
}

// put adds a target, or the row to the target that is already wanted.
func (w *wanted) put(t Target, what, row string) {
	value, _ := t.Value.(string)
	t.ID = ObjectName(t.Kind, what, t.APIVersion, t.Path, t.Without, value, string(t.Release), string(t.Form))
	i, known := w.at[t.ID]
	if !known {
		i = len(w.all)
		w.at[t.ID] = i
		w.all = append(w.all, t)
	}
	if row != "" && !slices.Contains(w.all[i].Rows, row) {
		w.all[i].Rows = append(w.all[i].Rows, row)
	}
}

// baselines returns an object of each kind that the targets have and the old release serves, and
// of the stored kinds: what both releases do to it no difference explains. A kind of another part's
// targets has one in the part that the kind belongs to: see InPart.
func (w *wanted) baselines(others []Target, rows []Row, o Options) []Target {
	absent := map[string]bool{}
	for _, row := range rows {
		if k := row.Difference.Difference; k == term.KindAdded || k == term.VersionAdded || k == term.KindRemoved || k == term.VersionRemoved {
			absent[GroupVersion(row.Group, row.Version)+" "+row.Kind] = true
			absent[GroupVersion(row.Group, row.Version)+" "] = absent[GroupVersion(row.Group, row.Version)+" "] || row.Kind == ""
		}
	}
	plain := wanted{at: map[string]int{}}
	for i, t := range slices.Concat(w.all, others) {
		if t.isForPairs() || absent[t.APIVersion+" "+t.Kind] || absent[t.APIVersion+" "] || i >= len(w.all) && !t.InPart(o.Scope) {
			continue
		}
		plain.put(baselineOf(t.APIVersion, t.Kind), "plain", "")
	}
	for _, k := range slices.Concat(o.Stored, ofWholes(rows)) {
		if t := baselineOf(k.APIVersion, k.Kind); t.InPart(o.Scope) || o.hasRowOf(t, rows) {
			plain.put(t, "plain", "")
		}
	}
	return plain.all
}

// hasRowOf reports whether a part of a sweep has a row of an object's kind: what servers accept of the kind's
// fields may be that row's.
func (o Options) hasRowOf(t Target, rows []Row) bool {
	return len(o.Scope.Paths)+len(o.Scope.Gates) == 0 && slices.ContainsFunc(rows, func(r Row) bool {
		return r.Kind == t.Kind && GroupVersion(r.Group, r.Version) == t.APIVersion && o.Scope.HasID(r.ID)
	})
}

// ofWholes returns the kinds with a rule of whole objects, which only an object of the kind shows whose name
// is its own, or of the elements of a list, which a valid one has.
func ofWholes(rows []Row) (all []Kind) {
	for _, r := range rows {
		if r.Playable && r.Difference.Difference.IsRule() && (r.Path == "" || strings.HasSuffix(r.Path, "[]")) {
			for _, p := range Places(r.Difference) {
				all = append(all, Kind{p.APIVersion, p.Kind})
			}
		}
	}
	return all
}

// baselineOf is the target of a baseline: it has what the old release publishes.
func baselineOf(apiVersion, kind string) Target {
	return Target{Release: term.Old, Form: term.Bystander, Target: try.Target{APIVersion: apiVersion, Kind: kind, Filled: true}}
}

// Colliding returns the object of a target that lacks a field with another member of the field's struct, which a
// specimen holds; false: the specimen has no place for it.
func Colliding(t Target, specimen try.Specimen) (Object, bool) {
	held, err := path.Parse(specimen.Held)
	if err != nil || specimen.Object == nil || specimen.Subresource != "" || len(held) == 0 || held[len(held)-1].FieldName == nil {
		return Object{}, false
	}
	member := *held[len(held)-1].FieldName
	t.ID = ObjectName(t.Kind, t.Without, strings.Join(t.Rows, " "), member, "beside")
	t.Beside, t.Filled = true, false
	specimen.Object = runtime.DeepCopyJSON(specimen.Object)
	path.Remove(specimen.Object, memberPath(held[:len(held)-1], t.Without))
	specimen.Target, specimen.Held, specimen.Bystander = t.Target, path.String(held[:len(held)-1]), nil
	return Object{Target: t, Specimen: specimen}, true
}
