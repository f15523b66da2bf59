package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// asking checks how the line's clients send requests: verbs, clients and the keys that only
// some of them take.
func (v lineChecks) asking(at string, l scenarios.Line) {
	switch {
	case l.Create != "":
		v.verbs(at, l, term.Verb.Creates, "does not create an object")
	case l.Touch != "":
		v.verbs(at, l, Touches, "does not change an object")
	case l.Set != "":
		v.verbs(at, l, Sets, "does not send fields")
	case l.Delete != "":
		v.verbs(at, l, term.Verb.Deletes, "does not delete an object")
	}
	v.reads(at, l)
	v.playable(at, l)
	v.encodings(at, l)
	v.changes(at, l)
	v.managers(at, l)
	v.apiVersions(at, l)
	v.subresource(at, l)
	v.propagation(at, l)
}

func (v lineChecks) propagation(at string, l scenarios.Line) {
	at += ".propagation"
	if v.given(at) && slices.ContainsFunc(l.Verb, evicts) {
		v.fail(at, "an eviction leaves it to the kind")
	}
}

func evicts(v term.Verb) bool { return v.Subresource() == term.EvictionPart }

// Touches reports whether the verb can change something by itself.
func Touches(v term.Verb) bool { return v.Modifies() && !v.PostsPart() }

// Sets reports whether the verb can send the fields of a line that sets some.
func Sets(v term.Verb) bool { return Touches(v) && !v.Rewrites() }

func (v lineChecks) verbs(at string, l scenarios.Line, fits func(term.Verb) bool, not string) {
	for i, verb := range l.Verb {
		if !fits(verb) {
			v.Add(v.s.LineOf(strict.Element(at+".verb", i)), at+".verb", "%q %s (verbs here: %s)",
				verb, not, strings.Join(SelectVerbs(fits), ", "))
		}
	}
}

func (v lineChecks) reads(at string, l scenarios.Line) {
	if v.given(at+".read") && !slices.ContainsFunc(l.Verb, term.Verb.Reads) {
		v.fail(at+".read", "none of the verbs reads before it writes (verbs that do: %s)",
			strings.Join(SelectVerbs(term.Verb.Reads), ", "))
	}
}

// playable refuses a line if none of its clients can play any of its verbs. Single combinations
// that cannot be played are skipped and counted.
func (v lineChecks) playable(at string, l scenarios.Line) {
	if why := never(l, term.Verb.Unfit); why != "" && !v.Reported(at) {
		v.fail(at, "no client of the line can play any of its verbs: %s", why)
	}
}

// encodings refuses an encoding that no client of the line has.
func (v lineChecks) encodings(at string, l scenarios.Line) {
	for i, e := range l.Encoding {
		why := never(l, func(verb term.Verb, c term.Client) string {
			if verb.Unfit(c) != "" {
				return verb.Unfit(c)
			}
			return e.Unfit(verb, c)
		})
		if why != "" && !v.Reported(at) {
			v.Add(v.s.LineOf(strict.Element(at+".encoding", i)), at+".encoding", "no client of the line can send %s: %s", e, why)
		}
	}
}

// never returns why no verb of the line fits any of its clients, in the words for the last one;
// "" if one does.
func never(l scenarios.Line, unfit func(term.Verb, term.Client) string) (why string) {
	verbs := l.Verb
	if l.Patch != "" {
		verbs = []term.Verb{l.Type.Verb()}
	}
	for _, verb := range verbs {
		for _, c := range l.Client {
			reason := unfit(verb, c)
			if reason == "" {
				return ""
			}
			why = fmt.Sprintf("%s by %s: %s", verb, c, reason)
		}
	}
	return why
}

// changes checks that the object has values for the changes that the line names, and that a
// verb of the line can send them.
func (v lineChecks) changes(at string, l scenarios.Line) {
	object, known := v.s.Objects[l.Touch]
	if !known || v.Reported(at+".verb") {
		return
	}
	at += ".change"
	told := v.Reported(strict.Join("objects", l.Touch) + ".changes")
	for i, m := range l.Change {
		if _, given := object.Changes[m]; m != term.LabelChange && !given && !told {
			v.Add(v.s.LineOf(strict.Element(at, i)), at, "%s has no %s: say there which values it sends", v.Written(strict.Join("objects", l.Touch)+".changes"), m)
		}
	}
	if v.given(at) && !slices.ContainsFunc(l.Verb, term.Verb.Carries) {
		v.fail(at, "none of the verbs sends a change (verbs that do: %s)", strings.Join(SelectVerbs(term.Verb.Carries), ", "))
	}
}

// mutated finds changes that no line plays.
func (v lineChecks) mutated() {
	played := map[string]bool{}
	for _, line := range v.s.Play {
		for _, l := range append([]scenarios.Line{line}, line.Then...) {
			for _, m := range l.Change {
				played[l.Touch+" "+string(m)] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.s.Objects)) {
		for _, m := range slices.Sorted(maps.Keys(v.s.Objects[name].Changes)) {
			if !played[name+" "+string(m)] {
				v.fail(strict.Join(strict.Join("objects", name)+".changes", string(m)), "no line plays it: add change: %s to one that touches %s", m, name)
			}
		}
	}
}

// maxManager is the longest field manager that servers accept.
const maxManager = 128

func (v lineChecks) managers(at string, l scenarios.Line) {
	for _, key := range []string{"manager", "force"} {
		if v.given(at+"."+key) && !slices.ContainsFunc(l.Verb, term.Verb.Applies) {
			v.fail(at+"."+key, "only apply and extract-apply have it, and neither is among the verbs")
		}
	}
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	for i, m := range l.Manager {
		if m == "" || len(m) > maxManager || strings.ContainsFunc(m, unprintable) {
			v.fail(strict.Element(at+".manager", i), "%s: a field manager has 1 to %d printable characters", strict.Quote(m), maxManager)
		}
	}
}

func (v lineChecks) apiVersions(at string, l scenarios.Line) {
	for i, text := range l.APIVersion {
		if term.Discovers(text) {
			continue
		}
		group, version, grouped := strings.Cut(text, "/")
		if !grouped {
			group, version = "core", text
		}
		if len(validation.IsDNS1123Subdomain(group)) > 0 || len(validation.IsDNS1035Label(version)) > 0 {
			v.fail(strict.Element(at+".apiVersion", i), "%s is neither an apiVersion such as autoscaling/v1 nor one of %s", strict.Quote(text), strings.Join(term.Discoveries().Words(), ", "))
		}
	}
}
