package plan

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// String returns the plan as text; see Fprint.
func (p *Plan) String() string {
	var b strings.Builder
	// A strings.Builder never returns an error.
	_ = p.Fprint(&b)
	return b.String()
}

// Fprint writes the plan as a numbered tree: skewsim plan shows it, and plan.txt contains it.
// Equal plans print equal text.
func (p *Plan) Fprint(w io.Writer) error {
	out := &printer{w: w}
	out.line("%s: %s -> %s", p.FullName(), p.Releases[0].Reference, p.Releases[1].Reference)
	if p.Mutant != nil {
		out.line("mutant %s: %s", p.Mutant.Name, strings.Join(strings.Fields(p.Mutant.About), " "))
	}
	out.line("journey %s; replicas %s; seed %d", join(p.Journey, " -> "), strings.Join(p.Replicas, ", "), p.Seed)
	for _, r := range p.Releases {
		beside := ""
		if text := r.ProgramText(); text != "" {
			beside = ", " + text
		}
		out.line("%s: %s%s%s", r.Role, r.Reference, optionText(r.Options), beside)
	}
	if p.Clients != "" {
		out.line("older-typed, older-apply: clients of %s", p.Clients)
	}
	if skipped := p.UnsupportedAsNamed(); skipped != "" {
		out.line("%s", skipped)
	}
	out.line("%s, %s, %d skipped; every write is looked at through every live replica",
		term.Counted(len(p.Copies), "copy", "copies"), term.Numbered(p.Steps(), "step"), len(p.Skipped))
	if n := len(p.Orders()); n > 0 {
		out.line("%d of the copies go through an order of operations each", n)
	}
	for i, stage := range p.Stages {
		out.stage(stage, i == len(p.Stages)-1)
	}
	for _, s := range p.Skipped {
		out.line("skipped: line %d: %s%s: %s", s.Line, s.Cell, atStage(s.Stage), s.Reason)
	}
	out.expectations(p)
	return out.err
}

// FullName returns the scenario's name with that of the mutant it plays.
func (p *Plan) FullName() string {
	if p.Mutant == nil {
		return p.Scenario
	}
	return p.Scenario + "+" + p.Mutant.Name
}

// Steps counts the plan's steps.
func (p *Plan) Steps() int {
	n := 0
	for _, s := range p.Stages {
		n += len(s.Steps)
	}
	return n
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, term.Visible(fmt.Sprintf(format, args...)))
	}
}

func (p *printer) stage(s Stage, last bool) {
	branch, trunk := "├── ", "│   "
	if last {
		branch, trunk = "└── ", "    "
	}
	p.line("%s%s (%s)", branch, s.Name, replicaText(s))
	for i, step := range s.Steps {
		twig := "├── "
		if i == len(s.Steps)-1 {
			twig = "└── "
		}
		p.line("%s%s%4d  %s", trunk, twig, step.Number, step)
	}
}

func replicaText(s Stage) string {
	parts := make([]string, len(s.Replicas))
	for i, r := range s.Replicas {
		parts[i] = fmt.Sprintf("%s: %s", r.Replica, r.Role)
	}
	return strings.Join(parts, ", ")
}

// String returns the step in words, as the plan and the run's progress show it.
func (s Step) String() string {
	switch s.Action {
	case Start:
		return fmt.Sprintf("start %s at %s", s.Replica, s.Role)
	case Replace:
		return fmt.Sprintf("replace %s by one at %s", s.Replica, s.Role)
	case Program:
		if s.Role == "" {
			return "stop the program: none runs"
		}
		return fmt.Sprintf("run the program of %s", s.Role)
	case Prepare:
		return fmt.Sprintf("create the namespace via %s", s.Replica)
	case Rewrite:
		return fmt.Sprintf("write every object that was left, and is not taken over, again via %s", s.Replica)
	case Observe:
		return "LIST every kind, in each form, via every replica"
	case Watch:
		return "WATCH every kind via every replica"
	case Attempt:
		return "try to write and delete every object via every replica, as a dry run"
	case Trial:
		return "have each release read, on a scratch store, what it has not been seen to read"
	case Stop:
		if s.Replica != "" {
			return "stop " + s.Replica
		}
		return "stop every replica"
	}
	return s.operation()
}

func (s Step) operation() string {
	var b strings.Builder
	if s.Adoption() {
		return fmt.Sprintf("adopt %s, via %s (%s)", s.Copy, s.Via, s.ViaRole)
	}
	if s.Follows {
		b.WriteString("then ")
	}
	fmt.Fprintf(&b, "%s %s", s.Verb, s.subject())
	fmt.Fprintf(&b, " by %s%s", s.Client, s.Manner())
	if s.Read != "" {
		fmt.Fprintf(&b, ", read %s (%s)", s.Read, s.ReadRole)
	}
	fmt.Fprintf(&b, ", via %s (%s)", s.Via, s.ViaRole)
	if s.Change != nil {
		fmt.Fprintf(&b, ": %s", s.Change)
	}
	if of := s.declared(); of != "" {
		fmt.Fprintf(&b, "; %s as line %d says", of, s.Line)
	}
	return b.String()
}

// declared returns the parts of a step that only the scenario's line says in full. It prints no
// values, because they may be a Secret's and plans are shown.
func (s Step) declared() string {
	var words []string
	if m := s.Change; m != nil && m.Of == "" && (m.Kind == Fields || m.Kind == Body) {
		words = append(words, "values")
	}
	if r := s.Respond; r != nil {
		words = append(words, "answer")
		if r.Code != 0 {
			words[len(words)-1] += " " + strconv.Itoa(r.Code)
		}
	}
	return strings.Join(words, ", ")
}

// Manner returns how the client sends the request, if it is not the default: " (protobuf,
// fieldValidation=Strict)"; "" for the default.
func (s Step) Manner() string {
	var words []string
	if s.Subresource != "" {
		words = append(words, "/"+s.Subresource)
	}
	if s.Propagation != "" {
		words = append(words, string(s.Propagation))
	}
	if s.Encoding != "" {
		words = append(words, string(s.Encoding))
	}
	if s.FieldValidation != "" {
		words = append(words, "fieldValidation="+string(s.FieldValidation))
	}
	if s.APIVersion != "" {
		words = append(words, s.APIVersion)
	}
	if s.FieldSelector != "" {
		words = append(words, s.FieldSelector)
	}
	if s.Manager != "" && s.Manager != DefaultManager {
		words = append(words, "as "+s.Manager)
	}
	if s.Manager != "" && !s.Force {
		words = append(words, "without force")
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

func (s Step) subject() string {
	if s.Copy == "" {
		return s.Object
	}
	return s.Copy
}

// String returns what a change changes.
func (m *Change) String() string {
	switch m.Kind {
	case Label:
		return "a label"
	case Condition:
		return "a condition"
	case Scale:
		return "the number of replicas"
	case Nothing:
		return "nothing"
	case Body:
		return "a body that names " + cmp.Or(strings.Join(m.Names, ", "), "nothing")
	}
	if m.Of != "" {
		return fmt.Sprintf("%s (%s)", strings.Join(m.Names, ", "), m.Of)
	}
	return strings.Join(m.Names, ", ")
}

func optionText(o scenarios.Options) string {
	var b strings.Builder
	if len(o.FeatureGates) > 0 {
		b.WriteString(" --feature-gates=" + Switches(o.FeatureGates))
	}
	if len(o.RuntimeConfig) > 0 {
		b.WriteString(" --runtime-config=" + Switches(o.RuntimeConfig))
	}
	for _, f := range slices.Concat(FurtherOptions(o), o.Flags) {
		b.WriteString(" " + f)
	}
	return b.String()
}

// FurtherOptions returns the options that are neither single switches nor flags, each as the
// flag that it results in.
func FurtherOptions(o scenarios.Options) (all []string) {
	if o.Gates != "" {
		all = append(all, fmt.Sprintf("--feature-gates=<every %s one>", o.Gates))
	}
	if o.EmulatedVersion != "" {
		all = append(all, "--emulated-version="+o.EmulatedVersion)
	}
	if o.MinCompatibilityVersion != "" {
		all = append(all, "--min-compatibility-version="+o.MinCompatibilityVersion)
	}
	if e := o.Encryption; e != nil {
		all = append(all, "--encryption-provider-config=<"+encryptionText(e)+">")
	}
	return all
}

func encryptionText(e *scenarios.Encryption) string {
	writes := "as they are"
	if e.Provider != "" {
		writes = fmt.Sprintf("by %s with key %s", e.Provider, e.Key)
	}
	text := fmt.Sprintf("%s written %s", strings.Join(e.Resources, ", "), writes)
	if len(e.Reads) > 0 {
		text += ", read with " + strings.Join(e.Reads, ", ") + " too"
	}
	return text
}

// Switches returns gates or APIs as one text, sorted by name: A=true,B=false.
func Switches(m map[string]bool) string {
	parts := make([]string, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s=%t", k, m[k]))
	}
	return strings.Join(parts, ",")
}

func atStage(name string) string {
	if name == "" {
		return ""
	}
	return " at " + name
}

func join[S ~string](words []S, sep string) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = string(w)
	}
	return strings.Join(parts, sep)
}
