package blame

import (
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// FormsRead are the encodings and the versions of the stored values that
// releases were seen to read, by any way of reading.
func FormsRead(tr *trace.Trace) trace.Marks {
	read := trace.Marks{}
	add := func(role term.Role, c history.Change) {
		read.Add(role, c.Encoding)
		read.Add(role, trace.StoredIn(c))
	}
	for _, tl := range tr.ByCopy {
		for _, v := range tl.Versions {
			for role, views := range v.Views {
				if len(views) > 0 {
					add(role, v.Change)
				}
			}
		}
	}
	for _, op := range tr.History.Operations {
		if tl := tr.Calls.Lives[op.Copy]; tl != nil && op.Follows != "" && op.Purpose == history.Look && tr.History.HasObject(op.Exchange.Answer) {
			if v := tr.StoredBy(tl, op.Step); v != nil {
				add(op.Role, v.Change)
			}
		}
	}
	changes := tr.Changes()
	for _, t := range tr.History.Trials {
		if t.Trial == history.TrialGet && t.Code == http.StatusOK {
			add(t.Role, changes[t.Revision])
		}
	}
	return read
}

// UnreadCause is why a release cannot read a stored value, as far as the
// value's envelope tells: by what each release serves, and by what else it was
// seen to read.
func UnreadCause(tr *trace.Trace, role term.Role, c history.Change) term.Cause {
	other := role.Other()
	switch {
	case c.Encoding == string(storage.Encrypted) && holdsKey(tr, role, c):
		return term.Unattributed // what is inside is the trouble, and cannot be seen
	case c.Encoding == string(storage.Encrypted):
		return term.KeyMissing
	case tr.Serves(other, c) && !tr.Serves(role, c):
		return term.BadVersion
	case c.Encoding != "" && len(tr.Calls.Read[role]) > 0 && !tr.Calls.Read[role][c.Encoding]:
		return term.BadEncoding
	case c.Encoding != "" && tr.Calls.Read[other][trace.StoredIn(c)] && tr.Calls.Read[role][c.Encoding] && !tr.Calls.Read[role][trace.StoredIn(c)]:
		return term.BadVersion
	case c.Encoding != "" && tr.Calls.Read[role][c.Encoding] && tr.Calls.Read[role][trace.StoredIn(c)] && foreign(tr, role, c):
		return term.BadEncoding
	}
	return term.Unattributed
}

// holdsKey tells whether a release was given the key that a value is encrypted with.
func holdsKey(tr *trace.Trace, role term.Role, c history.Change) bool {
	for _, r := range tr.History.Header.Plan.Releases {
		if r.Role == role && c.KeyName != "" {
			return r.Options.Encryption.Holds(resourceAt(tr, c.Key), c.Provider, c.KeyName)
		}
	}
	return false
}

// resourceAt is the resource that lies under a key, such as secrets or deployments.apps;
// "": no copy's does. What is encrypted does not say itself of which kind it is.
func resourceAt(tr *trace.Trace, key string) string {
	for _, tl := range tr.ByCopy {
		if !slices.ContainsFunc(tl.Versions, func(v trace.StoredVersion) bool { return v.Change.Key == key }) {
			continue
		}
		for _, role := range []term.Role{term.Old, term.New} {
			for _, r := range tr.History.Releases[role].Resources {
				if r.APIVersion == tl.Manifest.APIVersion && r.Kind == tl.Manifest.Kind {
					return strings.TrimSuffix(r.Plural+"."+schema.GroupOf(r.APIVersion), ".")
				}
			}
		}
	}
	return ""
}

// IllegibleValues are the values that releases were seen not to read, by GETs of
// replicas and of trials.
func IllegibleValues(tr *trace.Trace) trace.Illegible {
	all := trace.Illegible{}
	for _, op := range tr.History.Operations {
		if tl := tr.Calls.Lives[op.Copy]; tl != nil && tr.Unreadable(tl, op) {
			value, c := tr.ValueMet(tl, op)
			all.Add(op.Role, value, UnreadCause(tr, op.Role, c))
		}
	}
	changes := tr.Changes()
	for _, t := range tr.History.Trials {
		if tl := tr.Calls.Lives[t.Copy]; tl != nil && t.Trial == history.TrialGet && !tr.CutOff(t) && trace.OutcomeOfAnswer(trace.Asked(t)) == trace.CannotRead {
			_, value := tr.ValueTried(tl, t)
			all.Add(t.Role, value, UnreadCause(tr, t.Role, changes[t.Revision]))
		}
	}
	return all
}
