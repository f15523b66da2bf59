package ruling_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/result"
)

// TestEffectOf: each outcome, beside a finding that differs from it in one word and has another.
func TestEffectOf(t *testing.T) {
	lost := func(c term.Cause, client term.Client, read, via term.Role) result.Finding {
		f := []result.Finding{{Outcome: term.Lost, Cause: c, Client: client, Read: read, Via: via, Verb: term.Put, Path: ".spec.x"}}
		blame.AddActors(nil, f)
		return f[0]
	}
	call := func(s term.Outcome, c term.Cause, v term.Verb) result.Finding {
		return result.Finding{Outcome: s, Cause: c, Verb: v, Client: term.Dynamic, Via: term.Old}
	}
	for name, c := range map[string]struct {
		finding result.Finding
		want    term.Effect
	}{
		"an old server drops it":                 {lost(term.UnknownField, term.Dynamic, term.Old, term.Old), term.Lost.By(term.OldServer)},
		"a new server drops it":                  {lost(term.Pruned, term.Dynamic, term.New, term.New), term.Lost.By(term.NewRelease)},
		"a default takes its place":              {result.Finding{Outcome: term.Changed, Path: ".spec.a", Cause: term.Defaulted}, term.Changed.Effect()},
		"what was invalid is accepted":           {result.Finding{Outcome: term.Changed, Check: term.CheckRule2, Verb: term.Put}, term.Effect{}},
		"replicas disagree":                      {result.Finding{Outcome: term.Varies}, term.Varies.Effect()},
		"only the owner differs":                 {result.Finding{Outcome: term.Changed, Path: ".metadata.managedFields"}, term.OwnershipChanged.Effect()},
		"one release fills it in":                {result.Finding{Outcome: term.Lost, Verb: term.Create, Via: term.New, Path: ".spec.x"}, term.Changed.Effect()},
		"hidden":                                 {result.Finding{Outcome: term.Hidden}, term.Hidden.Effect()},
		"back again":                             {result.Finding{Outcome: term.Resurrected}, term.Hidden.Effect()},
		"undecodable":                            {result.Finding{Outcome: term.Undecodable}, term.Undecodable.Effect()},
		"a panic":                                {result.Finding{Outcome: term.Panicked}, term.Panicked.Effect()},
		"frozen":                                 {result.Finding{Outcome: term.Frozen}, term.Frozen.Effect()},
		"not in the answer":                      {result.Finding{Outcome: term.Dropped}, term.Dropped.Effect()},
		"taken with the gate off":                {result.Finding{Outcome: term.Accepted}, term.Accepted.Effect()},
		"indeterminate":                          {result.Finding{Outcome: term.Indeterminate}, term.Effect{}},
		"a create is refused":                    {call(term.Refused, term.UnknownValue, term.Create), term.Refused.Effect()},
		"an apply of the value is refused":       {call(term.Refused, term.UnknownValue, term.Apply), term.Refused.Effect()},
		"a label of a stored object is refused":  {call(term.Refused, term.NotRatcheted, term.MergePatch), term.Frozen.Effect()},
		"a label by an old client is refused":    {result.Finding{Outcome: term.Refused, Verb: term.Put, Client: term.OldTyped, Via: term.New}, term.Refused.Effect()},
		"Strict refuses what is unknown":         {result.Finding{Outcome: term.Refused, Verb: term.Put, Client: term.Dynamic, Via: term.Old, FieldValidation: term.Strict}, term.Refused.Effect()},
		"the version is not served":              {call(term.Refused, term.NotServed, term.MergePatch), term.Refused.Effect()},
		"a definition that a server refuses":     {result.Finding{Check: term.CheckInstalls, Outcome: term.Refused, Cause: term.BadVersion}, term.Refused.Effect()},
		"a write fails on what is stored":        {call(term.Failed, term.BadVersion, term.MergePatch), term.Undecodable.Effect()},
		"a typed client cannot decode it":        {result.Finding{Outcome: term.Failed, Cause: term.Misread, Verb: term.Put, Client: term.NewTyped, Via: term.New}, term.Undecodable.Effect()},
		"a write fails":                          {call(term.Failed, term.Unattributed, term.MergePatch), term.Frozen.Effect()},
		"a read fails":                           {call(term.Failed, term.Unattributed, term.Get), term.Undecodable.Effect()},
		"a write fails, and the log has a panic": {call(term.Failed, term.ServerPanic, term.MergePatch), term.Panicked.Effect()},
	} {
		assert.Equal(t, c.want, ruling.EffectOf(c.finding), name)
	}
}

// TestEveryOutcomeHasAnEffect: an outcome that is added to the words of findings is decided here too.
func TestEveryOutcomeHasAnEffect(t *testing.T) {
	for _, s := range term.Outcomes() {
		if s.Word == term.Indeterminate {
			continue
		}
		assert.Contains(t, term.Effects(), ruling.EffectOf(result.Finding{Outcome: s.Word, Path: ".spec.a", Via: term.Old}), s.Word)
	}
}
