package preflight

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// listed says what an object that cannot be read does to the LIST of its kind; "" for nothing.
func (s Seen) listed() string {
	if s.List == nil || !s.List.Fails() || s.List.Again {
		return ""
	}
	return fmt.Sprintf("; LIST was answered %d too: kubectl get fails for the whole kind (%s)", s.List.Code, term.Numbered(s.List.Objects, "object"))
}

// Unlisted returns what is wrong with an object in the LIST of its kind for the second release, and was not
// for the first one, although GET shows the object. A nil first release judges the second one alone.
func Unlisted(first *Seen, second Seen, d Direction) []Finding {
	has := func(s *Seen, keys func(reading.Listing) []string) bool {
		if s == nil || s.List == nil {
			return false
		}
		_, is := slices.BinarySearch(keys(*s.List), s.Key) // all of the kind may be in it
		return is
	}
	missing := func(l reading.Listing) []string { return l.Missing }
	differing := func(l reading.Listing) []string { return l.Differing }
	switch {
	case has(&second, missing) && !has(first, missing):
		return []Finding{second.finding(term.Undecodable, d, fmt.Sprintf("%s shows the object to GET, and LIST of the kind lacks it", second.Release))}
	case has(&second, differing) && !has(first, differing):
		return []Finding{second.finding(term.Changed, d, fmt.Sprintf("%s shows the object otherwise in LIST of the kind than to GET", second.Release))}
	}
	return nil
}

// FailingLists returns the LISTs that fail for the second release, or that it does not answer, and that the first one
// answered, although no object of the kind failed: what names the objects says it of the others.
func FailingLists(first, second reading.Listings, release, phase string, d Direction) (all []Finding) {
	of := func(lists reading.Listings, l reading.Listing, has func(reading.Listing) bool) bool {
		return slices.ContainsFunc(lists, func(other reading.Listing) bool {
			return GroupOf(other.APIVersion) == GroupOf(l.APIVersion) && other.Kind == l.Kind && has(other)
		})
	}
	for _, l := range second {
		before := of(first, l, func(f reading.Listing) bool { return f.Fails() || f.Unanswered() })
		unanswered := l.Unanswered() && of(first, l, func(reading.Listing) bool { return true })
		// An object of a version that the LIST is not of breaks it too: custom resources are read in the version
		// that each is stored in.
		said := of(second, l, func(other reading.Listing) bool { return other.Unreadable > 0 })
		if !l.Fails() && !unanswered || before || said {
			continue
		}
		// The message may quote any object: its code says enough.
		f := Finding{
			Outcome: term.Undecodable, Direction: d, Group: GroupOf(l.APIVersion), Kind: l.Kind, Release: release, Phase: phase,
			Message: fmt.Sprintf("LIST of the kind was answered %d, although each of %s can be read: ", l.Code, term.Numbered(l.Objects, "object")),
		}
		switch {
		case unanswered:
			f.Outcome, f.Message = term.Indeterminate, fmt.Sprintf("LIST of the kind, which has %s, was not answered", term.Numbered(l.Objects, "object"))
		case l.Again:
			f.Outcome, f.Message = term.Indeterminate, f.Message+"when everything was read again, it was accepted"
		default:
			f.Message += "kubectl get fails for all of them"
		}
		all = append(all, f)
	}
	return all
}
