package trace

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// formsRead returns the encodings and the versions of the stored values that releases were seen
// to read, in any way.
func formsRead(ev *Evidence) ReleaseMarks {
	read := ReleaseMarks{}
	add := func(role term.Role, c history.Change) {
		read.Add(role, c.Encoding)
		read.Add(role, VersionText(c))
	}
	for _, tl := range ev.Timelines {
		for _, v := range tl.Versions {
			for role, views := range v.Views {
				if len(views) > 0 {
					add(role, v.Change)
				}
			}
		}
	}
	for _, op := range ev.History.Operations {
		if tl := ev.ByCopy[op.Copy]; tl != nil && op.Follows != "" && op.Purpose == history.Look && ev.History.HasObject(op.Exchange.Answer) {
			if v := ev.StoredBy(tl, op.Step); v != nil {
				add(op.Role, v.Change)
			}
		}
	}
	changes := ev.Changes
	for _, t := range ev.History.Trials {
		if t.Trial == history.TrialGet && t.Code == http.StatusOK {
			add(t.Role, changes[t.Revision])
		}
	}
	return read
}

// UnreadCause returns why a release cannot read a stored value, as far as the value's envelope
// shows: from what each release serves, and from what else it was seen to read.
func UnreadCause(ev *Evidence, role term.Role, c history.Change) term.Cause {
	other := role.Other()
	switch {
	case c.Encoding == string(storage.Encrypted) && holdsKey(ev, role, c):
		return term.Unattributed // the cause is inside the value and not visible
	case c.Encoding == string(storage.Encrypted):
		return term.KeyMissing
	case ev.Serves(other, c) && !ev.Serves(role, c):
		return term.BadVersion
	case c.Encoding != "" && len(ev.read[role]) > 0 && !ev.read[role][c.Encoding]:
		return term.BadEncoding
	case c.Encoding != "" && ev.read[other][VersionText(c)] && ev.read[role][c.Encoding] && !ev.read[role][VersionText(c)]:
		return term.BadVersion
	case c.Encoding != "" && ev.read[role][c.Encoding] && ev.read[role][VersionText(c)] && foreign(ev, role, c):
		return term.BadEncoding
	}
	return term.Unattributed
}

// UnreadCauseOf returns why a release did not read a stored value, as far as the answer or the value's
// envelope shows.
func UnreadCauseOf(ev *Evidence, role term.Role, c history.Change, x history.Exchange) term.Cause {
	return cmp.Or(ProgramCause(x), UnreadCause(ev, role, c))
}

// holdsKey reports whether a release was configured with the key that encrypts a value.
func holdsKey(ev *Evidence, role term.Role, c history.Change) bool {
	for _, r := range ev.History.Header.Plan.Releases {
		if r.Role == role && c.KeyName != "" {
			return r.Options.Encryption.Holds(resourceAt(ev, c.Key), c.Provider, c.KeyName)
		}
	}
	return false
}

// resourceAt returns the resource that is stored under a key, such as secrets or
// deployments.apps; "" if no copy is. Encrypted bytes do not say which kind they hold.
func resourceAt(ev *Evidence, key string) string {
	for _, tl := range ev.Timelines {
		if !slices.ContainsFunc(tl.Versions, func(v StoredVersion) bool { return v.Change.Key == key }) {
			continue
		}
		for _, role := range []term.Role{term.Old, term.New} {
			for _, r := range ev.History.Releases[role].Resources {
				if r.APIVersion == tl.Manifest.APIVersion && r.Kind == tl.Manifest.Kind {
					return strings.TrimSuffix(r.Plural+"."+schema.GroupOf(r.APIVersion), ".")
				}
			}
		}
	}
	return ""
}

// illegibleValues returns the values that releases were seen not to read, in GETs of replicas and
// in trials.
func illegibleValues(ev *Evidence) UnreadableValues {
	all := UnreadableValues{}
	for _, op := range ev.History.Operations {
		if tl := ev.ByCopy[op.Copy]; tl != nil && ev.Unreadable(tl, op) {
			value, c := ev.ValueMet(tl, op)
			all.Add(op.Role, value, UnreadCauseOf(ev, op.Role, c, op.Exchange))
		}
	}
	changes := ev.Changes
	for _, t := range ev.History.Trials {
		if tl := ev.ByCopy[t.Copy]; tl != nil && t.Trial == history.TrialGet && !ev.MayBeCutOff(t) && Answer(AsExchange(t)).Ending() == ruling.CannotRead {
			_, value := ev.ValueTried(tl, t)
			all.Add(t.Role, value, UnreadCauseOf(ev, t.Role, changes[t.Revision], AsExchange(t)))
		}
	}
	return all
}
