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
		return s != nil && s.List != nil && slices.Contains(keys(*s.List), s.Key)
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

// FailingLists returns the LISTs that fail for the second release, and did not for the first one, although no
// object of the kind failed: what names the objects says it of the others.
func FailingLists(first, second reading.Listings, release, phase string, d Direction) (all []Finding) {
	for _, l := range second {
		before := slices.ContainsFunc(first, func(f reading.Listing) bool {
			return GroupOf(f.APIVersion) == GroupOf(l.APIVersion) && f.Kind == l.Kind && f.Fails()
		})
		// An object of a version that the LIST is not of breaks it too: custom resources are read in the version
		// that each is stored in.
		said := slices.ContainsFunc(second, func(other reading.Listing) bool {
			return GroupOf(other.APIVersion) == GroupOf(l.APIVersion) && other.Kind == l.Kind && other.Unreadable > 0
		})
		if !l.Fails() || before || said {
			continue
		}
		outcome, end := term.Undecodable, "kubectl get fails for all of them"
		if l.Again {
			outcome, end = term.Indeterminate, "when everything was read again, it was accepted"
		}
		// The message may quote any object: its code says enough.
		all = append(all, Finding{
			Outcome: outcome, Direction: d, Group: GroupOf(l.APIVersion), Kind: l.Kind, Release: release, Phase: phase,
			Message: fmt.Sprintf("LIST of the kind was answered %d, although each of %s can be read: %s", l.Code, term.Numbered(l.Objects, "object"), end),
		})
	}
	return all
}
