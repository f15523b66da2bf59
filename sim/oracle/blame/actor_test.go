package blame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/result"
)

// TestActorOf: who lost a value, beside a loss that differs in one word and that somebody else made; other outcomes
// have no actor.
func TestActorOf(t *testing.T) {
	for name, c := range map[string]struct {
		cause     term.Cause
		client    term.Client
		read, via term.Role
		program   term.Role
		want      term.Actor
	}{
		"an old server drops it":                {term.UnknownField, term.Dynamic, term.Old, term.Old, "", term.OldServer},
		"a new server drops it":                 {term.Pruned, term.Dynamic, term.New, term.New, "", term.NewRelease},
		"read from the old server, which hides": {term.ReadHidden, term.Dynamic, term.Old, term.New, "", term.OldServer},
		"read from the new server, which hides": {term.ReadHidden, term.Dynamic, term.New, term.Old, "", term.NewRelease},
		"an old client omits it":                {term.ClientOmitted, term.OldTyped, term.New, term.New, "", term.OldClient},
		"an older client omits it":              {term.ClientOmitted, term.OlderTyped, term.New, term.New, "", term.OldClient},
		"a new client omits it":                 {term.ClientOmitted, term.NewTyped, term.Old, term.Old, "", term.NewRelease},
		"an old client's server drops it":       {term.UnknownField, term.OldTyped, term.Old, term.Old, "", term.OldServer},
		"rules convert, and no program":         {term.Converted, term.Dynamic, term.Old, term.Old, "", term.OldServer},
		"the new program, on old definitions":   {term.Converted, term.Dynamic, term.Old, term.Old, term.New, term.NewProgram},
		"the old program, on new definitions":   {term.NotAdmitted, term.OldTyped, term.New, term.New, term.Old, term.OldProgram},
		"old definitions prune, no program":     {term.Pruned, term.Dynamic, term.Old, term.Old, term.New, term.OldServer},
	} {
		f := []result.Finding{{Outcome: term.Lost, Cause: c.cause, Client: c.client, Read: c.read, Via: c.via, Program: c.program}, {Outcome: term.Changed, Cause: c.cause, Via: c.via}}
		blame.AddActors(nil, f)
		assert.Equal(t, c.want, f[0].Actor, name)
		assert.Empty(t, f[1].Actor, name)
	}
}
