package oracle

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/storage"
)

// everythingDecodes judges that whatever is stored can be read, in all the ways
// there are: by GET after each write, by LIST and WATCH and dry-run DELETE
// through every live replica, and on scratch stores by servers of either
// release. Its facts are those GETs and tries, each copy that a LIST must show,
// each change that a WATCH must tell, and each trial.
func everythingDecodes(e *evidence) judged {
	d := &decoding{
		e: e, said: map[string]bool{},
		lagged: map[term.Role]map[string]bool{}, asked: map[string][]*life{}, owed: map[string][]owed{}, leaving: e.leavings(),
	}
	d.gets()
	d.trials()
	d.lists()
	d.watches()
	d.deletes()
	d.starts()
	d.storageHashes()
	return d.judged
}

// decoding is the check at work.
type decoding struct {
	judged
	e     *evidence
	said  map[string]bool    // what is told of: each value, of each release, once
	asked map[string][]*life // see shownAs
	owed  map[string][]owed  // by release and kind: what watches must tell
	// resources are the same changes by resource, whatever version they are in.
	resources map[string][]owed
	// leaving are, by replica, the steps in which its server is taken away.
	leaving map[string][]int
	lagged  map[term.Role]map[string]bool // whether LISTs from caches were all older than a copy
}

// illegible are the values that releases were seen not to read, and why: copies,
// each with the step that had written it last.
type illegible map[term.Role]map[string]term.Cause

func (u illegible) add(role term.Role, value string, why term.Cause) {
	if u[role] == nil {
		u[role] = map[string]term.Cause{}
	}
	u[role][value] = why
}

func (u illegible) has(role term.Role, value string) bool { return u[role][value] != "" }

// cause is why a release does not read some values, where all have one cause.
func (u illegible) cause(role term.Role, values []string) term.Cause {
	for _, value := range values {
		if u[role][value] != u[role][values[0]] {
			return term.Unattributed
		}
	}
	if len(values) == 0 {
		return term.Unattributed
	}
	return cmp.Or(u[role][values[0]], term.Unattributed)
}

// marks are what is noted of each release. A damaged history may name others.
type marks map[term.Role]map[string]bool

func (m marks) add(role term.Role, what string) {
	if m[role] == nil {
		m[role] = map[string]bool{}
	}
	m[role][what] = true
}

func kindOf(apiVersion, kind string) string { return apiVersion + " " + kind }

// once tells whether something is told for the first time.
func (d *decoding) once(parts ...any) bool {
	key := fmt.Sprint(parts...)
	defer func() { d.said[key] = true }()
	return !d.said[key]
}

func (d *decoding) find(f result.Finding) { d.findings = append(d.findings, f) }

func (d *decoding) lackUntold(reason string) {
	d.untold++
	d.reason = reason
}

// valueAt names what was stored of a copy after a step, by the write that came last.
func (e *evidence) valueAt(l *life, step int) string {
	last := 0
	for _, number := range l.acts {
		if x := e.acts[number].Exchange; number <= step && e.steps[number].step.Verb.Writes() && x.Succeeded() {
			last = number
		}
	}
	return fmt.Sprint(l.copy.Name, " ", last)
}

// formsRead are the encodings and the versions of the stored values that
// releases were seen to read, by any way of reading.
func (e *evidence) formsRead() marks {
	read := marks{}
	add := func(role term.Role, c history.Change) {
		read.add(role, c.Encoding)
		read.add(role, storedIn(c))
	}
	for _, l := range e.byCopy {
		for _, v := range l.versions {
			for role, views := range v.views {
				if len(views) > 0 {
					add(role, v.change)
				}
			}
		}
	}
	for _, op := range e.history.Operations {
		if l := e.calls.lives[op.Copy]; l != nil && op.Follows != "" && op.Purpose == history.Look && e.history.HasObject(op.Exchange.Answer) {
			if v := e.storedBy(l, op.Step); v != nil {
				add(op.Role, v.change)
			}
		}
	}
	changes := e.changes()
	for _, t := range e.history.Trials {
		if t.Trial == history.TrialGet && t.Code == http.StatusOK {
			add(t.Role, changes[t.Revision])
		}
	}
	return read
}

func (e *evidence) changes() map[int64]history.Change {
	all := make(map[int64]history.Change, len(e.history.Changes))
	for _, c := range e.history.Changes {
		all[c.Revision] = c
	}
	return all
}

// unreadCause is why a release cannot read a stored value, as far as the
// value's envelope tells: by what each release serves, and by what else it was
// seen to read.
func (e *evidence) unreadCause(role term.Role, c history.Change) term.Cause {
	other := role.Other()
	switch {
	case c.Encoding == string(storage.Encrypted) && e.holdsKey(role, c):
		return term.Unattributed // what is inside is the trouble, and cannot be seen
	case c.Encoding == string(storage.Encrypted):
		return term.KeyMissing
	case e.serves(other, c) && !e.serves(role, c):
		return term.BadVersion
	case c.Encoding != "" && len(e.calls.read[role]) > 0 && !e.calls.read[role][c.Encoding]:
		return term.BadEncoding
	case c.Encoding != "" && e.calls.read[other][storedIn(c)] && e.calls.read[role][c.Encoding] && !e.calls.read[role][storedIn(c)]:
		return term.BadVersion
	case c.Encoding != "" && e.calls.read[role][c.Encoding] && e.calls.read[role][storedIn(c)] && e.foreign(role, c):
		return term.BadEncoding
	}
	return term.Unattributed
}

// holdsKey tells whether a release was given the key that a value is encrypted with.
func (e *evidence) holdsKey(role term.Role, c history.Change) bool {
	for _, r := range e.history.Header.Plan.Releases {
		if r.Role == role && c.KeyName != "" {
			return r.Options.Encryption.Holds(e.resourceAt(c.Key), c.Provider, c.KeyName)
		}
	}
	return false
}

// resourceAt is the resource that lies under a key, such as secrets or deployments.apps;
// "": no copy's does. What is encrypted does not say itself of which kind it is.
func (e *evidence) resourceAt(key string) string {
	for _, l := range e.byCopy {
		if !slices.ContainsFunc(l.versions, func(v version) bool { return v.change.Key == key }) {
			continue
		}
		for _, role := range []term.Role{term.Old, term.New} {
			for _, r := range e.history.Releases[role].Resources {
				if r.APIVersion == l.manifest.APIVersion && r.Kind == l.manifest.Kind {
					return strings.TrimSuffix(r.Plural+"."+schema.GroupOf(r.APIVersion), ".")
				}
			}
		}
	}
	return ""
}

// storedIn is the version that a value is stored in.
func storedIn(c history.Change) string { return "version " + kindOf(c.APIVersion, c.Kind) }

// serves tells whether a release is known to serve the version that a value is
// stored in.
func (e *evidence) serves(role term.Role, c history.Change) bool {
	release := e.history.Releases[role]
	is := func(r history.Resource) bool { return r.APIVersion == c.APIVersion && r.Kind == c.Kind }
	return slices.ContainsFunc(release.Resources, is) || slices.ContainsFunc(release.Elsewhere, is)
}

// gets judges the GETs of operations and those after them, in the order of
// steps: of a value that cannot be read, the first is told.
func (d *decoding) gets() {
	var all []*history.Operation
	for i, op := range d.e.history.Operations {
		if d.e.calls.lives[op.Copy] != nil && (op.Purpose == history.Look || op.Purpose == history.Read) {
			all = append(all, &d.e.history.Operations[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *history.Operation) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(turnOf(a.Purpose), turnOf(b.Purpose)), cmp.Compare(a.Replica, b.Replica))
	})
	for _, op := range all {
		d.get(*op, d.e.calls.lives[op.Copy])
	}
}

func (d *decoding) get(op history.Operation, l *life) {
	e, x := d.e, op.Exchange
	switch {
	case l.gone(op.Step), op.Follows == "" && e.unserved(op.Role, l, op.Step), op.Purpose == history.Read && e.misled(op.Role, l, op.Step):
		return
	case op.Purpose == history.Read && outcomeOf(op) == misread:
		return // the call came to nothing more: the rule that it breaks tells it
	case x.Panic != nil: // rule-3 tells it
		d.facts++
		return
	case e.interrupted(x):
		d.untold++
		return
	case x.Succeeded() && e.lacks(x):
		d.lackUntold(lackedBody)
		return
	}
	d.facts++
	if x.Succeeded() && e.history.HasObject(x.Answer) {
		return
	}
	f := e.unread(l, op.Step, op.Replica, op.Role, x)
	if !d.first(l, op, &f) {
		return
	}
	said := d.e.answerText(l.manifest.Kind, x)
	if x.Succeeded() {
		said += " with a body that is no object"
	}
	f.Message = fmt.Sprintf("%s %s: GET through %s (%s) after step %d (%s: %s) was answered %s; %s",
		l.manifest.Kind, l.copy.Name, op.Replica, f.Release, op.Step, f.Stage, e.made(op.Step), said, meant(f))
	d.find(f)
}

// first says why a release does not read a value, where the value tells, and
// whether this is the first to be told of it.
func (d *decoding) first(l *life, op history.Operation, f *result.Finding) bool {
	if f.State != term.Undecodable {
		return true
	}
	value, c := d.e.valueMet(l, op)
	f.Cause = d.e.unreadCause(op.Role, c)
	return d.once("value", op.Role, value)
}

// storedBy is the newest version that a step up to the given one wrote, or found there
// when it took the copy over from an earlier leg.
func (e *evidence) storedBy(l *life, step int) *version {
	var found *version
	for i := range l.versions {
		v := &l.versions[i]
		if wrote := v.step > 0 && v.step <= step; (wrote || l.created <= step && e.takenOver(l, v)) && !v.unrecorded {
			found = v
		}
	}
	return found
}

// meant is the rule in words, with the cause where there is one.
func meant(f result.Finding) string {
	text := term.Rules().Meaning(f.Rule)
	if f.Cause != term.Unattributed {
		text = fmt.Sprintf("%s: %s; %s", f.Cause, term.Causes().Meaning(f.Cause), text)
	}
	return text
}

// unread is a finding about an answer that is no object. A 404 for an
// object that is stored means that it is gone; anything else, that it cannot
// be read.
func (e *evidence) unread(l *life, step int, replica string, role term.Role, x history.Exchange) result.Finding {
	f := e.finding(l, term.EverythingDecodes, step)
	f.Rule, f.Class = term.Storage, term.Violation
	f.Replica, f.Via, f.Release = replica, role, e.history.Releases[role].Version
	f.State = outcomeOfAnswer(x).readState()
	return f
}

// deletes judges the tries to delete: an object that cannot be read often
// cannot be deleted either.
func (d *decoding) deletes() {
	e := d.e
	w := &writability{e: e, never: e.neverWritable()}
	for _, op := range e.calls.tries {
		if op.Attempt != term.DeleteAttempt {
			continue
		}
		due := w.due(op)
		if len(due) == 0 {
			continue
		}
		l := e.tried(op, due)
		if op.Exchange.Panic != nil { // rule-3 tells it
			d.facts += len(due)
			continue
		}
		if e.interrupted(op.Exchange) {
			d.untold++
			continue
		}
		d.facts += len(due)
		if op.Exchange.Succeeded() || e.calls.refusals[declared(l.copy.Object, op.Exchange.Code)] {
			continue
		}
		f := e.unread(l, op.Step, op.Replica, op.Role, op.Exchange)
		f.Verb = term.Delete
		due = d.notYetTold(due, op.Role)
		if !d.first(l, op, &f) || len(due) == 0 {
			continue
		}
		f.Message = fmt.Sprintf("%s %s%s: a DELETE through %s (%s), tried in step %d (%s), was answered %s; %s",
			f.Kind, f.Copy, others(due[1:]), op.Replica, f.Release, op.Step, f.Stage, d.e.answerText(f.Kind, op.Exchange), meant(f))
		d.find(f)
	}
}

// notYetTold are the copies of which no DELETE by the release was told yet: one
// that cannot be deleted is told of once, where it was found.
func (d *decoding) notYetTold(names []string, role term.Role) []string {
	return slices.DeleteFunc(names, func(name string) bool { return !d.once("delete", role, name) })
}

// answerText is an answer in words. Of what is confidential the server's own words
// are left out: they may quote it.
func (e *evidence) answerText(kind string, x history.Exchange) string {
	switch {
	case e.policy.Covers(kind) && x.Code != 0 && x.Message+x.Error != "":
		return fmt.Sprintf("%d %s (%s)", x.Code, x.Reason, redact.Withheld)
	case x.Code == 0:
		return "not at all: " + cmp.Or(x.Error, "nothing says why")
	case x.Error != "":
		return fmt.Sprintf("%d: %s", x.Code, x.Error)
	case x.Message != "":
		return fmt.Sprintf("%d: %s", x.Code, x.Message)
	}
	return fmt.Sprint(x.Code)
}
