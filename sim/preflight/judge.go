package preflight

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// Names of the parts of a hop, in which findings are seen.
const (
	PhaseBaseline = "baseline"
	PhaseBeside   = "beside"
	PhaseAlone    = "alone"
	PhaseBack     = "back, nobody wrote"
	PhaseRewrote  = "back, the newer release rewrote every object"
	PhaseWritten  = "back, the older release wrote every object"
)

// writesOf ends the name of the part of a phase in which every object is written.
const writesOf = ": writes"

// Writing returns the name of the part of a phase in which every object is written.
func Writing(phase string) string { return phase + writesOf }

// Phases are the names of all parts of a hop.
func Phases() []string {
	return []string{PhaseBaseline, PhaseBeside, PhaseAlone, PhaseBack, PhaseRewrote, Writing(PhaseRewrote), PhaseWritten, Writing(PhaseWritten)}
}

// Seen is what a release showed of an object, in one phase.
type Seen struct {
	Release string // the version
	Phase   string
	Fields  *mask.Fields // of the release
	// Role is the release's, and Releases what both publish.
	Role     term.Role
	Releases map[term.Role]*mask.Fields
	// Before is what another release showed of the object: a server that does not show it may quote it.
	Before json.RawMessage
	// List is the LIST of the kind; nil: none was sent.
	List *reading.Listing
	*reading.Record
	// of is the path of the template whose Pod a server speaks of; "": it speaks of the object itself.
	of string
	// sent is a value that the object does not have, and that a server may quote; nil: none.
	sent json.RawMessage
}

// speaking returns what was seen, as the answer to a write speaks of it.
func (s Seen) speaking(of reading.Try) Seen {
	if of.Write == reading.Template {
		s.of = template.At(body(s.Object))
	}
	if of.Edit != nil {
		s.sent = of.Edit.Value
	}
	return s
}

// about returns the path of the field that a cause names; "" if it names none.
func (s Seen) about(c reading.Cause) string {
	if c.Path() == "" {
		return ""
	}
	return s.path(s.of + c.Path())
}

// path returns a path without what the user has named.
func (s Seen) path(text string) string { return s.Fields.Path(s.Form, s.Kind, text) }

// paths returns paths without what the user has named, each once.
func (s Seen) paths(texts ...[]string) (all []string) {
	for _, p := range slices.Concat(texts...) {
		if at := s.path(p); !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return all
}

// maxCauses is how many causes of one refusal are read: a server names each element of a list that it refuses, and a
// finding shows the beginning alone.
const maxCauses = 64

// said returns what a server said about an object, without anything of the object's. Of several causes,
// each is said once.
func (s Seen) said(message string, causes []reading.Cause) string {
	head, _, several := strings.Cut(message, " is invalid: [")
	if !several || len(causes) < 2 {
		return s.plain(message, causes)
	}
	var all []string
	for _, c := range causes[:min(len(causes), maxCauses)] {
		one := []reading.Cause{c}
		text := s.plain(c.Message, one)
		if at := s.stated(c); at != "" {
			text = at[1:] + ": " + text
		} else {
			text = s.plain("<nil>: "+c.Message, one)
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return mask.Shortened(s.plain(head, nil) + " is invalid: " + strings.Join(all, "; "))
}

// excerpt matches a line of the source of an expression, or the mark below it, which a compiler quotes: the user has
// written it.
var excerpt = regexp.MustCompile(`\n \| [^\n]*`)

// plain returns a server's sentence without anything of the object's.
func (s Seen) plain(message string, causes []reading.Cause) string {
	message = nothing.ReplaceAllString(excerpt.ReplaceAllString(message, ""), "")
	own := s.own(message, causes)
	for _, c := range causes {
		if at := c.Path(); at != "" {
			stated := strings.TrimPrefix(s.stated(c), ".")
			if message = strings.ReplaceAll(message, at[1:], stated); s.stated(c) != s.about(c) {
				own.Words = append(own.Words, stated)
			}
		}
	}
	names := s.computedIn(message, causes)
	for _, object := range []json.RawMessage{s.Object, s.Before} {
		names = append(names, s.Fields.Names(s.Form, s.Kind, body(object))...)
	}
	return s.Fields.MessageOfSchema(message, names, own, s.Object, s.Before, s.sent)
}

// own returns what the schema of an object says and a message may repeat. In a definition, that is what its own rules
// say, too.
func (s Seen) own(message string, causes []reading.Cause) (own mask.Own) {
	for _, r := range s.Fields.Rules(s.Form, s.Kind) {
		if r.Message != "" {
			own.Words = append(own.Words, ": "+r.Message)
		} else {
			own.Rules = append(own.Rules, ": "+r.Rule)
		}
	}
	if strings.Contains(message, "supported values: ") {
		own.Listed = s.Fields.Enums(s.Form, s.Kind)
	}
	if _, said, is := strings.Cut(message, compiling); is {
		of := ""
		for _, c := range causes {
			if _, expressions, has := s.ruleAt(c); has {
				of += " " + expressions
			}
		}
		own.Words = append(own.Words, mask.OfExpression(said, of)...)
	}
	return own
}

// compiling begins what a compiler says of an expression.
const compiling = "compilation failed: "

// ruleAt returns the rule of a definition that a cause is about, and all of its expressions; false if it is about none.
func (s Seen) ruleAt(c reading.Cause) (rule mask.Rule, expressions string, has bool) {
	at := mask.InVersions(s.Form, s.Kind, c.Path())
	const rules = "x-kubernetes-validations["
	begin := strings.Index(at, "."+rules)
	if begin < 0 {
		return mask.Rule{}, "", false
	}
	end := strings.IndexByte(at[begin+1:], ']')
	if end < 0 {
		return mask.Rule{}, "", false
	}
	raw, _ := json.Marshal(valueAt(body(s.Object), mask.Elements(at[:begin+1+end+1]))) // it came from JSON
	if json.Unmarshal(raw, &rule) != nil || rule.Rule == "" {
		return mask.Rule{}, "", false
	}
	return rule, rule.WithoutValues() + " " + mask.Rule{Rule: rule.Computed}.WithoutValues(), true
}

// valueAt returns what is at a path as servers spell it; nil for nothing.
func valueAt(node any, at []string) any {
	for _, e := range at {
		name := strings.Trim(e, ".[]")
		switch n := node.(type) {
		case map[string]any:
			node = n[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(n) {
				return nil
			}
			node = n[i]
		default:
			return nil
		}
	}
	return node
}

// stated returns the path of the field that a cause names, with what a definition states of itself; "" if it names none.
func (s Seen) stated(c reading.Cause) string {
	if c.Path() == "" {
		return ""
	}
	return s.Fields.Stated(s.Form, s.Kind, s.of+c.Path())
}

// nothing is how servers spell a field that they do not name, with the value that it does not have.
var nothing = regexp.MustCompile(`<nil>: (Invalid value: (""|null): )?`)

// refusedFor is what stands before the reason of a refused value.
var refusedFor = regexp.MustCompile(`Invalid value: [^:]*: `)

// computedIn returns the reasons in a message that rules of the kind may have computed, with values in them or parts of
// them: none if no rule computes any. What schemas say, and rules with words of their own, are others.
func (s Seen) computedIn(message string, causes []reading.Cause) (all []string) {
	if !slices.ContainsFunc(s.Fields.Rules(s.Form, s.Kind), func(r mask.Rule) bool {
		return r.Computed != "" && (len(causes) != 1 || r.Path == "" || s.about(causes[0]) == "" || Above(r.Path, s.about(causes[0])))
	}) {
		return nil
	}
	own := s.ruleMessages()
	at := refusedFor.FindAllStringIndex(message, -1)
	for i, m := range at {
		end := len(message)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		said := message[m[1]:end]
		if said != "" && !strings.Contains(said, " in body ") && !slices.ContainsFunc(own, func(words string) bool { return strings.HasPrefix(said, words) }) {
			all = append(all, said)
		}
	}
	return all
}

// ruleMessages returns what the rules of a definition say of an object that breaks them.
func (s Seen) ruleMessages() (all []string) {
	for _, r := range s.Fields.Rules(s.Form, s.Kind) {
		if all = append(all, r.Message); r.Message == "" {
			all[len(all)-1] = "failed rule: " + r.Rule
		}
	}
	return all
}

// rule says which rule of a definition refuses an object, or which rule of a definition is refused; "" if none is, or it
// is not known which.
func (s Seen) rule(causes []reading.Cause) string {
	for _, r := range s.Fields.Rules(s.Form, s.Kind) {
		for _, c := range causes {
			says := r.Message != "" && strings.Contains(c.Message, r.Message) || strings.Contains(c.Message, "failed rule: "+r.Rule)
			if says && Above(r.Path, s.about(c)) || says && r.Path == "" {
				at := "the whole object"
				if r.Path != "" {
					at = r.Path
				}
				return "; the rule of the definition for " + at + " is " + r.WithoutValues()
			}
		}
	}
	for _, c := range causes { // what a rule says of values is hidden
		if len(s.computedIn("Invalid value: : "+c.Message, []reading.Cause{c})) == 0 {
			continue
		}
		for _, r := range s.Fields.Rules(s.Form, s.Kind) {
			if r.Computed != "" && r.Path == s.about(c) {
				return "; a rule of the definition for " + r.Path + " makes the words: " + r.WithoutValues()
			}
		}
	}
	for _, c := range causes {
		if r, _, has := s.ruleAt(c); has {
			return "; the rule is " + r.WithoutValues()
		}
	}
	return ""
}

// answer says what a request was answered. Only the server's own words can hold a value.
func (s Seen) answer(request string, t reading.Try) string {
	text := s.speaking(t).said(t.Message, t.Causes) + s.speaking(t).rule(t.Causes)
	if t.Again {
		text += "; when everything was read again, it was accepted"
	}
	if t.Code == 0 {
		return fmt.Sprintf("%s was not answered: %s", request, text)
	}
	return fmt.Sprintf("%s was answered %d: %s", request, t.Code, text)
}

// get says what the GET was answered.
func (s Seen) get() string { return s.answer("GET", reading.Try{Code: s.Code, Message: s.Message}) }

// finding begins a finding about what was seen.
func (s Seen) finding(c term.Outcome, d Direction, message string) Finding {
	f := Finding{Outcome: c, Direction: d, Kind: s.Kind, Namespace: s.Namespace, Name: s.Name, Release: s.Release, Phase: s.Phase}
	f.Group = GroupOf(s.APIVersion)
	f.Message = message
	switch c {
	case term.Undecodable:
		f.Cause = term.Unattributed
		f.Class, f.Rule = ruling.Decodes()
	case term.Frozen:
		f.Cause = term.Unattributed
		f.Class, f.Rule = ruling.Writable(s.Role, s.usesChange())
	}
	shown := s.Object
	if shown == nil {
		shown = s.Before
	}
	f.Owner, f.Manager = ownership(shown)
	f.OfServers = ofServers(shown)
	f.Ephemeral = c != term.Undecodable && template.Ephemeral(f.Group, s.Kind, body(s.Object)) // one such object breaks the LIST of all
	return f
}

// Alone returns what is broken for one release, whatever another one does.
func Alone(s Seen, d Direction) (all []Finding) {
	if s.Form == "" {
		return []Finding{s.finding(term.Unserved, d, fmt.Sprintf("%s does not serve the kind, which is stored as %s: another release or another --runtime-config stored the object", s.Release, s.APIVersion))}
	}
	if !s.Decodes() && !s.Fails() { // a 404 of what is stored included: its key is not the one of its kind
		return []Finding{s.finding(term.Indeterminate, d, s.get())}
	}
	if s.Fails() {
		all = append(all, s.finding(term.Undecodable, d, s.get()+s.listed()))
	}
	refused := false
	for _, t := range s.Tries {
		switch {
		case t.Refused() && refused && t.Write == reading.Template: // for what the object itself is refused for
		case t.Refused():
			refused = true
			all = append(all, Refusal(s, d, t))
		case t.Unanswered():
			all = append(all, Undecided(s, d, t))
		}
	}
	return firstOfEach(all)
}

// Unread is the finding about an object of a kind that neither release serves, so that nobody has read it. Lacks reports
// that the other one does not know the version that is stored.
func Unread(s Seen, d Direction, other string, lacks bool) Finding {
	f := s.finding(term.Unserved, d, fmt.Sprintf("it is stored as %s, and neither %s nor %s serves the kind with these flags: nobody has read it", s.APIVersion, s.Release, other))
	if lacks {
		f.Message += fmt.Sprintf("; %s does not know the version, and cannot decode it", other)
	}
	f.Fix, f.Unserved = "give the flags of your servers with --server-flags, such as --runtime-config", true
	if lacks {
		f.Fix += "; before the upgrade, delete the object, or write it in a version that " + other + " knows"
	}
	return f
}

// Undecided is a finding about a write, or a GET, that had no answer which decides anything.
func Undecided(s Seen, d Direction, t reading.Try) Finding {
	f := s.finding(term.Indeterminate, d, s.answer(s.request(t), t))
	if t.Write != reading.Get {
		f.Write = string(t.Write)
	}
	return f
}

// Refusal is a finding about a refused write: one that leaves the object as it is, unless the write says otherwise.
func Refusal(s Seen, d Direction, t reading.Try) Finding {
	f := s.finding(term.Frozen, d, s.answer(s.request(t), t))
	switch {
	case byPolicy(t.Message):
		f.Outcome = term.MeansOther
	case t.Edit != nil:
		f.Outcome, f.Path = term.PartlyFrozen, s.path(t.Edit.Field())
		f.Fix = "change the values that are refused with the other release, or the definition, before"
	case t.Write == reading.Create:
		f.Outcome = term.Uncreatable
		f.Fix = "change what the server names, in the object or its definition, before it is created there"
	}
	if bound := ofBound.FindStringSubmatch(t.Message); bound != nil {
		f.Fix = fmt.Sprintf("change the definition before: its %s there is not of the type %s, and %s refuses every number there", strings.ToLower(bound[1][:1])+bound[1][1:], cmp.Or(bound[3], bound[2]), s.Release)
	}
	if f.Outcome != term.Frozen && f.Outcome != term.PartlyFrozen { // the object itself can be written
		f.ruled(ruling.Ruling{Outcome: f.Outcome})
	}
	f.Write = string(t.Write)
	if fields := t.Fields(); len(fields) > 0 {
		f.Path = s.speaking(t).about(reading.Cause{Field: fields[0]})
	}
	return f
}

// ofBound finds the words with which a server refuses any number, since what the definition compares numbers with has
// another format than they. What it says of a number itself begins with Checked.
var ofBound = regexp.MustCompile(`(M\w+)(?: boundary)? value must be of type (\w+) (?:with format (\w+)|\(default format\)) in `)

// Worse returns what is wrong for the second release, and was not for the first one: what it does
// not serve, cannot read, or refuses to write.
func Worse(first, second Seen, d Direction) (all []Finding) {
	second.Before = first.Object
	switch {
	case second.Form == "" && first.Form != "":
		f := second.finding(term.Unserved, d, fmt.Sprintf("%s does not serve the kind", second.Release))
		f.Fix = "have servers serve it with --runtime-config where the release has it, or delete the object before"
		return []Finding{f}
	case second.Fails() && !first.Fails():
		return []Finding{second.finding(term.Undecodable, d, second.get()+second.listed())}
	case second.Gone:
		return nil
	case !second.Decodes() && !second.Fails() && first.Decodes(): // no answer, or 404 of what is stored
		return []Finding{second.finding(term.Indeterminate, d, second.get())}
	case !second.Decodes():
		return nil
	}
	refused := false
	for _, t := range second.Tries {
		before, tried := first.Find(t.Write)
		if t.Edit != nil || t.Write == reading.Create {
			continue
		}
		if t.Write == reading.Template && refused {
			continue // refused for what the object itself is refused for
		}
		if found, is := refusedNow(second, d, before, tried, t); is {
			all, refused = append(all, found), refused || t.Refused()
		}
	}
	if !refused { // else it is refused for what the object itself is refused for
		all = append(all, besides(second, d)...)
	}
	return firstOfEach(all)
}

// refusedNow returns the finding about a write that is refused and was not before, or of which that
// is not known.
func refusedNow(s Seen, d Direction, before reading.Try, tried bool, t reading.Try) (Finding, bool) {
	undecided := tried && before.Unanswered()
	switch {
	case t.Refused() && (undecided || byLimit(t) && !before.Refused()):
		f := Refusal(s, d, t)
		f.ruled(ruling.Ruling{Outcome: term.Indeterminate})
		return f, true
	case t.Refused() && tried && before.Refused():
		return Finding{}, false
	case t.Refused():
		return Refusal(s, d, t), true
	}
	if f, is := verdict(s, d, before, t); tried && is {
		return f, true
	}
	if !t.Unanswered() || undecided {
		return Finding{}, false
	}
	return Undecided(s, d, t), true
}

// limits are refusals of a Pod by what the namespace grants: of two LimitRanges either one gives the
// defaults, and a quota's use is counted while servers run. No release decides them.
var limits = regexp.MustCompile(`(usage|ratio) per \w+ is |(exceeded|failed) quota: `)

func byLimit(t reading.Try) bool {
	return (t.Write == reading.Template || t.Write == reading.Create) && t.Code == http.StatusForbidden && limits.MatchString(t.Message)
}

// UnknownVersion is the finding about an object that is stored in a version which a release that did not
// become ready does not know.
func UnknownVersion(s Seen, d Direction) Finding {
	f := s.finding(term.Undecodable, d, fmt.Sprintf("it is stored as %s, which %s does not know: have a release that knows it write the object in another version, or delete it", s.APIVersion, s.Release))
	f.Cause = term.BadVersion
	f.Fix = "with a release that knows the version, write the object in another version or delete it, before"
	return f
}

// Degraded is the finding about a server that serves, and does not become ready: checks of its readiness fail for ever,
// since it cannot read an object of these kinds.
func Degraded(release, phase string, d Direction, checks, kinds []string) Finding {
	return Finding{
		Outcome: term.NotReady, Direction: d, Release: release, Phase: phase, Serves: true, Unread: kinds,
		Message: fmt.Sprintf("a server of %s serves, and does not become ready: its check %s fails as long as an object of %s cannot be read", release, strings.Join(checks, ", "), strings.Join(kinds, ", ")),
	}
}

// OtherRange returns the finding about the object that has the range of Services at a path, which is not that of
// the flags.
func OtherRange(s Seen, d Direction, path string) Finding {
	f := s.finding(term.MeansOther, d, fmt.Sprintf("its range is not that of --service-cluster-ip-range: %s gives Services addresses of the range here, and reports the flag as inconsistent; give the flag the range of the object", s.Release))
	f.Path = path
	return f
}

// StrayKey is the kind of what is stored under a key that no server uses, and is no object.
const StrayKey = "key"

// NoObject returns the finding about stored bytes that no release can decode.
func NoObject(s Seen, d Direction) Finding {
	return s.finding(term.Undecodable, d, "its stored bytes are no object: delete the key, or restore its value from a backup")
}

// Vanished returns the finding about an object that is stored no more after a release has written every
// object. One that was being deleted waits for a write only.
func Vanished(before Seen, d Direction, by term.Role) []Finding {
	metadata, _ := body(before.Object)["metadata"].(map[string]any)
	if !before.Decodes() || metadata["deletionTimestamp"] != nil {
		return nil
	}
	f := before.finding(term.Lost, d, fmt.Sprintf("the object is gone after the %s release has written every object", ageOf(by)))
	f.ruled(ruling.Value{Published: map[term.Role]bool{by: true}}.Absent(by, true))
	return []Finding{f}
}

// Incomparable returns the finding about an object that two releases show in two versions, since no
// version is common to them: what it loses is not seen.
func Incomparable(first, second Seen, d Direction) []Finding {
	if !first.Decodes() || !second.Decodes() || first.Form == second.Form {
		return nil
	}
	return []Finding{second.finding(term.Indeterminate, d, fmt.Sprintf("%s shows it as %s and %s as %s: no version is common to them, so its values were not compared", first.Release, first.Form, second.Release, second.Form))}
}

// Kept returns the finding about a value that the newer release has stored, and the older one drops or refuses
// in new objects and keeps in this one; false if another finding about the object says what it does to it.
func (j *Judged) Kept(stored Seen, path, older, phase string) (Finding, bool) {
	f := stored.finding(term.MeansOther, Back, fmt.Sprintf("%s drops or refuses the value in new objects, and keeps it in this one: whether its controllers and kubelets act on it was not played", older))
	if template.Below(path) {
		f.Message = fmt.Sprintf("%s drops the value in the pods that are made from the template, and keeps it in this object: new pods run without it", older)
	}
	f.Path, f.Release, f.Phase = stored.path(path), older, phase
	return f, !slices.ContainsFunc(j.pathsBack[f.object()], func(other string) bool {
		return other == "" || Above(other, f.Path) || Above(f.Path, other)
	})
}

// Above reports whether a path leads to another one, or is the same.
func Above(above, path string) bool {
	rest, is := strings.CutPrefix(path, above)
	return is && above != "" && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Losses returns the values that a release showed before and does not show, or shows as others, after a write of the
// object that did not name them.
func Losses(before, after Seen, d Direction, by term.Role) (all []Finding) {
	if !comparable(before, after) {
		return nil
	}
	differences := after.Fields.Kind(after.Form, after.Kind).Compare(body(before.Object), body(after.Object))
	lost := after.paths(differences.Hidden)
	for _, at := range lost {
		f := after.finding(term.Lost, d, fmt.Sprintf("the value is gone after the %s release has written the object", ageOf(by)))
		f.ruled(after.value(at).Absent(by, true))
		f.Path = at
		all = append(all, f)
	}
	for _, at := range after.paths(differences.Changed) {
		if slices.Contains(lost, at) { // of another element of the same list
			continue
		}
		f := after.finding(term.Changed, d, fmt.Sprintf("the value is another after the %s release has written the object", ageOf(by)))
		f.ruled(after.value(at).Changed(by))
		f.Path = at
		all = append(all, f)
	}
	return all
}

// ageOf returns how messages call a release.
func ageOf(role term.Role) string {
	if role == term.New {
		return "newer"
	}
	return "older"
}

// comparable reports whether two releases showed an object in one version.
func comparable(first, second Seen) bool {
	return first.Decodes() && second.Decodes() && first.Form == second.Form
}

// firstOfEach keeps one finding for each class and path: writes are refused for the same reason.
func firstOfEach(all []Finding) (kept []Finding) {
	for _, f := range all {
		if !slices.ContainsFunc(kept, func(k Finding) bool { return k.Outcome == f.Outcome && k.Path == f.Path }) {
			kept = append(kept, f)
		}
	}
	return kept
}

func body(raw json.RawMessage) (object map[string]any) {
	_ = utiljson.Unmarshal(raw, &object) // a server's answer that was read before
	return object
}

// ofServers reports whether API servers alone have written an object, by themselves.
func ofServers(raw json.RawMessage) bool {
	var object struct {
		Metadata struct {
			ManagedFields []struct {
				Manager string `json:"manager"`
			} `json:"managedFields"`
		} `json:"metadata"`
	}
	_ = utiljson.Unmarshal(raw, &object) // what cannot be read has no manager
	writers := object.Metadata.ManagedFields
	for _, w := range writers {
		if !slices.Contains(servers(), w.Manager) {
			return false
		}
	}
	return len(writers) > 0
}

// servers are the field managers of API servers, and of the controller that sets the status of their ServiceCIDR.
func servers() []string {
	return []string{
		"kube-apiserver", "api-priority-and-fairness-config-producer-v1", "api-priority-and-fairness-config-consumer-v1",
		"kubernetes-service-cidr-controller", "service-cidr-controller",
	}
}

// ownership returns what controls an object, and what manages it.
func ownership(raw json.RawMessage) (owner, manager string) {
	var object struct {
		Metadata struct {
			OwnerReferences []struct {
				Kind       string `json:"kind"`
				Name       string `json:"name"`
				Controller bool   `json:"controller"`
			} `json:"ownerReferences"`
			Labels      map[string]string `json:"labels"`
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	_ = utiljson.Unmarshal(raw, &object) // what cannot be read has no owner
	for _, o := range object.Metadata.OwnerReferences {
		if owner == "" || o.Controller {
			owner = o.Kind + " " + o.Name
		}
	}
	for _, m := range managers() {
		if object.Metadata.Labels[m.key] != "" && (m.value == "" || object.Metadata.Labels[m.key] == m.value) || object.Metadata.Annotations[m.key] != "" {
			return owner, m.name
		}
	}
	return owner, ""
}

// mark is a label or annotation by which a tool marks what it manages.
type mark struct{ key, value, name string }

func managers() []mark {
	return []mark{
		{"argocd.argoproj.io/tracking-id", "", "Argo CD"},
		{"argocd.argoproj.io/instance", "", "Argo CD"},
		{"kustomize.toolkit.fluxcd.io/name", "", "Flux"},
		{"helm.toolkit.fluxcd.io/name", "", "Flux"},
		{"app.kubernetes.io/managed-by", "Helm", "Helm"},
		{"meta.helm.sh/release-name", "", "Helm"},
	}
}
