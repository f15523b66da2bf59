package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/sim/schema"
)

// Server is what one server publishes, and what it says of itself.
type Server struct {
	// Name is how messages call it: frobber@1.20.
	Name string
	// Version is its release: v1.20.0. Default: not known, and no release is checked.
	Version string
	// Component is whose releases lifecycles must name. Default: any, which must be
	// the same throughout.
	Component string
	// Stages are the feature gates by name: ALPHA, BETA, DEPRECATED or "" for a
	// stable one, as the metric kubernetes_feature_enabled has them. Default: not
	// known, and no gate is checked.
	Stages map[string]string
	// Documents are its OpenAPI v3 documents, by group version or file.
	Documents map[string][]byte
}

// Finding is one thing that is wrong with what is published of a field.
type Finding struct {
	// Field is the definition's name with the field's: com.example.v1.WidgetSpec.size.
	Field string `json:"field"`
	// Rule is the name of the rule that is broken; docs/how-to/check-field-lifecycles.md lists them.
	Rule string `json:"rule"`
	// Problem says what is wrong, why, and what to do.
	Problem string `json:"problem"`
}

// String is the finding as a line of text.
func (f Finding) String() string { return fmt.Sprintf("%s: %s: %s", f.Field, f.Rule, f.Problem) }

// Report is what a server's documents came to.
type Report struct {
	// Fields is how many fields were looked at, and Marked how many carry a lifecycle.
	Fields int `json:"fields"`
	Marked int `json:"marked"`
	// Excused is how many fields the exceptions name that are new without a lifecycle,
	// or gone.
	Excused int `json:"excused"`
	// Unused are the exceptions that excused nothing.
	Unused []string `json:"unused"`
	// Unchecked says which rules could not be asked, and why.
	Unchecked []string `json:"unchecked"`
	// Findings are sorted by field.
	Findings []Finding `json:"findings"`
}

// checker goes through one server's fields.
type checker struct {
	Server
	since      *Server
	before     map[string]map[string]schema.Field // by definition and place; of since
	exceptions Exceptions
	used       map[string]bool // exceptions
	report     Report
	told       map[Finding]bool
	fresh      map[string]bool // fields that are new since
}

// Check holds what a server publishes against the rules. With since, the release
// before, new fields must say how far they have come, but for the exceptions.
// An error is a document that cannot be read.
func Check(s Server, since *Server, exceptions Exceptions) (Report, error) {
	c := &checker{Server: s, since: since, exceptions: exceptions, told: map[Finding]bool{}, fresh: map[string]bool{}, used: map[string]bool{},
		report: Report{Unchecked: []string{}, Findings: []Finding{}}}
	fields, err := fieldsOf(s)
	if err != nil {
		return Report{}, err
	}
	if since != nil {
		was, err := fieldsOf(*since)
		if err != nil {
			return Report{}, err
		}
		c.before = indexed(was)
		c.gone(was, indexed(fields))
	}
	c.findComponent(fields)
	for _, f := range fields {
		c.report.Fields++
		if f.Marked {
			c.report.Marked++
			c.lifecycle(f)
		}
		if since != nil {
			c.compare(f)
		}
	}
	c.unchecked()
	c.report.Unused = c.unused()
	slices.SortFunc(c.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Problem, b.Problem))
	})
	return c.report, nil
}

// fieldsOf reads all documents. A definition stands in each document that uses it,
// and is read once.
func fieldsOf(s Server) ([]schema.Field, error) {
	var all []schema.Field
	known := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Documents)) {
		fields, err := schema.Fields(s.Documents[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.Name, name, err)
		}
		here := map[string]bool{}
		for _, f := range fields {
			if !known[f.Definition] {
				here[f.Definition] = true
				all = append(all, f)
			}
		}
		maps.Copy(known, here)
	}
	return all, nil
}

func indexed(fields []schema.Field) map[string]map[string]schema.Field {
	all := map[string]map[string]schema.Field{}
	for _, f := range fields {
		if all[f.Definition] == nil {
			all[f.Definition] = map[string]schema.Field{}
		}
		all[f.Definition][f.Place] = f
	}
	return all
}

// tell notes a finding once.
func (c *checker) tell(f schema.Field, rule, problem string, args ...any) {
	found := Finding{f.Definition + f.Place, rule, fmt.Sprintf(problem, args...)}
	if !c.told[found] {
		c.told[found] = true
		c.report.Findings = append(c.report.Findings, found)
	}
}

// unchecked says what nobody could tell.
func (c *checker) unchecked() {
	if c.Stages == nil {
		c.report.Unchecked = append(c.report.Unchecked, "gate, stage, dropped behind a gate: "+c.Name+" does not say which feature gates it has")
	}
	if _, ok := parseRelease(c.Version); !ok {
		c.report.Unchecked = append(c.report.Unchecked, "release: "+c.Name+" does not say which release it is")
	}
	if c.since == nil {
		c.report.Unchecked = append(c.report.Unchecked, "unmarked, dropped, gone, early: no release to compare with; name one with --since")
	} else if _, ok := parseRelease(c.since.Version); !ok {
		c.report.Unchecked = append(c.report.Unchecked, "early: "+c.since.Name+" does not say which release it is")
	}
}
