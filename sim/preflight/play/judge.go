package play

import (
	"encoding/json"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// judgement judges the readings of a hop.
type judgement struct {
	judged   preflight.Judged
	versions map[term.Role]string
	fields   map[term.Role]*mask.Fields
	rollback bool
	// filled is the revision of the last object of the source: what is newer, servers wrote.
	filled    int64
	written   map[string]int  // kinds that servers wrote by themselves
	internal  map[string]bool // kinds that servers store for themselves, and do not serve
	revisedBy map[string]bool // objects whose pods' template a revision keeps
	policies  preflight.Policies
	webhooks  []Webhooks
	spaces    map[string]map[string]string // the labels of namespaces
	standing  standing
	gone      []preflight.Deleted
	// other reports whether the release that the objects do not come from serves a kind, and lacks the version that
	// is stored.
	other  func(r *reading.Record) (served, lacks bool)
	readAs map[string]string // the versions of custom resources, by their keys
}

// baseline judges the first release alone.
func (j *judgement) baseline(base taken) error {
	j.judged.AddBaseline(preflight.FailingLists(nil, base.lists, j.versions[base.role], base.phase, j.direction())...)
	return reading.Each(base.file, func(r *reading.Record) error {
		if r.Form == "" && j.internal[r.Kind] {
			j.judged.Exclude(r.Key)
			return nil
		}
		if j.judged.Excluded(r.Key) {
			return nil
		}
		j.note(base, r)
		if r.Revision > j.filled || r.Gone {
			j.wrote(r)
			return nil
		}
		if r.Form == "" && r.Kind == "" {
			r = ofKey(r)
			j.judged.Count(r)
			j.judged.AddBaseline(preflight.NoObject(j.seen(base, r), j.direction()))
			return nil
		}
		j.judged.Count(r)
		if j.rollback {
			j.standing.note(r)
		}
		if f, is := j.unread(base, r); is {
			j.judged.AddBaseline(f)
			return nil
		}
		j.judged.AddBaseline(preflight.Alone(j.seen(base, r), j.direction())...)
		j.judged.AddBaseline(preflight.Unlisted(nil, j.seen(base, r), j.direction())...)
		if !j.rollback {
			j.judged.Add(preflight.Permissions(j.seen(base, r), j.versions[term.Old], j.versions[term.New])...)
		}
		return nil
	})
}

// unread returns the finding about an object of a kind that neither release serves; false if one does.
func (j *judgement) unread(base taken, r *reading.Record) (f preflight.Finding, is bool) {
	if r.Form != "" || j.other == nil {
		return f, false
	}
	served, lacks := j.other(r)
	other := j.versions[term.New]
	if j.rollback {
		other = j.versions[term.Old]
	}
	return preflight.Unread(j.seen(base, r), j.direction(), other, lacks), !served
}

// ofKey returns the record of a value that names no kind, under a key that no server uses: the key is all that is
// known of it.
func ofKey(r *reading.Record) *reading.Record {
	named := *r
	named.Kind, named.Namespace, named.Name = preflight.StrayKey, "", r.Key
	return &named
}

// directions are those that are played.
func (j *judgement) directions() []preflight.Direction {
	if j.rollback {
		return []preflight.Direction{preflight.Back}
	}
	return []preflight.Direction{preflight.Up, preflight.Back}
}

// note notes what is needed to judge other objects: whose template a revision keeps, the labels of
// namespaces, and admission policies.
func (j *judgement) note(base taken, r *reading.Record) {
	j.policies.Note(j.seen(base, r))
	if r.Decodes() && r.IsCustom() {
		j.readAs[r.Key] = r.Form
	}
	var object map[string]any
	if json.Unmarshal(r.Object, &object) != nil {
		return
	}
	if of := template.RevisionOf(object, r.Namespace); of != "" {
		j.revisedBy[of] = true
	}
	if r.Kind == "Namespace" {
		j.spaces[r.Name] = labelsOf(object)
	}
}

// direction is the one that the first release is asked for.
func (j *judgement) direction() preflight.Direction {
	if j.rollback {
		return preflight.Back
	}
	return preflight.Up
}

// wrote notes an object that a server wrote by itself.
func (j *judgement) wrote(r *reading.Record) {
	j.judged.Exclude(r.Key)
	j.written[r.Kind]++
}

// each calls each with what two readings show of the objects that no server wrote by itself before
// the second reading began.
func (j *judgement) each(first, second taken, each func(first, second preflight.Seen) error) error {
	return reading.Compare(first.file, second.file, func(a, b *reading.Record) error {
		if j.judged.Excluded(present(a, b).Key) {
			return nil
		}
		if a == nil || b == nil || b.Gone {
			j.wrote(present(a, b))
			if a != nil {
				j.deleted(second, a)
			}
			if a == nil {
				j.meets(second, b, true)
			}
			return nil
		}
		if b.Revision > first.until && b.Revision <= second.until {
			j.wrote(b)
			j.meets(second, b, false)
			return nil
		}
		return each(j.seen(first, a), j.seen(second, b))
	})
}

func present(a, b *reading.Record) *reading.Record {
	if a != nil {
		return a
	}
	return b
}

// worse adds what is wrong with an object for the second release, and was not for the first one.
func (j *judgement) worse(first, second preflight.Seen, d preflight.Direction) {
	j.judged.Add(preflight.Worse(first, second, d)...)
	j.judged.Add(preflight.Unlisted(&first, second, d)...)
}

// lists adds the LISTs that fail in the second reading alone.
func (j *judgement) lists(first, second taken, d preflight.Direction) {
	j.judged.Add(preflight.FailingLists(first.lists, second.lists, j.versions[second.role], second.phase, d)...)
}

// mixed judges the older release beside the newer one.
func (j *judgement) mixed(before, beside taken) error {
	j.lists(before, beside, preflight.Up)
	return j.each(before, beside, func(a, b preflight.Seen) error {
		j.worse(a, b, preflight.Up)
		return nil
	})
}

// upgrade judges the newer release alone.
func (j *judgement) upgrade(before, alone taken) error {
	j.lists(before, alone, preflight.Up)
	return j.each(before, alone, func(a, b preflight.Seen) error {
		j.worse(a, b, preflight.Up)
		j.standing.note(b.Record)
		found, added := preflight.Otherwise(a, b, preflight.Up, j.revisedBy)
		j.judged.Add(found...)
		j.judged.Add(preflight.Incomparable(a, b, preflight.Up)...)
		j.judged.Add(preflight.Incomparable(b, a, preflight.Back)...)
		j.judged.Default(preflight.GroupOf(b.APIVersion), b.Kind, added)
		return nil
	})
}

// returned judges the older release after the newer one has served alone.
func (j *judgement) returned(u upgraded, read taken) error {
	j.lists(u.first(), read, preflight.Back)
	return j.each(u.first(), read, func(a, b preflight.Seen) error {
		j.worse(a, b, preflight.Back)
		found, _ := preflight.Otherwise(a, b, preflight.Back, j.revisedBy)
		j.judged.Add(found...)
		if u.before == nil {
			j.judged.Add(preflight.Incomparable(a, b, preflight.Back)...)
		}
		return nil
	})
}

// lost judges what a release shows after another one has written every object: what it reads no more
// included.
func (j *judgement) lost(before, after taken, by term.Role) error {
	j.lists(before, after, preflight.Back)
	return j.compared(before, after, by, func(a, b preflight.Seen) error {
		j.worse(a, b, preflight.Back)
		j.judged.Add(preflight.Losses(a, b, preflight.Back, by)...)
		return nil
	})
}

// unwritten judges an object whose write did not succeed. What a dry run of the object itself was refused for is judged.
func (j *judgement) unwritten(t taken, r reading.Record, try reading.Try) {
	wasRefused := func(dry reading.Try) bool { return dry.Refused() && dry.OfObject() }
	if j.judged.Excluded(r.Key) || !try.Unanswered() && slices.ContainsFunc(r.Tries, wasRefused) {
		return
	}
	j.judged.Add(preflight.Undecided(j.seen(t, &r), preflight.Back, try))
}

// afterRewrite judges what the older release shows after the newer one has rewritten every object.
func (j *judgement) afterRewrite(u upgraded, read taken) error {
	j.lists(u.first(), read, preflight.Back)
	return j.compared(u.first(), read, term.New, func(a, b preflight.Seen) error {
		j.worse(a, b, preflight.Back)
		if u.before != nil {
			j.judged.Add(preflight.Losses(a, b, preflight.Back, term.New)...)
		}
		return nil
	})
}

// compared calls each with what two readings show of the objects that no server wrote by itself. What
// the second reading lacks is lost.
func (j *judgement) compared(first, second taken, by term.Role, each func(first, second preflight.Seen) error) error {
	return reading.Compare(first.file, second.file, func(a, b *reading.Record) error {
		if a == nil || j.judged.Excluded(a.Key) {
			return nil
		}
		if b == nil || b.Gone {
			j.judged.Add(preflight.Vanished(j.seen(first, a), preflight.Back, by)...)
			return nil
		}
		return each(j.seen(first, a), j.seen(second, b))
	})
}

// listOf returns the LIST that has a record, if it failed or lacks something.
func (t taken) listOf(r *reading.Record) *reading.Listing {
	if r == nil {
		return nil
	}
	return t.lists.Of(r)
}

// seen is a record as a reading's release showed it; nil stays nil.
func (j *judgement) seen(t taken, r *reading.Record) preflight.Seen {
	return preflight.Seen{Release: j.versions[t.role], Phase: t.phase, Fields: j.fields[t.role], Role: t.role, Releases: j.fields, Record: r, List: t.listOf(r)}
}
