package reports

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Refuse replaces an earlier result.json of a directory whose record cannot be judged: what it says is no
// longer known. The new one has the verdict unknown, and the reason. Refuse writes nothing where the
// directory has no result, or the error is a mistake of the user, such as a scenario of another run.
func Refuse(dir string, why error) error {
	if why == nil || fault.Is(why, fault.User) {
		return nil
	}
	text, err := rundir.ReadRegular(filepath.Join(dir, rundir.ResultFile))
	if err != nil {
		return nil // there is none to replace
	}
	var before result.Result
	if json.Unmarshal(text, &before) != nil {
		before = result.Result{}
	}
	refused := result.Result{
		SchemaVersion: result.SchemaVersion, Tool: before.Tool, Scenario: before.Scenario, About: before.About, Releases: before.Releases,
		Journey: before.Journey, Seed: before.Seed, Builds: before.Builds, Verdict: term.Unknown, Reason: "the record cannot be judged: " + why.Error(),
	}
	for _, c := range before.Checks {
		refused.Checks = append(refused.Checks, result.Check{Name: c.Name, Guarantee: c.Guarantee, Verdict: term.Unknown})
	}
	return rundir.WriteFile(dir, rundir.ResultFile, func(w io.Writer) error { return JSON(w, refused) })
}

// RefuseLegs makes earlier results of a chain's legs unknown that cannot be judged: see Refuse. Unread has
// their directories.
func RefuseLegs(dir string, v chain.Verdict, unread map[string]bool) (err error) {
	for _, leg := range v.Legs {
		if unread[leg.Directory] {
			err = errors.Join(err, Refuse(rundir.RecordedLegDir(dir, leg), errors.New(leg.Reason)))
		}
	}
	return err
}
