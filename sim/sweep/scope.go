package sweep

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/diff"
)

// Scope is the part of a comparison that a sweep plays. The zero value is all of it, each
// difference at its representative place.
type Scope struct {
	// Kinds, Paths and Gates restrict the sweep to differences of these kinds, at these fields and within
	// them, and of these feature gates and what is behind them. Nil: all.
	Kinds, Paths, Gates []string
	// AllPaths plays every place of each difference, and makes a row of each. Default: the
	// representative place of each difference.
	AllPaths bool
	// Shard and Shards are the part of the rows that is played, such as 1 of 4; 0 of 0: all.
	Shard, Shards int
	// Whole are the differences of the whole comparison, whatever part of them is played.
	Whole []diff.Difference
}

// IsPart reports whether a part of the comparison is played.
func (s Scope) IsPart() bool { return s.Shards > 1 || len(s.Kinds)+len(s.Paths)+len(s.Gates) > 0 }

// HasKind reports whether the sweep is about a kind.
func (s Scope) HasKind(apiVersion, kind string) bool {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind) || slices.Contains(s.Kinds, kind+"."+group)
}

// HasID reports whether the shard has what an ID names: a row, or a kind.
func (s Scope) HasID(id string) bool { return InShard(id, s.Shard, s.Shards) }

// HasUnexplained reports whether the sweep has the rows of a kind that no difference explains, whatever
// shows them: they are all in one shard. Paths and gates restrict a sweep to differences.
func (s Scope) HasUnexplained(apiVersion, kind string) bool {
	return len(s.Paths)+len(s.Gates) == 0 && s.HasID(apiVersion+" "+kind)
}

// Part is a difference, or one of its places, with the ID of its row.
type Part struct {
	ID string
	diff.Difference
}

// Over returns the scope over a comparison, and the parts of the comparison that are in it. The
// error names a kind, a path or a gate that no difference has.
func (s Scope) Over(d diff.Result) (Scope, []Part, error) {
	filter := diff.Filter{Kinds: s.Kinds, Paths: s.Paths, Gates: s.Gates}
	if err := filter.Check(d); err != nil {
		return s, nil, err
	}
	s.Whole = nil
	named := map[string]int{} // how many parts have an ID
	for _, p := range s.parts(d.Differences) {
		s.Whole = append(s.Whole, p.Difference)
		named[p.ID]++
	}
	var own []Part
	for _, whole := range d.Differences {
		d.Differences = []diff.Difference{whole}
		for _, p := range s.parts(filter.Apply(d).Differences) {
			if named[p.ID] > 1 && len(whole.Places) > 0 { // whatever part of them is played
				p.ID = PlaceID(whole, whole.Places[0])
			}
			own = append(own, p)
		}
	}
	own = withUniqueIDs(own)
	return s, slices.DeleteFunc(own, func(p Part) bool { return !s.HasID(p.ID) }), nil
}

// parts returns the parts of differences, each with its ID.
func (s Scope) parts(all []diff.Difference) (parts []Part) {
	for _, d := range all {
		if !s.AllPaths || len(d.Places) < 2 || d.Difference.IsGate() {
			parts = append(parts, Part{RowID(d), d})
			continue // a gate's places are different fields, which one row counts together
		}
		for _, p := range d.Places {
			own := d
			own.Group, own.Version = CutAPIVersion(p.APIVersion)
			own.Kind, own.Path, own.Places = p.Kind, p.Path, []diff.Place{p}
			parts = append(parts, Part{PlaceID(d, p), own})
		}
	}
	return parts
}

// withUniqueIDs numbers parts whose differences nothing else tells apart.
func withUniqueIDs(parts []Part) []Part {
	seen := map[string]int{}
	for i := range parts {
		id := parts[i].ID
		seen[id]++
		if n := seen[id]; n > 1 {
			parts[i].ID += "#" + strings.Repeat("i", n)
		}
	}
	return parts
}

// Places returns the places where a difference is played: of a gate each field that is behind
// it, once, and of anything else the representative place.
func Places(d diff.Difference) []diff.Place {
	switch {
	case len(d.Places) == 0 && d.Kind == "":
		return nil
	case len(d.Places) == 0:
		return []diff.Place{{APIVersion: GroupVersion(d.Group, d.Version), Kind: d.Kind, Path: d.Path}}
	case !d.Difference.IsGate():
		return d.Places[:1]
	}
	var places []diff.Place
	known := map[string]bool{}
	for _, p := range d.Places {
		if field := LastField(p.Path); !known[field] {
			known[field] = true
			places = append(places, p)
		}
	}
	return places
}

// everyPlace returns the places where a difference is, played or not: what a finding is about may be at any of
// them.
func everyPlace(d diff.Difference) []diff.Place {
	if d.Difference.IsGate() || len(d.Places) == 0 {
		return Places(d)
	}
	return d.Places
}
