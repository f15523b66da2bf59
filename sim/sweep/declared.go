package sweep

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// declared returns the rows without those of what servers answer that a published difference explains. What
// was played for such a row counts for that of the difference.
func declared(rows []Row) (kept []Row) {
	also := map[string][]string{} // by the row of the difference
	for _, r := range rows {
		i := DeclaredBy(rows, r)
		if i < 0 {
			kept = append(kept, r)
			continue
		}
		also[rows[i].ID] = append(also[rows[i].ID], r.ID)
	}
	for i, r := range kept {
		kept[i].also = also[r.ID]
	}
	return kept
}

// DeclaredBy returns which row is of a published difference that is why servers answer differently at the
// field of another row; -1: none.
func DeclaredBy(rows []Row, shown Row) int {
	return slices.IndexFunc(rows, func(of Row) bool { return of.declares(shown) })
}

// declares reports whether a row is of a published difference that is why servers answer differently at the
// field of another row.
func (r Row) declares(shown Row) bool {
	if shown.Name != Unstated || r.Name == Unstated || !r.Playable {
		return false
	}
	return slices.ContainsFunc(Places(r.Difference), func(p diff.Place) bool {
		return p.Kind == shown.Kind && p.APIVersion == GroupVersion(shown.Group, shown.Version) && r.isAbout(p.Path, shown.Path)
	})
}

// isAbout reports whether a difference at a path is about a field: its own, or, of a rule, a member that the
// rule names.
func (r Row) isAbout(path, field string) bool {
	switch k := r.Difference.Difference; {
	case k == term.SubresourceGone:
		return slices.Contains(strings.Split(r.Old, ", "), field) // what a scale scales
	case k == term.FieldAdded || k == term.FieldRemoved || k.IsGate():
		return false
	case k.IsRule() && (strings.Contains(r.Old+r.New, "self") || strings.Contains(r.Old+r.New, `"required"`)):
		return (path == "" || Within(field, path)) && regexp.MustCompile(`\b`+regexp.QuoteMeta(LastField(field))+`\b`).MatchString(r.Old+r.New)
	default:
		return isSameField(path, field)
	}
}

// isSameField reports whether two paths are of one field. Either may name the entry of a map where the other one
// has any entry.
func isSameField(a, b string) bool {
	one, other := parseField(a), parseField(b)
	return len(one) > 0 && slices.EqualFunc(one, other, func(x, y string) bool { return x == y || x == anyElement || y == anyElement })
}
