package view

import (
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"

	"github.com/skewsim/skewsim/sim/result"
)

// ReportFile is the file with the evidence, beside junit.xml and report.md.
const ReportFile = "report.html"

// EvidenceAddress returns where a report shows the evidence of a finding.
func EvidenceAddress(f result.Finding, report string) string {
	if f.Step == 0 && f.Copy == "" {
		return report // it belongs to no step, but to the run
	}
	return report + FindingLink(f)
}

// stateLink returns the address, within report.html, of a copy's state at a step:
// #step-17/COPY/PATH. An empty copy or path ends the address before it, which then means
// the step of the plan, or the whole copy at that step. Names and paths are escaped whole,
// so that no character of theirs can end the address.
func stateLink(step int, copy, path string) string {
	return "#" + strings.Join(tail([]string{StepID(step)}, copy, path), "/")
}

// ledgerLink returns the address of the ledger of one acknowledged value.
func ledgerLink(copy, path string) string {
	return "#" + strings.Join(tail([]string{"ledger"}, copy, path), "/")
}

// FindingLink returns where the page shows the evidence of a finding: the state at its
// step. A write that belongs to no step has step 0: then it is the value's ledger, else the
// filtered states, else the finding itself.
func FindingLink(f result.Finding) string {
	switch {
	case f.Step > 0:
		return stateLink(f.Step, f.Copy, f.Path)
	case f.Copy != "" && f.Path != "":
		return ledgerLink(f.Copy, f.Path)
	case f.Copy != "":
		return FilterLink("q", f.Copy)
	}
	return "#findings"
}

// tail returns the names as the end of an address, up to the first empty one.
func tail(parts []string, names ...string) []string {
	for _, name := range names {
		if name == "" {
			break
		}
		parts = append(parts, url.PathEscape(whole(name)))
	}
	return parts
}

// whole returns the name as the page's data has it: JSON holds no invalid UTF-8.
func whole(name string) string { return string([]rune(name)) }

// StepID returns the anchor of a step of the plan.
func StepID(step int) string { return fmt.Sprintf("step-%d", step) }

// FilterLink returns the address of the states with a filter: #?outcome=lost. Keys and values
// alternate; a pair with an empty value is left out.
func FilterLink(pairs ...string) string {
	var given []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			value := strings.ReplaceAll(url.QueryEscape(whole(pairs[i+1])), "+", "%20") // like encodeURIComponent
			given = append(given, pairs[i]+"="+value)
		}
	}
	if len(given) == 0 {
		return "#states"
	}
	return "#?" + strings.Join(given, "&")
}

// Linked marks an address made here as safe for a template.
func Linked(address string) template.URL {
	return template.URL(address) //nolint:gosec // escaped, and begins with #
}

// ReportLink returns the address of a run's report, from the page that links to it. Special
// characters are escaped, and a path is never taken for a scheme.
func ReportLink(r result.MergedRun) string {
	if r.Report == "" {
		return ""
	}
	return (&url.URL{Path: path.Clean(r.Report)}).String()
}

// Local returns an address as a link beside a report, escaped; "" for one that leads
// anywhere else.
func Local(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || strings.HasPrefix(u.Path, "/") || strings.ContainsRune(address, '\\') {
		return ""
	}
	return u.String()
}
