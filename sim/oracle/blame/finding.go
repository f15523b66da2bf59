package blame

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// CallText returns a copy, a step and who made it: the start of a message.
func CallText(ev *trace.Evidence, tl *trace.Timeline, f result.Finding) string {
	return fmt.Sprintf("%s %s: step %d (%s: %s)", f.Kind, cmp.Or(f.Copy, f.Object), f.Step, f.Stage, StepText(ev, f.Step))
}

// ReferenceText returns the reference in words.
func ReferenceText(ev *trace.Evidence, number int) string {
	at := ev.Steps[number]
	return fmt.Sprintf("step %d (%s: %s, on %s)", number, at.Stage, StepText(ev, number), cmp.Or(at.Step.Copy, at.Step.Object))
}

// CopiesText lists the first few copies, and the number of the others.
func CopiesText(copies []string) string {
	const some = 5
	if len(copies) <= some {
		return strings.Join(copies, ", ")
	}
	return fmt.Sprintf("%s and %s", strings.Join(copies[:some], ", "), term.Numbered(len(copies)-some, "other"))
}

// AnswerText returns an answer in words, without the server's message where the object is
// confidential: the message may quote it.
func AnswerText(ev *trace.Evidence, kind string, x history.Exchange) string {
	switch {
	case ev.Policy.Covers(kind) && x.Code != 0 && x.Message+x.Error != "":
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

// CauseClause returns a finding's cause in words, "" for none.
func CauseClause(ev *trace.Evidence, f result.Finding) string {
	if f.Cause == term.Unattributed {
		return ""
	}
	return fmt.Sprintf(": %s; %s%s", f.Cause, term.Causes().Meaning(f.Cause), ofProgramText(ev, f))
}

// Judged is the result of one check before it is compared with expectations.
type Judged struct {
	Facts, Indeterminate int
	Reason               string // why facts are indeterminate, if not for the usual reason
	Findings             []result.Finding
}

// Collector gathers the findings about one copy. When a member is gone, each value below it
// produces the finding of that member, which is reported once.
type Collector struct {
	J    *Judged
	Said Once
}

// Add adds a finding about a stored version, unless an equal one was added.
func (t Collector) Add(f result.Finding, v *trace.StoredVersion) {
	if t.Said.First(f.Path, f.Outcome, f.Via, v.Change.Revision) {
		t.J.Findings = append(t.J.Findings, f)
	}
}

// Redacted returns a value as results may show it, with fingerprints for confidential parts.
func Redacted(ev *trace.Evidence, tl *trace.Timeline, at string, v any) any {
	return ev.Policy.Value(tl.Manifest.Kind, at, v, ev.History.Header.Salt)
}

// NewCollector returns a finding with the fields that every finding about a copy and a step has.
func NewCollector(ev *trace.Evidence, tl *trace.Timeline, name term.CheckName, step int) result.Finding {
	at := ev.Steps[step]
	f := result.Finding{
		Check: name, Object: tl.Copy.Object, Kind: tl.Manifest.Kind, Copy: tl.Copy.Name, CopyRole: tl.Copy.Role,
		Step: step, Stage: at.Stage, Client: at.Step.Client, Verb: at.Step.Verb,
		Read: at.Step.ReadRole, Via: at.Step.ViaRole, Replica: at.Step.Via, Cause: term.Unattributed,
		Encoding: at.Step.Encoding, FieldValidation: at.Step.FieldValidation, Order: tl.Copy.Order, Program: at.Program,
	}
	if f.Via != "" {
		f.Release = ev.History.Releases[f.Via].Version
	}
	return f
}

// ofProgramText names the program that made what a finding says, and when it ran; "" if none did.
func ofProgramText(ev *trace.Evidence, f result.Finding) string {
	if f.Program == "" || !slices.Contains(ofProgram, f.Cause) || isConvertedAlone(ev, f) {
		return ""
	}
	return fmt.Sprintf(" (the program of %s, which ran at stage %s)", ev.History.Releases[f.Program].Version, f.Stage)
}

// StepText says who made a step's request, and how.
func StepText(ev *trace.Evidence, step int) string {
	at, ok := ev.Steps[step]
	if !ok || step == 0 {
		return "a write that no step asked for (the servers' own)"
	}
	s := at.Step
	text := fmt.Sprintf("%s by %s%s", s.Verb, s.Client, s.Manner())
	if s.Read != "" {
		text += fmt.Sprintf(", read %s (%s)", s.Read, ev.History.Releases[s.ReadRole].Version)
	}
	if s.Via != "" {
		text += fmt.Sprintf(", via %s (%s%s%s)", s.Via, ev.History.Releases[s.ViaRole].Version, ev.DefinitionNote(step), programNote(ev, at))
	}
	return text
}

// programNote names the program that ran beside the server of a step, if it is not that of the server's own release.
func programNote(ev *trace.Evidence, at trace.StagedStep) string {
	if at.Program == "" || at.Program == at.Step.ViaRole {
		return ""
	}
	return ", with the program of " + ev.History.Releases[at.Program].Version
}

// MayBeInterrupted reports whether the run itself may have interrupted a request without an
// answer. A panic is the server's.
func MayBeInterrupted(ev *trace.Evidence, x history.Exchange) bool {
	return x.Code == 0 && x.Panic == nil && !ev.History.Complete()
}

// OutcomeText returns how an operation ended, in words.
func OutcomeText(ev *trace.Evidence, kind string, op history.Operation) string {
	switch trace.OutcomeOf(op) {
	case ruling.Misread:
	case ruling.Refusal:
		return AnswerText(ev, kind, op.Exchange) + inBrackets(ValidationText(op.Exchange))
	default:
		return AnswerText(ev, kind, op.Exchange)
	}
	why := cmp.Or(op.Undecoded, op.Exchange.Error)
	if ev.Policy.Covers(kind) {
		why = redact.Withheld // it may quote the object
	}
	return fmt.Sprintf("%d, which the client's types could not read: %s", op.Exchange.Code, why)
}

// ValidationText says which fieldValidation a write asked for; without one the server decides. It
// returns "" if the request is not a write, or if its step already says it.
func ValidationText(x history.Exchange) string {
	writes := []string{http.MethodPost, http.MethodPut, http.MethodPatch}
	if q, err := url.ParseQuery(x.Query); err != nil || !slices.Contains(writes, x.Method) || q.Has("fieldValidation") && q.Get("dryRun") == "" {
		return ""
	} else if asked := q.Get("fieldValidation"); asked != "" {
		return " with fieldValidation=" + asked
	}
	return " without fieldValidation"
}

func inBrackets(words string) string {
	if words == "" {
		return ""
	}
	return " (" + strings.TrimSpace(words) + ")"
}

// WithheldNote says where the server messages are that findings leave out, if any does.
func WithheldNote(all []result.Finding) []string {
	kinds := map[string]bool{}
	for _, f := range all {
		if strings.Contains(f.Message, redact.Withheld) {
			kinds[f.Kind] = true
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("what servers say of a %s is left out: history.jsonl.zst of the run holds their answers whole, and is not for publishing",
		strings.Join(slices.Sorted(maps.Keys(kinds)), ", or a "))}
}

// ServerText returns a server's message, or a placeholder if it is about a confidential object,
// which it may quote.
func ServerText(ev *trace.Evidence, tl *trace.Timeline, text string) string {
	if text != "" && ev.Policy.Covers(tl.Manifest.Kind) {
		return redact.Withheld
	}
	return text
}

// StatusCauses returns the errors that an answer lists. Their messages are withheld as ServerText withholds
// texts.
func StatusCauses(ev *trace.Evidence, tl *trace.Timeline, x history.Exchange) []result.StatusCause {
	all := trace.StatusCauses(ev, x)
	for i := range all {
		all[i].Message = ServerText(ev, tl, all[i].Message)
	}
	return all
}

// ServerTexts applies ServerText to several texts.
func ServerTexts(ev *trace.Evidence, tl *trace.Timeline, texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, ServerText(ev, tl, text))
	}
	return all
}
