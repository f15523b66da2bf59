package precheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Fault returns that the error is the user's.
func (e *LineError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// LineError reports a line of which no call can be executed through either release.
type LineError struct {
	At     string // file:line
	Reason string
	WayOut string
}

// Error names the line, and why none of its calls can be executed.
func (e *LineError) Error() string {
	return fmt.Sprintf("%s: no call of this line can be executed: %s%s", e.At, e.Reason, e.WayOut)
}

// checkLines reports, before the roll-out, lines of which no call can be executed: a run
// would skip the whole line, and might pass. A line with some executable calls is valid:
// its lists multiply.
func (pc *planCheck) checkLines() (problems []error) {
	lines, reasons := []int{}, map[int]*LineError{} // nil: some call of it can be executed
	pc.known.Operations(func(s plan.Step, m plan.Manifest) {
		c := pc.known.Subject(s)
		if s.Birth || c.Role == term.Control || c.Order > 0 || s.Line == 0 {
			return
		}
		why := pc.unplayable(s, c, m)
		if before, known := reasons[s.Line]; !known {
			lines = append(lines, s.Line)
		} else if before == nil {
			return
		}
		reasons[s.Line] = why
	})
	for _, line := range pc.skippedLines() {
		lines, reasons[line.number] = append(lines, line.number), &LineError{Reason: line.reason}
	}
	slices.Sort(lines)
	for _, line := range lines {
		if e := reasons[line]; e != nil {
			e.At = fmt.Sprintf("%s:%d", pc.known.Plan.File, line)
			problems = append(problems, e)
		}
	}
	return problems
}

// skippedLine is a line that the plan leaves out whole, with the reason of its last call.
type skippedLine struct {
	number int
	reason string
}

// skippedLines returns the lines of which no stage can play any call. Lines about objects that
// these releases cannot create, because of their key since, are not among them.
func (pc *planCheck) skippedLines() (lines []skippedLine) {
	planned := map[int]bool{}
	pc.known.Operations(func(s plan.Step, _ plan.Manifest) {
		if pc.known.Subject(s).Role != term.Control {
			planned[s.Line] = true
		}
	})
	for _, s := range slices.Backward(pc.known.Plan.Skipped) {
		if s.Line == 0 || planned[s.Line] || strings.Contains(s.Reason, plan.NotMade) {
			continue
		}
		planned[s.Line] = true // it is reported once
		lines = append(lines, skippedLine{s.Line, strings.TrimPrefix(s.Reason, plan.NoStage)})
	}
	return lines
}

// elsewhere is what to do about what only releases of other pairs have.
const elsewhere = "; if releases of other pairs have it, say which with releases.old and releases.new"

// unplayable returns why a call can be executed through neither release; nil if it can, as
// far as is known before any server is asked.
func (pc *planCheck) unplayable(s plan.Step, c plan.Copy, m plan.Manifest) *LineError {
	if e := pc.unservedVersion(s, m); e != nil {
		return e
	}
	if parts, served := pc.parts(m.Kind); s.Part() != "" && served && !slices.Contains(parts, s.Part()) {
		wayOut := ": leave it out"
		if near := suggest.Nearest(s.Part(), parts); near != "" {
			wayOut = fmt.Sprintf(": did you mean %q?", near)
		}
		return &LineError{
			Reason: fmt.Sprintf("/%s of %s is %s", s.Part(), m.Kind, servedByNone(pc.known.Versions())),
			WayOut: wayOut + elsewhere,
		}
	}
	if s.Change == nil || s.Change.Kind != plan.Fields || s.Part() == term.ScalePart {
		return nil
	}
	if form := s.Verb.PatchForm(); s.Verb.Reads() || form != term.JSONForm && form != term.StrategicForm {
		return nil
	}
	_, err := client.Client{Types: client.Untyped(client.Merging{})}.Patch(context.Background(), s, client.Specimen(pc.known.Plan, c, true, ""))
	if unfit := (*client.UnfitError)(nil); errors.As(err, &unfit) {
		return &LineError{Reason: unfit.Error(), WayOut: ", or correct the path, or add the element with verb put"}
	}
	return nil
}

// unservedVersion returns why no call can go through the API version that a line names: no
// release serves the kind in it.
func (pc *planCheck) unservedVersion(s plan.Step, m plan.Manifest) *LineError {
	if s.APIVersion == "" || s.Discovers != "" {
		return nil
	}
	var versions []string
	for _, r := range pc.resources(m.Kind) {
		versions = append(versions, r.APIVersion)
	}
	if versions = unique(versions); len(versions) == 0 || slices.Contains(versions, s.APIVersion) {
		return nil
	}
	return &LineError{
		Reason: fmt.Sprintf("%s of apiVersion %s is %s", m.Kind, s.APIVersion, servedByNone(pc.known.Versions())),
		WayOut: fmt.Sprintf(": it is served as %s; correct it, or switch the version on with runtimeConfig%s", strings.Join(versions, ", "), elsewhere),
	}
}

// parts returns the subresources that either release has of a kind, in any version of it;
// served: one of them serves it.
func (pc *planCheck) parts(kind string) (parts []string, served bool) {
	for _, r := range pc.resources(kind) {
		parts, served = append(parts, r.Subresources...), true
	}
	return unique(parts), served
}

// resources returns a kind as either release serves it, in every version.
func (pc *planCheck) resources(kind string) (all []history.Resource) {
	for _, role := range []term.Role{term.Old, term.New} {
		of := pc.known.ByRole[role]
		for _, r := range slices.Concat(of.Said.Resources, of.Said.Elsewhere, of.Others) {
			if r.Kind == kind {
				all = append(all, r)
			}
		}
	}
	return all
}

// elementForm reports whether a kind has, in the list at a path, elements with such names.
type elementForm func(kind schema.Kind, list fieldpath.Path, e fieldpath.PathElement) bool

// misnamed returns the error for a path that names an element of a list in a way that none
// of the kinds uses.
func (pc *planCheck) misnamed(kinds []schema.Kind, text string, at fieldpath.Path, named elementForm) *FieldError {
	for i, e := range at {
		if e.FieldName != nil || slices.ContainsFunc(kinds, func(k schema.Kind) bool { return named(k, at[:i], e) }) {
			continue
		}
		var forms []string
		for _, k := range kinds {
			if form := k.ElementForm(at[:i]); form != "" {
				forms = append(forms, form)
			}
		}
		return &FieldError{Field: text, Named: fmt.Sprintf("no element of %s is named %s: write %s",
			path.String(at[:i]), path.String(at[i:i+1]), strings.Join(unique(forms), " or "))}
	}
	return nil
}
