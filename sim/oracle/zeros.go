package oracle

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// Most types leave out what is empty or zero, and take a zero for nothing: they
// then fill in what they fill in for nothing. Which types tell a zero from
// nothing, no schema shows, but other answers may.

func isZero(leaf schema.Leaf) bool {
	return slices.Contains([]string{schema.Empty, `""`, "0", "false"}, leaf.Semantic)
}

// asGoodAsAbsent tells whether it means nothing that an answer does not show a
// value: it is a zero, and no answer tells it from nothing.
func (e *evidence) asGoodAsAbsent(l *life, n *entry) bool {
	role := e.acts[n.offered].Role
	instead, shown := n.in(e.leavesOf(l, e.acts[n.offered].Exchange.Answer))
	switch {
	case !isZero(n.leaf):
		return false
	case shown && e.tellsZero(l, n):
		return false
	case shown:
		return isZero(instead) || !e.keepsZero(l, n, newestFirst()...) && !e.leavesAlone(l, n, role)
	case n.leaf.Semantic == schema.Empty:
		return true
	case e.declares(role, l, n.leaf.Path):
		return !e.otherDefault(l, role, n.leaf) && !e.keepsZero(l, n, role)
	}
	return !e.keepsZero(l, n, newestFirst()...)
}

// tellsZero tells whether a zero can be no want of a value: it is a number or a
// truth value of the change itself. Types that take such a zero for nothing are
// a habit of old fields, and none that a new one may have.
func (e *evidence) tellsZero(l *life, n *entry) bool {
	return e.isChange(l, n.leaf.Path) && slices.Contains([]string{"0", "false"}, n.leaf.Semantic)
}

// otherDefault tells whether the release publishes a default for the path,
// other than the value.
func (e *evidence) otherDefault(l *life, role term.Role, leaf schema.Leaf) bool {
	k, _ := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	_, has := k.Default(leaf.Path)
	return has && !e.isPublishedDefault(l, role, leaf)
}

// spot is a path of a kind, in what a release answers.
type spot struct {
	apiVersion, kind, name string
	role                   term.Role
}

func spotOf(l *life, n *entry, role term.Role) spot {
	return spot{l.manifest.APIVersion, l.manifest.Kind, n.name, role}
}

// zeros are what is known of how releases treat a zero, and nothing, at a spot.
type zeros struct {
	kept  map[spot]bool // they have shown a zero that they were sent; nil: not asked yet
	alone map[spot]bool // they leave nothing alone
}

// keepsZero tells whether one of the releases has shown a zero that it was sent
// at the path.
func (e *evidence) keepsZero(l *life, n *entry, roles ...term.Role) bool {
	if e.zeros.kept == nil {
		e.zeros.kept = e.zerosKept()
	}
	return slices.ContainsFunc(roles, func(role term.Role) bool { return e.zeros.kept[spotOf(l, n, role)] })
}

func (e *evidence) zerosKept() map[spot]bool {
	kept := map[spot]bool{}
	for _, l := range e.byCopy {
		for _, n := range l.entries {
			if n.acknowledged && isZero(n.leaf) {
				kept[spotOf(l, n, e.acts[n.offered].Role)] = true
			}
		}
	}
	return kept
}

// leavesAlone tells whether the release fills nothing in at the path where
// nothing was sent: it made an object without it, and showed it without.
func (e *evidence) leavesAlone(l *life, n *entry, role term.Role) bool {
	at := spotOf(l, n, role)
	alone, asked := e.zeros.alone[at]
	if asked {
		return alone
	}
	if e.zeros.alone == nil {
		e.zeros.alone = map[spot]bool{}
	}
	e.zeros.alone[at] = slices.ContainsFunc(e.byCopy, func(other *life) bool {
		return other.manifest.APIVersion == at.apiVersion && other.manifest.Kind == at.kind && e.madeWithout(other, n, role)
	})
	return e.zeros.alone[at]
}

// madeWithout tells whether the release made the copy from a body that holds
// nothing at the path, and showed what is above it with nothing there.
func (e *evidence) madeWithout(l *life, n *entry, role term.Role) bool {
	act, ok := e.acts[l.created]
	if !ok || act.Role != role || act.Exchange.Sent == "" {
		return false
	}
	up := n.leaf.Path[:len(n.leaf.Path)-1]
	for _, leaves := range []schema.Leaves{e.leavesOf(l, act.Exchange.Sent), e.leavesOf(l, act.Exchange.Answer)} {
		if _, has := n.in(leaves); has || !below(leaves, up) {
			return false
		}
	}
	return true
}

// zerosLeftOut are the zeros of the change that the client was to send and that
// its own types, which have a place for them, left out: it meant them.
func (e *evidence) zerosLeftOut(l *life, act history.Operation, sent schema.Leaves) schema.Leaves {
	role, typed := act.Client.Role()
	if !typed || len(sent) == 0 || otherVersion(l, e.steps[act.Step].step) {
		return nil
	}
	left := leavesIn(l.kind, l.manifest.Body)
	maps.DeleteFunc(left, func(name string, leaf schema.Leaf) bool {
		_, has := sent[name]
		return has || !e.typesDeclare(role, l, leaf.Path) || !e.tellsZero(l, &entry{leaf: leaf})
	})
	return left
}
