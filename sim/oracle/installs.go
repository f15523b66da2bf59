package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// installsAny tells whether a release brings manifests that its servers are given.
func installsAny(e *evidence) bool {
	return slices.ContainsFunc(newestFirst(), func(role term.Role) bool { return len(e.history.Releases[role].Defines) > 0 })
}

// installs judges that what a release brings is taken, at every roll-out, in the place
// of what was there. Its facts are the manifests that servers were given.
func installs(e *evidence) judged {
	var j judged
	for _, s := range e.history.Servers {
		for _, one := range s.Installed {
			j.facts++
			if isRefused(one) {
				j.findings = append(j.findings, e.notInstalled(s, one))
			}
		}
	}
	return j
}

// isRefused reports whether a server did not take a manifest, also where it does not say why.
func isRefused(one history.Installed) bool { return one.Message != "" || one.Code >= 400 }

// notInstalled tells of a manifest that a server refused. The store may hold objects in
// a version that it does not have: that is known from what the server says it stores.
func (e *evidence) notInstalled(s history.Server, one history.Installed) result.Finding {
	f := result.Finding{
		Check: term.Installs, Rule: term.Installable, Class: term.Violation, State: term.Refused, Cause: term.Unattributed,
		Kind: one.Kind, Step: s.Step, Stage: e.steps[s.Step].stage, Via: s.Role, Replica: s.Replica,
		Release: e.history.Releases[s.Role].Version,
	}
	lacks := slices.DeleteFunc(slices.Clone(one.Stored), func(v string) bool { return slices.Contains(one.Versions, v) })
	why := ""
	if len(lacks) > 0 && len(one.Versions) > 0 {
		f.Cause = term.BadVersion
		why = fmt.Sprintf("; objects may be stored as %s, which this manifest does not have", strings.Join(lacks, ", "))
	}
	f.Message = fmt.Sprintf("%s %s: the manifest of %s, applied in step %d (%s), was answered %d: %s%s; the definition stays as it was%s; %s under %s",
		f.Kind, one.Name, f.Release, f.Step, f.Stage, one.Code, strings.TrimSpace(one.Message), why, because(f.Cause), f.Class, f.Rule)
	return f
}
