package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// Outcomes says what the findings of a run are in a sentence each.
type Outcomes struct {
	// Versions are what the releases report, by role.
	Versions map[term.Role]string
	// Code marks a path, and Prose makes other texts of the run safe, both as a format needs it.
	Code, Prose func(string) string
	// Answered adds how a server answered the request of a finding; nil: nothing.
	Answered func(result.Finding) string
}

// Sentence says what a finding is and who did it, in a clause: "`.spec.width` is lost when servers of
// v1.0.0 write the object".
func (o Outcomes) Sentence(f result.Finding) string {
	what, release := o.subject(f), o.release(f.Via)
	kind := o.Prose(cmp.Or(f.Kind, "object"))
	switch f.Outcome {
	case term.Lost:
		return fmt.Sprintf("%s is lost when %s", what, o.writer(f))
	case term.Dropped:
		if f.Verb.Creates() {
			return fmt.Sprintf("a new %s is created without %s through %s%s", kind, what, release, o.answered(f))
		}
		return fmt.Sprintf("%s drops %s from what clients send%s", release, what, o.answered(f))
	case term.Refused:
		if f.Verb.Creates() {
			return fmt.Sprintf("%s refuses to create a %s%s%s", release, kind, o.refused(f), o.answered(f))
		}
		return fmt.Sprintf("%s refuses writes of %s%s", release, what, o.answered(f))
	case term.Frozen:
		return fmt.Sprintf("a stored %s can no longer be written through %s", kind, release)
	case term.Undecodable:
		return fmt.Sprintf("%s cannot read a stored %s", release, kind)
	case term.Changed:
		if StaysAfterRollback(f) {
			return fmt.Sprintf("a default of %s that servers of %s stored in objects that do not use it stays there: %s serves it", what, o.release(f.Via.Other()), release)
		}
		if IsServedDefault(f) {
			return fmt.Sprintf("servers of %s serve a default of %s that no client sent, in stored objects", release, what)
		}
		if f.Cause == term.Defaulted && f.Before == nil && f.Verb.Creates() {
			return fmt.Sprintf("a new %s is created with a default of %s that its client did not send, through %s", kind, what, release)
		}
		return fmt.Sprintf("%s is changed when %s", what, o.writer(f))
	case term.Hidden:
		return fmt.Sprintf("%s hides %s, which stays stored", release, what)
	case term.Resurrected:
		return fmt.Sprintf("%s comes back", what)
	case term.Varies:
		return fmt.Sprintf("what %s is depends on which server answers", what)
	case term.Accepted:
		return fmt.Sprintf("%s accepts %s with its gate off", release, what)
	}
	return fmt.Sprintf("%s: %s, through %s", what, f.Outcome, release)
}

// IsServedDefault reports whether a finding is about a default that a server serves in a stored object: no write of
// that server made it, and nothing that a client sent is gone.
func IsServedDefault(f result.Finding) bool {
	return f.Outcome == term.Changed && f.Cause == term.Defaulted && f.Verb == "" && f.Before == nil
}

// StaysAfterRollback reports whether a finding is about a default that the old release serves after a rollback, since
// the new one stored it: of one stored value, rule-2 reports only what the new release serves.
func StaysAfterRollback(f result.Finding) bool {
	return IsServedDefault(f) && f.Check == term.CheckRule2 && f.Via == term.Old
}

func (o Outcomes) answered(f result.Finding) string {
	if o.Answered == nil {
		return ""
	}
	return o.Answered(f)
}

// subject is what a finding is about.
func (o Outcomes) subject(f result.Finding) string {
	if f.Path == "" {
		return "the " + o.Prose(cmp.Or(f.Kind, "object"))
	}
	return o.Code(term.Visible(f.Path))
}

// refused says with which field a create was refused: that of the finding, or those that the server names.
func (o Outcomes) refused(f result.Finding) string {
	if f.Path != "" {
		return " with " + o.subject(f)
	}
	var fields []string
	for _, c := range f.StatusCauses {
		if at := o.Code(term.Visible("." + c.Field)); c.Field != "" && !slices.Contains(fields, at) {
			fields = append(fields, at)
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return " with " + strings.Join(fields, ", ")
}

// release is the version of a release, or which one it is.
func (o Outcomes) release(role term.Role) string {
	if version := o.Versions[role]; version != "" {
		return o.Prose(version)
	}
	if role == "" {
		return "a server"
	}
	return "the " + string(role) + " release"
}

// writer says who writes when a value goes.
func (o Outcomes) writer(f result.Finding) string {
	role, typed := f.Client.Role()
	switch {
	case typed && slices.Contains([]term.Cause{term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread}, f.Cause):
		return "clients of " + o.release(role) + " write the object"
	case f.Cause == term.ReadHidden:
		return "clients that read through " + o.release(f.Read) + " write the object"
	}
	return "servers of " + o.release(f.Via) + " write the object"
}

// VersionsOf returns the version that each release of a run reports.
func VersionsOf(res result.Result) map[term.Role]string {
	versions := map[term.Role]string{}
	for i, role := range []term.Role{term.Old, term.New} {
		if i < len(res.Releases) {
			versions[role] = res.Releases[i]
		}
	}
	return versions
}
