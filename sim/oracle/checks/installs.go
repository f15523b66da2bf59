package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// InstallsAny reports whether a release brings manifests to install on its servers.
func InstallsAny(ev *trace.Evidence, _ []int) bool {
	return slices.ContainsFunc(trace.NewestFirst(), func(role term.Role) bool { return len(ev.History.Releases[role].Defines) > 0 })
}

// Installs judges that servers accept the manifests that a release brings, at every roll-out, in
// place of the previous ones. Its facts are the manifests that were applied.
func Installs(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, s := range ev.History.Servers {
		for _, one := range s.Installed {
			j.Facts++
			if trace.IsRefused(one) {
				j.Findings = append(j.Findings, notInstalled(ev, s, one))
			}
		}
	}
	return j
}

// notInstalled reports a manifest that a server refused. The store may hold objects in a version
// that the manifest lacks: the server lists the versions that it stores.
func notInstalled(ev *trace.Evidence, s history.Server, one history.Installed) result.Finding {
	f := result.Finding{
		Check: term.CheckInstalls, Rule: term.RuleInstallable, Class: term.Violation, Outcome: term.Refused, Cause: term.Unattributed,
		Kind: one.Kind, Defines: trace.DefinedBy(ev.Trace, one.Name), Step: s.Step, Stage: ev.Steps[s.Step].Stage, Via: s.Role, Replica: s.Replica,
		Release: ev.History.Releases[s.Role].Version,
	}
	lacks := slices.DeleteFunc(slices.Clone(one.Stored), func(v string) bool { return slices.Contains(one.Versions, v) })
	why := ""
	if len(lacks) > 0 && len(one.Versions) > 0 {
		f.Cause = term.BadVersion
		why = fmt.Sprintf("; objects may be stored as %s, which this manifest does not have", strings.Join(lacks, ", "))
	}
	f.Message = fmt.Sprintf("%s %s: the manifest of %s, applied in step %d (%s), was answered %d: %s%s; the definition stays as it was%s; %s under %s",
		f.Kind, one.Name, f.Release, f.Step, f.Stage, one.Code, strings.TrimSpace(one.Message), why, blame.CauseClause(ev, f), f.Class, f.Rule)
	return f
}
