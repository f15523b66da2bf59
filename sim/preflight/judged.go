package preflight

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// Judged collects the findings of a hop. The zero value is empty.
type Judged struct {
	findings, baseline []Finding
	seen               map[identity]bool
	seenBefore         map[baselineIdentity]bool // those of the baseline
	pathsBack          map[string][]string       // of the findings on the way back, by their objects
	excluded           map[string]bool           // keys
	kinds              map[string]*Kind
	defaulted          map[Default]int // without their counts
	// returned are values that only the newer release shows: those that a write of the older one destroys are
	// stored, all others are defaults.
	returned         []Finding
	owners, managers map[owned]string
}

// owned is an object as owner references name it, in a namespace: Deployment web.
type owned struct{ namespace, name string }

// Count counts an object of the source, and notes its owner.
func (j *Judged) Count(r *reading.Record) {
	j.kind(GroupOf(r.APIVersion), r.Kind).Objects++
	if j.owners == nil {
		j.owners, j.managers = map[owned]string{}, map[owned]string{}
	}
	o := owned{r.Namespace, r.Kind + " " + r.Name}
	owner, manager := ownership(r.Object)
	if owner != "" {
		j.owners[o] = owner
	}
	if manager != "" {
		j.managers[o] = manager
	}
}

// root returns the root owner of what an object owns. What an owner reference names may own itself
// in a store that nobody collected, so the way up is limited.
func (j *Judged) root(namespace, owner string) string {
	const most = 8
	for range most {
		above := j.owners[owned{namespace, owner}]
		if above == "" {
			break
		}
		owner = above
	}
	return owner
}

// concluded returns findings in their order, with their root owners, and what manages these if nothing
// says it of the objects.
func (j *Judged) concluded(all []Finding) []Finding {
	for i, f := range all {
		all[i].Owner = j.root(f.Namespace, f.Owner)
		if f.Manager == "" {
			all[i].Manager = j.managers[owned{f.Namespace, all[i].Owner}]
		}
	}
	sortFindings(all)
	return all
}

// GroupOf returns the group of a version; "" for the core group.
func GroupOf(apiVersion string) string {
	if group, _, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group
	}
	return ""
}

func (j *Judged) kind(group, kind string) *Kind {
	if j.kinds == nil {
		j.kinds = map[string]*Kind{}
	}
	key := group + " " + kind
	if j.kinds[key] == nil {
		j.kinds[key] = &Kind{Group: group, Kind: kind, Outcomes: map[term.Outcome]int{}}
	}
	return j.kinds[key]
}

// Exclude leaves an object out from now on, because a server wrote it by itself.
func (j *Judged) Exclude(key string) {
	if j.excluded == nil {
		j.excluded = map[string]bool{}
	}
	j.excluded[key] = true
}

// Excluded reports whether an object is left out.
func (j *Judged) Excluded(key string) bool { return j.excluded[key] }

// AddBaseline adds findings of the first release alone.
func (j *Judged) AddBaseline(all ...Finding) {
	if j.seenBefore == nil {
		j.seenBefore = map[baselineIdentity]bool{}
	}
	for _, f := range all {
		j.seenBefore[baselineIdentity{f.key(), f.Release}] = true
	}
	j.baseline = append(j.baseline, all...)
}

// Unready adds that a server is not ready. What starts of the first release alone show is the baseline: of several, the
// last one counts. A later server that waits for no other kinds than the first release did is no finding, and the newer
// release that is not ready again after the rollback is the finding that it was before.
func (j *Judged) Unready(f Finding) {
	if f.Phase == PhaseBaseline {
		if i := slices.IndexFunc(j.baseline, func(b Finding) bool { return b.Release == f.Release && b.key() == f.key() }); i >= 0 {
			j.baseline[i] = f
		} else {
			j.AddBaseline(f)
		}
		return
	}
	asBadly := func(b Finding) bool {
		return b.Outcome == term.NotReady && b.Path == f.Path && b.Serves == f.Serves && !slices.ContainsFunc(f.Unread, func(kind string) bool { return !slices.Contains(b.Unread, kind) })
	}
	again := func(b Finding) bool { return b.Release == f.Release && asBadly(b) }
	if f.Serves && slices.ContainsFunc(j.baseline, asBadly) || slices.ContainsFunc(j.findings, again) {
		return
	}
	j.Add(f)
}

// Add adds findings. One that an earlier phase has shown for the same object, class, direction and
// path is left out. A value that returns with the newer release is a finding only if it turns out to be stored.
func (j *Judged) Add(all ...Finding) {
	if j.seen == nil {
		j.seen, j.pathsBack = map[identity]bool{}, map[string][]string{}
	}
	for _, f := range all {
		if f.Outcome == term.Hidden && f.Direction == Up {
			j.returned = append(j.returned, f)
			continue
		}
		if j.Has(f) {
			continue
		}
		j.seen[f.key()] = true
		if f.Direction == Back {
			j.pathsBack[f.object()] = append(j.pathsBack[f.object()], f.Path)
		}
		j.findings = append(j.findings, f)
	}
}

// Findings returns all findings, the worst first.
func (j *Judged) Findings() []Finding { return j.concluded(j.all()) }

// all returns the findings, with the values that return with the newer release and are stored.
func (j *Judged) all() []Finding { return slices.Concat(j.findings, j.leftovers()) }

// leftovers returns the values that only the newer release shows, and that a write of the older one destroys:
// a default would be there again.
func (j *Judged) leftovers() (all []Finding) {
	lost := map[string][]string{} // paths by objects
	for _, f := range j.findings {
		if f.Outcome == term.Lost && f.Direction == Back && f.Phase == PhaseWritten {
			lost[f.object()] = append(lost[f.object()], f.Path)
		}
	}
	for _, f := range j.returned {
		if slices.ContainsFunc(lost[f.object()], func(at string) bool { return Above(at, f.Path) || Above(f.Path, at) }) {
			all = append(all, f)
		}
	}
	return all
}

// Baseline returns the findings of the first release alone.
func (j *Judged) Baseline() []Finding { return j.concluded(j.baseline) }

func sortFindings(all []Finding) {
	worstFirst := Outcomes()
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(slices.Index(worstFirst, a.Outcome), slices.Index(worstFirst, b.Outcome)), strings.Compare(string(b.Direction), string(a.Direction)),
			strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
}

// Kinds returns the kinds with their objects by outcome.
func (j *Judged) Kinds() (all []Kind) {
	type object struct {
		outcome                      term.Outcome
		group, kind, namespace, name string
	}
	counted := map[object]bool{}
	for _, k := range j.kinds {
		k.Outcomes = map[term.Outcome]int{}
	}
	for _, f := range j.all() {
		o := object{f.Outcome, f.Group, f.Kind, f.Namespace, f.Name}
		if f.Kind == "" || counted[o] {
			continue
		}
		counted[o] = true
		j.kind(f.Group, f.Kind).Outcomes[f.Outcome]++
	}
	for _, k := range j.kinds {
		all = append(all, *k)
	}
	slices.SortFunc(all, func(a, b Kind) int { return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind)) })
	return all
}

// Default counts an object in which a release fills in fields.
func (j *Judged) Default(group, kind string, paths []string) {
	if j.defaulted == nil {
		j.defaulted = map[Default]int{}
	}
	for _, p := range paths {
		j.defaulted[Default{Group: group, Kind: kind, Path: p}]++
	}
}

// Defaulted returns the fields that a release fills in, with how many objects. What is stored is not filled in.
func (j *Judged) Defaulted() []Default {
	all, stored := []Default{}, map[Default]int{}
	for _, f := range j.leftovers() {
		stored[Default{Group: f.Group, Kind: f.Kind, Path: f.Path}]++
	}
	for d, n := range j.defaulted {
		if d.Objects = n - stored[d]; d.Objects == 0 {
			continue
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b Default) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Group, b.Group), strings.Compare(a.Path, b.Path))
	})
	return all
}

// CauseOf identifies what findings of several objects have in common: release, kind, path, class, and what the server
// said, apart from numbers: it may name more fields than the path.
func CauseOf(f Finding) string {
	_, said, _ := strings.Cut(f.Message, ": ")
	return strings.Join([]string{f.Release, f.Group, f.Kind, f.Path, string(f.Outcome), WithoutAmounts(said)}, "\n")
}

// amounts finds numbers that are no part of a name or a version.
var amounts = regexp.MustCompile(`(^|[\s(])[0-9]+(?:\.[0-9]+)?x?\b`)

// WithoutAmounts returns what a server says without its numbers: an amount that is computed for each object is no
// cause of its own.
func WithoutAmounts(message string) string { return amounts.ReplaceAllString(message, "$1") }

// Has reports whether there is a finding of the same class, direction and path about the same
// object.
func (j *Judged) Has(f Finding) bool { return j.seen[f.key()] }

// identity is the part of a finding that no two findings have in common.
type identity struct {
	outcome                            term.Outcome
	direction                          Direction
	group, kind, namespace, name, path string
}

// baselineIdentity is the identity of a finding of the baseline, which is that of one release.
type baselineIdentity struct {
	identity
	release string
}

func (f Finding) key() identity {
	return identity{f.Outcome, f.Direction, f.Group, f.Kind, f.Namespace, f.Name, f.Path}
}

// Already reports whether the first release has the finding too.
func (j *Judged) Already(f Finding) bool {
	return slices.ContainsFunc(j.baseline, func(b Finding) bool {
		return b.Outcome == f.Outcome && b.object() == f.object() && b.Path == f.Path
	})
}

// Asks reports whether a finding is one of a hop or of its baseline, so that a fix is looked for.
func (j *Judged) Asks(f Finding) bool {
	return j.Has(f) || j.seenBefore[baselineIdentity{f.key(), f.Release}]
}

// Fix notes what makes findings go away, by their causes: those of the baseline included.
func (j *Judged) Fix(all map[string]string) {
	for _, of := range [][]Finding{j.findings, j.baseline} {
		for i, f := range of {
			if fix := all[CauseOf(f)]; fix != "" {
				of[i].Fix = fix
			}
		}
	}
}
