package blame

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// Reported holds the paths of findings by copy: no two checks report the same value.
type Reported map[string][]fieldpath.Path

// ReportedBy returns the values that checks report.
func ReportedBy(all ...Judged) Reported {
	paths := Reported{}
	for _, j := range all {
		for _, f := range j.Findings {
			if p, err := path.Parse(f.Path); err == nil && f.Path != "" {
				paths[f.Copy] = append(paths[f.Copy], p)
			}
		}
	}
	return paths
}

// Rest returns the findings about values that are not yet reported.
func (r Reported) Rest(all []result.Finding) []result.Finding {
	return slices.DeleteFunc(all, func(f result.Finding) bool {
		return f.Path != "" && r.has(f.Copy, trace.ParsePath(f.Path))
	})
}

// has reports whether the value, its parent or a part of it is reported.
func (r Reported) has(name string, p fieldpath.Path) bool {
	return slices.ContainsFunc(r[name], func(told fieldpath.Path) bool {
		return path.Contains(told, p) || path.Contains(p, told)
	})
}
