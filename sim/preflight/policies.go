package preflight

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// asksWho matches an expression whose value depends on who sends a request, or on what the sender
// may do.
var asksWho = regexp.MustCompile(`\bauthorizer\b|\brequest\.userInfo\b`)

// Policies collects the admission policies of a copy, and which of them are bound. The zero value
// is empty.
type Policies struct {
	who   []Seen
	bound map[string]bool // by kind and name
}

// Note notes a policy or a binding.
func (p *Policies) Note(s Seen) {
	kind, is := strings.CutSuffix(s.Kind, "AdmissionPolicy")
	bound, binds := strings.CutSuffix(s.Kind, "AdmissionPolicyBinding")
	if GroupOf(s.APIVersion) != "admissionregistration.k8s.io" || !is && !binds {
		return
	}
	if binds {
		var binding struct{ Spec struct{ PolicyName string } }
		_ = json.Unmarshal(s.Object, &binding) // what cannot be read binds nothing
		if p.bound == nil {
			p.bound = map[string]bool{}
		}
		p.bound[bound+" "+binding.Spec.PolicyName] = true
		return
	}
	if kind != "" && slices.ContainsFunc(expressions(body(s.Object), nil), asksWho.MatchString) {
		p.who = append(p.who, s)
	}
}

// Undecided returns that nothing is known of the verdicts of bound policies that ask who sends a
// request: on the copy, one user who may do everything sends them all.
func (p *Policies) Undecided(d Direction) (all []Finding) {
	for _, s := range p.who {
		if p.bound[strings.TrimSuffix(s.Kind, "AdmissionPolicy")+" "+s.Name] {
			all = append(all, s.finding(term.Indeterminate, d, "its verdicts depend on the user or on the authorizer: on the copy one user, who may do everything, sends all requests"))
		}
	}
	return all
}

// expressions returns the CEL expressions of a policy.
func expressions(node any, all []string) []string {
	switch n := node.(type) {
	case map[string]any:
		for name, v := range n {
			if text, is := v.(string); is && strings.HasSuffix(strings.ToLower(name), "expression") {
				all = append(all, text)
			}
			all = expressions(v, all)
		}
	case []any:
		for _, v := range n {
			all = expressions(v, all)
		}
	}
	return all
}

// denied matches what admission policies say when they refuse a request. The name of their kind alone is also in
// refusals of a write of the policy itself.
var denied = regexp.MustCompile(`\b(ValidatingAdmissionPolicy|MutatingAdmissionPolicy|policy) ['"].* denied request: `)

// byPolicy reports whether an admission policy says something.
func byPolicy(message string) bool { return denied.MatchString(message) }

// verdict returns the finding about a write of which policies say something else than before.
func verdict(s Seen, d Direction, before, now reading.Try) (Finding, bool) {
	message := ""
	switch {
	case before.Unanswered() || now.Unanswered() || now.Refused():
	case before.Refused() && byPolicy(before.Message):
		message = string(now.Write) + ": the other release refuses it by an admission policy, and " + s.Release + " does not"
	case !before.Refused() && before.Warning == "" && now.Warning != "":
		message = string(now.Write) + " is answered with a warning: " + s.said(now.Warning, nil)
	}
	if message == "" {
		return Finding{}, false
	}
	f := s.finding(term.MeansOther, d, message)
	f.Write = string(now.Write)
	return f, true
}
