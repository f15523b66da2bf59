package trace

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// SameBefore reports whether a copy with a past was in the same state when a call met it as the
// copy of the reference call. What the call names, and skewsim's own label, are ignored.
func SameBefore(ev *Evidence, tl *Timeline, number int, reference *Timeline, before int) bool {
	return maps.Equal(stateBefore(ev, tl, number), stateBefore(ev, reference, before))
}

// SendSame reports whether two calls send the same values. Names of copies, and skewsim's own label, are
// ignored.
func SendSame(ev *Evidence, tl *Timeline, number int, reference *Timeline, before int) bool {
	return maps.Equal(sent(ev, tl, number), sent(ev, reference, before))
}

// sent returns the values that a call sends, normalized so that equal values are equal texts.
func sent(ev *Evidence, tl *Timeline, number int) map[string]string {
	label := fieldpath.MakePathOrDie("metadata", "labels", plan.TouchLabel)
	all := map[string]string{}
	for name, leaf := range ev.LeavesOf(tl, ev.Acts[number].Exchange.Sent) {
		if !path.Contains(label, leaf.Path) {
			all[NeutralText(ev, tl, number, name)] = Neutral(ev, tl, number, leaf)
		}
	}
	return all
}

// stateBefore returns the values that a call met, normalized so that equal values are equal
// texts.
func stateBefore(ev *Evidence, tl *Timeline, number int) map[string]string {
	names := append(NamedPaths(tl.Manifest.Kind, ev.Steps[number].Step), fieldpath.MakePathOrDie("metadata", "labels", plan.TouchLabel))
	all := map[string]string{}
	for name, leaf := range ev.LeavesOf(tl, ShownBefore(ev, tl, number)) {
		own := slices.ContainsFunc(names, func(p fieldpath.Path) bool { return path.Contains(p, leaf.Path) })
		if !own && !IsVoid(leaf) && IsSettled(ev, tl, leaf.Path) {
			all[NeutralText(ev, tl, number, name)] = Neutral(ev, tl, number, leaf)
		}
	}
	return all
}

// Effect is what a call changed, by path.
type Effect map[string]Turn

// IsDrawn reports whether both calls set a value where none existed, so that it may be one that
// a server generates for each object.
func IsDrawn(a, b Turn) bool { return a.Has && b.Has && !a.Had && !b.Had }

// NamesOf returns the names of the values in either of two effects, sorted.
func NamesOf(a, b Effect) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}

// EffectOf returns what a call changed between what its server showed before it and its answer,
// on paths that the old release publishes, except what the call names itself. It returns false if
// the effect is not known.
func EffectOf(ev *Evidence, tl *Timeline, number int) (Effect, bool) {
	return EffectOn(ev, tl, number, func(p0 *Timeline, p1 fieldpath.Path) bool { return IsSettled(ev, p0, p1) })
}

// EffectOn is EffectOf on the paths for which counts returns true.
func EffectOn(ev *Evidence, tl *Timeline, number int, counts func(*Timeline, fieldpath.Path) bool) (Effect, bool) {
	before, after := ShownBefore(ev, tl, number), ShownAfter(ev, tl, number)
	if before == "" || after == "" {
		return nil, false
	}
	was, is := ev.LeavesOf(tl, before), ev.LeavesOf(tl, after)
	own := NamedPaths(tl.Manifest.Kind, ev.Steps[number].Step)
	all := Effect{}
	for _, name := range Union(was, is) {
		t := Turn{}
		t.Before, t.Had = was[name]
		t.After, t.Has = is[name]
		t.Path = t.Before.Path
		if t.Has {
			t.Path = t.After.Path
		}
		mine := slices.ContainsFunc(own, func(p fieldpath.Path) bool { return path.Contains(p, t.Path) })
		if mine || IsServedAlike(t.Before, t.After) || !counts(tl, t.Path) {
			continue
		}
		t.Meaning = "gone"
		if t.Has {
			t.Meaning = Neutral(ev, tl, number, t.After)
		}
		all[NeutralText(ev, tl, number, name)] = t
	}
	return all, true
}

// IsSettled reports whether a rule can judge the value of a path: the old release publishes it,
// and servers do not own it.
func IsSettled(ev *Evidence, tl *Timeline, p fieldpath.Path) bool {
	return ev.Declares(term.Old, tl, p) && !slices.ContainsFunc(ServerOwned(), func(own fieldpath.Path) bool { return path.Contains(own, p) })
}

// ShownBefore returns the answer that showed the copy as it was before the call, by the release
// that is called: releases can serve one stored value differently. Answers that an overlapping
// step may have received after the call, or that show its result, do not count.
func ShownBefore(ev *Evidence, tl *Timeline, number int) string {
	act, found := ev.Acts[number], NoObservation()
	newest, revision := int64(0), act.Exchange.Revision
	v := tl.Version(revision)
	wrote := v != nil && v.Step == number
	for _, obs := range tl.Observations {
		earlier := obs.Step < number || obs.Step == number && obs.Purpose == history.Read
		later := revision > 0 && (obs.Revision > revision || wrote && obs.Revision == revision)
		if !earlier || !obs.ShowsObject() || obs.Types != "" || later {
			continue
		}
		newest = max(newest, obs.Revision)
		if obs.Role == act.Role && obs.Revision >= found.Revision {
			found = obs
		}
	}
	if v := OverwrittenVersion(ev, tl, number); v != nil && v.Change.Revision > found.Revision {
		return ViewBy(v, act.Role) // the servers themselves wrote it since
	}
	if found.Revision < newest {
		return "" // written since, and not shown by this release
	}
	return found.Answer
}

// OverwrittenVersion returns the stored version that a call met: the newest before the one that
// the call itself made, if it made one. It returns nil if the record does not show it.
func OverwrittenVersion(ev *Evidence, tl *Timeline, number int) *StoredVersion {
	revision := ev.Acts[number].Exchange.Revision
	if revision == 0 {
		return nil
	}
	var met *StoredVersion
	for i := range tl.Versions {
		v := &tl.Versions[i]
		own := v.Step == number
		if v.Change.Revision > revision || own {
			break
		}
		met = v
	}
	return met
}

// ViewBy returns how a release showed a stored version, as it was sent; "" if it did not.
func ViewBy(v *StoredVersion, role term.Role) string {
	for _, obs := range v.Views[role] {
		if obs.ShowsObject() && obs.Types == "" {
			return obs.Answer
		}
	}
	return ""
}

// ShownAfter returns the answer to the call if it shows the copy in its own version and as it was
// sent, else what the same release showed right after it: an object that a client's types decoded
// from protobuf can differ from its JSON.
func ShownAfter(ev *Evidence, tl *Timeline, number int) string {
	act := ev.Acts[number]
	if act.Exchange.AnswerBytes == "" && HasOwnForm(ev, tl, act.Exchange.Answer) {
		return act.Exchange.Answer
	}
	for _, obs := range tl.Observations {
		if obs.Step == number && obs.Purpose == history.Look && obs.Role == act.Role && obs.ShowsObject() {
			return obs.Answer
		}
	}
	return ""
}

// HasOwnForm reports whether a body is the object itself, in the copy's own version: not its
// scale, and not the Status of its deletion.
func HasOwnForm(ev *Evidence, tl *Timeline, digest string) bool {
	if !ev.History.HasObject(digest) {
		return false
	}
	leaves := ev.LeavesOf(tl, digest)
	return leaves[".kind"].Value == tl.Manifest.Kind && leaves[".apiVersion"].Value == tl.Manifest.APIVersion
}

// Neutral returns a value without names of the copy or the step. All times are equal.
func Neutral(ev *Evidence, tl *Timeline, number int, leaf schema.Leaf) string {
	if strings.HasPrefix(leaf.Semantic, "time ") {
		return "some time"
	}
	return NeutralText(ev, tl, number, leaf.Semantic)
}

// NeutralText returns a text without names of the copy or the step.
func NeutralText(ev *Evidence, tl *Timeline, number int, text string) string {
	text = WithoutName(ev, tl, text)
	if step := ev.Steps[number].Step; step.Change != nil {
		text = strings.ReplaceAll(text, step.Mark(), "TOUCH")
	}
	return text
}

// WithoutName returns a text without the name of the copy. Without a namespace its object is named after the
// scenario too, in one of two ways.
func WithoutName(ev *Evidence, tl *Timeline, text string) string {
	return strings.NewReplacer(ev.History.Header.Plan.ObjectName(tl.Copy, false), "NAME", tl.Copy.Name, "NAME").Replace(text)
}

// IsDefault reports whether a default produced the new value: it is the default that the release
// publishes, or nobody sent a value where none existed. Values of the status are computed and
// do not count.
func IsDefault(ev *Evidence, tl *Timeline, number int, came Turn) bool {
	act := ev.Acts[number]
	computed := path.Contains(StatusPath(), came.Path) && HasStatus(ev.Trace, tl, act.Role)
	return ev.IsPublishedDefault(tl, act.Role, came.After) || !came.Had && !computed && !WasSent(ev, tl, act, came.Path)
}

// WasSent reports whether the request of a call had a value at the path.
func WasSent(ev *Evidence, tl *Timeline, act history.Operation, p fieldpath.Path) bool {
	if act.Exchange.Sent == "" || !ev.History.HasObject(act.Exchange.Sent) {
		return false
	}
	_, sent := ev.LeavesOf(tl, act.Exchange.Sent)[path.String(p)]
	return sent
}
