package oracle

import (
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// relatedPaths are the groups of paths that servers keep in step: whoever
// changes one of a group means all of it.
func relatedPaths(p plan.Plan) [][]fieldpath.Path { return groupsOf(p.Related) }

func groupsOf(all [][]string) [][]fieldpath.Path {
	var groups [][]fieldpath.Path
	for _, texts := range all {
		var group []fieldpath.Path
		for _, text := range texts {
			if at, err := path.Parse(text); err == nil {
				group = append(group, at)
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// meant are paths with those of each group that one of them is about: it leads
// to a path of the group, above it or below it.
func (e *evidence) meant(names []fieldpath.Path) []fieldpath.Path {
	all := slices.Clone(names)
	for _, group := range e.related {
		if slices.ContainsFunc(group, func(p fieldpath.Path) bool { return isAbout(names, p) }) {
			all = append(all, group...)
		}
	}
	return all
}

func isAbout(names []fieldpath.Path, p fieldpath.Path) bool {
	return slices.ContainsFunc(names, func(name fieldpath.Path) bool {
		return path.Contains(name, p) || path.Contains(p, name)
	})
}

// carriedBeside is the member of a related group that a write carried as it was,
// where it lost a value of another member: the server was told all that it needs
// to keep the group in step. Nil: there is none.
func (w write) carriedBeside() fieldpath.Path {
	if w.v == nil || otherVersion(w.l, w.step) {
		return nil
	}
	sent := leavesIn(w.l.kind, plainly(w.l.manifest.Kind, w.e.history.Object(w.act.Exchange.Sent)))
	for _, group := range w.e.related {
		if !slices.ContainsFunc(group, func(p fieldpath.Path) bool { return path.Contains(p, w.n.leaf.Path) }) {
			continue
		}
		for _, member := range group {
			if !path.Contains(member, w.n.leaf.Path) && w.sendsAsItWas(member, sent) {
				return member
			}
		}
	}
	return nil
}

// sendsAsItWas tells whether the request holds at a path just what the stored
// version that it met was seen to hold there.
func (w write) sendsAsItWas(at fieldpath.Path, sent schema.Leaves) bool {
	before := w.l.previous(w.v)
	if before == nil {
		return false
	}
	now := within(at, sent)
	return len(now) > 0 && slices.ContainsFunc(newestFirst(), func(role term.Role) bool {
		return slices.ContainsFunc(before.views[role], func(s *sight) bool {
			return maps.Equal(now, within(at, w.e.leavesOf(w.l, s.answer)))
		})
	})
}

// within are the values at a path and below it.
func within(at fieldpath.Path, leaves schema.Leaves) map[string]string {
	all := map[string]string{}
	for name, leaf := range leaves {
		if path.Contains(at, leaf.Path) {
			all[name] = leaf.Semantic
		}
	}
	return all
}

// keptBeside is the related path that shows that a server could have kept what a
// client did not carry back: the guide has it do so. Nil: there is none, or the
// value was lost otherwise.
func (e *evidence) keptBeside(l *life, n *entry, lost loss, why term.Cause) fieldpath.Path {
	switch why {
	case term.ClientOmitted, term.ReadHidden, term.ApplyReleased:
		v := lost.version
		return write{e: e, l: l, n: n, v: v, act: e.acts[v.step], step: e.steps[v.step].step}.carriedBeside()
	}
	return nil
}
