package source

import (
	"strings"

	"k8s.io/gengo/v2/codetags"
)

// Rule is one declarative validation rule: a +k8s: tag of a field or a type.
type Rule struct {
	// Name is the innermost tag, without its prefix: maxItems.
	Name  string `json:"name"`
	Args  []Arg  `json:"args,omitempty"`
	Value string `json:"value,omitempty"`
	// Stage is that of the tag which wraps the rule: ALPHA for +k8s:alpha, whose answers servers
	// only compare with those of hand-written validation, BETA for +k8s:beta; "": none wraps it.
	Stage string `json:"stage,omitempty"`
	Since string `json:"since,omitempty"` // the release since which it has the stage: 1.37
	// Within are the other tags that wrap the rule, outermost first: ifEnabled(Gate),
	// subfield(name), eachVal.
	Within []Wrapper `json:"within,omitempty"`
	// Type is the Go type of the field that has the rule; "": the field or type has it itself.
	Type string `json:"type,omitempty"`
	// Text is the tag as it stands in the source.
	Text string `json:"text"`
}

// Arg is an argument of a tag.
type Arg struct {
	Name  string `json:"name,omitempty"` // "": positional
	Value string `json:"value"`
}

// Wrapper is a tag that has another tag as its value.
type Wrapper struct {
	Name string `json:"name"`
	Args []Arg  `json:"args,omitempty"`
}

// The tags that a rule can depend on a feature gate with. The second name of each is that of
// older releases.
var gateWrappers = map[string]bool{"ifEnabled": true, "ifDisabled": true, "ifOptionEnabled": true, "ifOptionDisabled": true}

// Gates returns the feature gates on which the rule depends.
func (r Rule) Gates() []string {
	var all []string
	for _, w := range r.Within {
		if gateWrappers[w.Name] && len(w.Args) == 1 {
			all = append(all, w.Args[0].Value)
		}
	}
	return all
}

// The gates that decide whether servers answer with declarative validation: of rules in stage
// BETA since 1.36, of all rules before.
const (
	betaRules = "DeclarativeValidationBeta"
	allRules  = "DeclarativeValidationTakeover"
)

// Enforces reports whether servers at default settings refuse what a rule forbids because of
// the rule; known is false if the source does not state it. A rule that is not enforced may
// have a counterpart in hand-written validation, with the same answers.
func (f Facts) Enforces(r Rule) (enforced, known bool) {
	if beta, has := f.Gates[betaRules]; has {
		return r.Stage == "" || r.Stage == "BETA" && beta.Default, true
	}
	takeover, has := f.Gates[allRules]
	return has && takeover.Default, has
}

// String returns the rule in one spelling, without its stage: two releases have the same rule
// if the texts are equal.
func (r Rule) String() string {
	var b strings.Builder
	for _, w := range r.Within {
		b.WriteString(spelled(w.Name, w.Args) + ": ")
	}
	b.WriteString(spelled(r.Name, r.Args))
	if r.Value != "" {
		b.WriteString("=" + r.Value)
	}
	return b.String()
}

func spelled(name string, args []Arg) string {
	if len(args) == 0 {
		return name
	}
	var all []string
	for _, a := range args {
		if a.Name != "" {
			all = append(all, a.Name+": "+a.Value)
		} else {
			all = append(all, a.Value)
		}
	}
	return name + "(" + strings.Join(all, ", ") + ")"
}

// rulePrefix begins the tags of rules, and of some generators.
const rulePrefix = "+k8s:"

// noRules are tags with the prefix that say what is generated, or how a type is published.
var noRules = map[string]bool{"deprecated": true, "supportsSubresource": true, "isSubresource": true}

// rulesIn returns the rules that the lines of a comment contain, and the lines that have the
// prefix and cannot be parsed.
func rulesIn(comment string) (rules []Rule, broken []string) {
	for line := range strings.Lines(comment) {
		text, is := strings.CutPrefix(strings.TrimSpace(line), rulePrefix)
		if !is {
			continue
		}
		name, _, _ := strings.Cut(text, "=")
		name, _, _ = strings.Cut(name, "(")
		if noRules[name] || strings.Contains(name, "-gen") || strings.HasPrefix(name, "openapi-") {
			continue
		}
		tag, err := codetags.Parse(withoutComment(text))
		if err != nil {
			broken = append(broken, rulePrefix+text)
			continue
		}
		rules = append(rules, ruleOf(tag, rulePrefix+text))
	}
	return rules, broken
}

// withoutComment cuts the comment that may follow a tag.
func withoutComment(text string) string {
	text, _, _ = strings.Cut(text, " //")
	return strings.TrimSpace(text)
}

func ruleOf(tag codetags.Tag, text string) Rule {
	r := Rule{Text: text}
	for ; tag.ValueType == codetags.ValueTypeTag; tag = *tag.ValueTag {
		name := strings.TrimPrefix(tag.Name, "k8s:")
		switch name {
		case "alpha", "beta":
			r.Stage = strings.ToUpper(name)
			if since, has := tag.NamedArg("since"); has {
				r.Since = since.Value
			}
		default:
			r.Within = append(r.Within, Wrapper{Name: name, Args: argsOf(tag)})
		}
	}
	r.Name, r.Args, r.Value = strings.TrimPrefix(tag.Name, "k8s:"), argsOf(tag), tag.Value
	return r
}

func argsOf(tag codetags.Tag) []Arg {
	var all []Arg
	for _, a := range tag.Args {
		all = append(all, Arg{Name: a.Name, Value: a.Value})
	}
	return all
}
