package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestFates: each fate, beside a finding that differs from it in one word and has another fate.
func TestFates(t *testing.T) {
	lost := func(c term.Cause, client term.Client, read, via term.Role) result.Finding {
		return result.Finding{State: term.Lost, Cause: c, Client: client, Read: read, Via: via, Verb: term.Put, Path: ".spec.x"}
	}
	call := func(s term.State, c term.Cause, v term.Verb) result.Finding {
		return result.Finding{State: s, Cause: c, Verb: v, Client: term.Dynamic, Via: term.Old}
	}
	for name, c := range map[string]struct {
		finding result.Finding
		fate    term.Fate
	}{
		"an old server drops it":                 {lost(term.UnknownField, term.Dynamic, term.Old, term.Old), term.FateLostByOld},
		"a new server drops it":                  {lost(term.Pruned, term.Dynamic, term.New, term.New), term.FateLostByNew},
		"read from the old server, which hides":  {lost(term.ReadHidden, term.Dynamic, term.Old, term.New), term.FateLostByOld},
		"read from the new server, which hides":  {lost(term.ReadHidden, term.Dynamic, term.New, term.Old), term.FateLostByNew},
		"an old client omits it":                 {lost(term.ClientOmitted, term.OldTyped, term.New, term.New), term.FateLostByClients},
		"a new client omits it":                  {lost(term.ClientOmitted, term.NewTyped, term.Old, term.Old), term.FateLostByNew},
		"an old client's server drops it":        {lost(term.UnknownField, term.OldTyped, term.Old, term.Old), term.FateLostByOld},
		"a default takes its place":              {result.Finding{State: term.Changed, Path: ".spec.a", Cause: term.Defaulted}, term.FateMeansOther},
		"what was invalid is accepted":           {result.Finding{State: term.Changed, Check: term.CheckRule2, Verb: term.Put}, ""},
		"replicas disagree":                      {result.Finding{State: term.Varies}, term.FateMeansOther},
		"only the owner differs":                 {result.Finding{State: term.Changed, Path: ".metadata.managedFields"}, term.FateOwnershipChanged},
		"one release fills it in":                {result.Finding{State: term.Lost, Verb: term.Create, Via: term.New, Path: ".spec.x"}, term.FateMeansOther},
		"hidden":                                 {result.Finding{State: term.Hidden}, term.FateDormant},
		"back again":                             {result.Finding{State: term.Resurrected}, term.FateDormant},
		"undecodable":                            {result.Finding{State: term.Undecodable}, term.FateUndecodable},
		"a panic":                                {result.Finding{State: term.Panicked}, term.FateCrashed},
		"frozen":                                 {result.Finding{State: term.Frozen}, term.FateFrozen},
		"not in the answer":                      {result.Finding{State: term.NotAccepted}, term.FateDropped},
		"taken with the gate off":                {result.Finding{State: term.Accepted}, term.FateKept},
		"indeterminate":                          {result.Finding{State: term.Indeterminate}, ""},
		"a create is refused":                    {call(term.Refused, term.UnknownValue, term.Create), term.FateRefused},
		"an apply of the value is refused":       {call(term.Refused, term.UnknownValue, term.Apply), term.FateRefused},
		"a label of a stored object is refused":  {call(term.Refused, term.NotRatcheted, term.MergePatch), term.FateFrozen},
		"a label by an old client is refused":    {result.Finding{State: term.Refused, Verb: term.Put, Client: term.OldTyped, Via: term.New}, term.FateRefused},
		"Strict refuses what is unknown":         {result.Finding{State: term.Refused, Verb: term.Put, Client: term.Dynamic, Via: term.Old, FieldValidation: term.Strict}, term.FateRefused},
		"the version is not served":              {call(term.Refused, term.NotServed, term.MergePatch), term.FateRefused},
		"a definition that a server refuses":     {result.Finding{Check: term.CheckInstalls, State: term.Refused, Cause: term.BadVersion}, term.FateRefused},
		"a write fails on what is stored":        {call(term.Failed, term.BadVersion, term.MergePatch), term.FateUndecodable},
		"a typed client cannot decode it":        {result.Finding{State: term.Failed, Cause: term.Misread, Verb: term.Put, Client: term.NewTyped, Via: term.New}, term.FateUndecodable},
		"a write fails":                          {call(term.Failed, term.Unattributed, term.MergePatch), term.FateFrozen},
		"a read fails":                           {call(term.Failed, term.Unattributed, term.Get), term.FateUndecodable},
		"a write fails, and the log has a panic": {call(term.Failed, term.ServerPanic, term.MergePatch), term.FateCrashed},
	} {
		assert.Equal(t, c.fate, FateOf(c.finding), name)
	}
}

// TestEveryStateHasAFate: a state that is added to the words of findings is decided here too.
func TestEveryStateHasAFate(t *testing.T) {
	for _, s := range term.States() {
		if s.Word == term.Indeterminate {
			continue
		}
		assert.True(t, term.Fates().Has(FateOf(result.Finding{State: s.Word, Path: ".spec.a", Via: term.Old})), s.Word)
	}
}
