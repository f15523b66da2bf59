package view

import (
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"

	"github.com/skewsim/skewsim/sim/result"
)

// ReportFile is where junit.xml and report.md find the evidence, beside them.
const ReportFile = "report.html"

// EvidenceAddress is where a report shows what a finding is about.
func EvidenceAddress(f result.Finding, report string) string {
	if f.Step == 0 && f.Copy == "" {
		return report // it is of no step, but of the run
	}
	return report + FindingLink(f)
}

// stateLink is the address, within report.html, of what a copy was at a step:
// #step-17/COPY/PATH. An empty copy or path leaves off what follows, so that
// the step of the plan, or the whole copy at that step, is meant. Names and
// paths are escaped whole: whatever they hold cannot end the address.
func stateLink(step int, copy, path string) string {
	return "#" + strings.Join(tail([]string{StepID(step)}, copy, path), "/")
}

// ledgerLink is the address of the ledger of one acknowledged value.
func ledgerLink(copy, path string) string {
	return "#" + strings.Join(tail([]string{"ledger"}, copy, path), "/")
}

// FindingLink is where the page shows what a finding is about: the state at its
// step. A write that no step asked for has step 0: the value's ledger shows it,
// else what is left of the states, else the finding itself.
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

// tail adds the names to an address, up to the first that is empty.
func tail(parts []string, names ...string) []string {
	for _, name := range names {
		if name == "" {
			break
		}
		parts = append(parts, url.PathEscape(whole(name)))
	}
	return parts
}

// whole is the name as the page's data has it: JSON holds no broken UTF-8.
func whole(name string) string { return string([]rune(name)) }

// StepID is the anchor of a step of the plan.
func StepID(step int) string { return fmt.Sprintf("step-%d", step) }

// FilterLink is the address of the states that a filter shows: #?state=lost.
// Keys and values alternate; a pair whose value is empty is left out.
func FilterLink(pairs ...string) string {
	var given []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			value := strings.ReplaceAll(url.QueryEscape(whole(pairs[i+1])), "+", "%20") // as encodeURIComponent has it
			given = append(given, pairs[i]+"="+value)
		}
	}
	if len(given) == 0 {
		return "#states"
	}
	return "#?" + strings.Join(given, "&")
}

// Linked marks an address made here as one that a template may write.
func Linked(address string) template.URL {
	return template.URL(address) //nolint:gosec // escaped, and begins with #
}

// ReportLink is the address of a run's report, from the page that links to it. What
// means something in an address is escaped, and a path is never taken for a scheme.
func ReportLink(r result.MergedRun) string {
	if r.Report == "" {
		return ""
	}
	return (&url.URL{Path: path.Clean(r.Report)}).String()
}
