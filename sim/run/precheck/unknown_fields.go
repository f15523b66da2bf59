package precheck

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Fault returns that the error is the user's.
func (e *FieldError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// FieldError reports that the scenario names a field that neither release has.
type FieldError struct {
	At       string // file:line
	Field    string
	Kind     string
	Versions []string
	Near     string // a suggestion: a field of the same place
	WayOut   string // what to do if the field is intended
	Named    string // how its list's elements are named, if that is wrong; else ""
}

// Error names the place, the field and the nearest one, and what to do if the field is
// intended.
func (e *FieldError) Error() string {
	if e.Named != "" {
		return fmt.Sprintf("%s: %s: %s", e.At, e.Field, e.Named)
	}
	who := e.Versions[0] + " has no such field"
	if len(e.Versions) > 1 {
		who = fmt.Sprintf("neither %s has such a field", strings.Join(e.Versions, " nor "))
	}
	hint := ""
	if e.Near != "" {
		hint = fmt.Sprintf(": did you mean %q?", e.Near)
	}
	return fmt.Sprintf("%s: %s: %s of %s%s%s", e.At, e.Field, who, e.Kind, hint, e.WayOut)
}

// unknownFields returns the fields of an object file that neither release has.
func (pc *planCheck) unknownFields(file string) (problems []error) {
	m := pc.known.Plan.Manifests[file]
	kinds := pc.kindsOf(m, m.APIVersion)
	if len(kinds) == 0 {
		return nil
	}
	unknown := map[string]fieldpath.Path{}
	for _, k := range kinds {
		_, dropped := k.Prune(m.Body)
		for _, at := range dropped {
			if !declaredIn(kinds, at) {
				unknown[serverName(at)] = at
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		if pc.means(file, field) {
			continue
		}
		problems = append(problems, &FieldError{
			At: pc.where(file, field), Field: field, Kind: m.Kind, Versions: pc.known.Versions(), Near: near(kinds, unknown[field]),
			WayOut: fmt.Sprintf("; if it is meant, declare the warning where the object is created: respond: {warnings: ['unknown field %q']}", field),
		})
	}
	return problems
}

func declaredIn(kinds []schema.Kind, at fieldpath.Path) bool {
	return slices.ContainsFunc(kinds, func(k schema.Kind) bool { return k.Declares(at) })
}

// means reports whether some line that creates the object declares the server's answer to
// the field: a refusal, or the warning.
func (pc *planCheck) means(file, field string) bool {
	for _, stage := range pc.known.Plan.Stages {
		for _, s := range stage.Steps {
			if !s.Birth || pc.known.Copies[s.Copy].Manifest != file || s.Respond == nil {
				continue
			}
			if declares(s.Respond, field) {
				return true
			}
		}
	}
	return false
}

// near returns a field of that place with a name similar to the last one of a path.
func near(kinds []schema.Kind, at fieldpath.Path) string {
	if len(at) == 0 || at[len(at)-1].FieldName == nil {
		return ""
	}
	var known []string
	for _, k := range kinds {
		known = append(known, k.Fields(at[:len(at)-1])...)
	}
	slices.Sort(known)
	return suggest.Nearest(*at[len(at)-1].FieldName, slices.Compact(known))
}

// serverName formats a path as servers name a field: spec.containers[0].image.
func serverName(at fieldpath.Path) string {
	var b strings.Builder
	for _, e := range at {
		if e.FieldName == nil {
			fmt.Fprintf(&b, "[%d]", *e.Index)
			continue
		}
		b.WriteString(memberName(*e.FieldName))
	}
	return strings.TrimPrefix(b.String(), ".")
}

// checkSteps reports paths that lines set, patch or declare and that no schema knows.
func (pc *planCheck) checkSteps() (problems []error) {
	told, byLine := map[string]bool{}, map[int][]error{}
	pc.known.Operations(func(s plan.Step, m plan.Manifest) {
		kinds := pc.everyKindOf(m)
		for _, text := range pathsOf(s) {
			key := fmt.Sprint(s.Line, " ", text)
			if told[key] || len(kinds) == 0 {
				continue
			}
			told[key] = true
			if problem := pc.unknownPath(kinds, m.Kind, text, schema.Kind.Selects); problem != nil {
				problem.At = fmt.Sprintf("%s:%d", pc.known.Plan.File, s.Line)
				problem.WayOut = "; if it is meant, declare what the server says on the line, as in respond: {warnings: [unknown field]}"
				byLine[s.Line] = append(byLine[s.Line], problem)
			}
		}
	})
	for _, line := range slices.Sorted(maps.Keys(byLine)) {
		problems = append(problems, byLine[line]...)
	}
	return problems
}

// pathsOf returns the paths of a step that a schema must know. A line that declares
// warnings or a refusal may send any path.
func pathsOf(s plan.Step) (all []string) {
	part := s.Verb.Subresource()
	if s.Birth || part != "" && part != term.StatusPart {
		return nil
	}
	declared := s.Respond != nil && (s.Respond.Code >= 400 || len(s.Respond.Warnings) > 0)
	if s.Change != nil && (s.Change.Kind == plan.Fields || s.Change.Kind == plan.Body) && !declared {
		all = append(all, s.Change.Names...)
	}
	if s.Respond != nil {
		all = append(all, slices.Sorted(maps.Keys(s.Respond.Fields))...)
	}
	return all
}

// checkExpected reports expectations whose paths no object of the scenario has: no finding
// can match them.
func (pc *planCheck) checkExpected() (problems []error) {
	for i, e := range pc.known.Plan.Expect {
		if pc.known.Plan.IsElsewhere(i + 1) {
			continue
		}
		kinds, names := pc.expectedKinds(e.Object)
		if len(kinds) == 0 {
			continue
		}
		for _, at := range e.Path {
			if problem := pc.unknownPath(kinds, strings.Join(names, " or "), at, schema.Kind.Names); problem != nil {
				problem.At = fmt.Sprintf("%s:%d", pc.known.Plan.File, e.Line)
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// expectedKinds returns the kinds of objects' forms, by the objects' names in the scenario;
// without names, those of every object.
func (pc *planCheck) expectedKinds(objects []string) (kinds []schema.Kind, names []string) {
	seen := map[string]bool{}
	for _, c := range pc.known.Plan.Copies {
		if len(objects) > 0 && !slices.Contains(objects, c.Object) || seen[c.Manifest] {
			continue
		}
		seen[c.Manifest] = true
		m := pc.known.Plan.Manifests[c.Manifest]
		kinds = append(kinds, pc.everyKindOf(m)...)
		if !slices.Contains(names, m.Kind) {
			names = append(names, m.Kind)
		}
	}
	return kinds, names
}

// unknownPath returns the error for a path that none of the kinds has, or whose lists name
// their elements differently.
func (pc *planCheck) unknownPath(kinds []schema.Kind, kind, text string, elements elementForm) *FieldError {
	at, err := path.Parse(text)
	if err != nil {
		return nil // reported when the scenario was loaded
	}
	if declaredIn(kinds, at) {
		return pc.misnamed(kinds, text, at, elements)
	}
	longest := len(at) - 1
	for longest > 0 && !declaredIn(kinds, at[:longest]) {
		longest--
	}
	return &FieldError{Field: text, Kind: kind, Versions: pc.known.Versions(), Near: near(kinds, at[:longest+1])}
}

// indexed formats a path as servers name it: an element of a list by its index.
func indexed(body map[string]any, at fieldpath.Path) string {
	var names fieldpath.Path
	var v any = body
	for _, e := range at {
		switch t := v.(type) {
		case map[string]any:
			if e.FieldName != nil {
				v = t[*e.FieldName]
				names = append(names, e)
			}
		case []any:
			if i := path.Position(t, e); i >= 0 && i < len(t) {
				v = t[i]
				names = append(names, fieldpath.PathElement{Index: &i})
			}
		}
	}
	return serverName(names)
}
