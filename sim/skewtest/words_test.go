package skewtest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestWords: every word of a scenario file has a constant.
func TestWords(t *testing.T) {
	assert.ElementsMatch(t, term.Clients().Words(), wordsOf[string]([]Client{OldTyped, NewTyped, OldApply, NewApply, OlderTyped, OlderApply, Dynamic}))
	assert.ElementsMatch(t, term.Rollouts().Words(), wordsOf[string]([]Rollout{Upgrade, Rollback, Halt, ProgramRollback, Forgotten}))
	assert.ElementsMatch(t, term.Verbs().Words(), wordsOf[string]([]Verb{
		VerbCreate, VerbPut, VerbUnchangedPut, VerbJSONPatch, VerbMergePatch, VerbStrategicPatch, VerbMergeDiff, VerbStrategicDiff,
		VerbApply, VerbExtractApply, VerbClientSideApply, VerbStatusPut, VerbStatusPatch, VerbScalePut, VerbScalePatch, VerbPost,
		VerbGet, VerbList, VerbDelete, VerbDeleteCollection, VerbEvict,
	}))
	assert.ElementsMatch(t, term.Checks().Words(), wordsOf[string]([]Check{
		CheckNothingLost, CheckEverythingDecodes, CheckStaysWritable, CheckResurrection, CheckRule1, CheckRule2, CheckRule3,
		CheckRule4, CheckRule5, CheckRule6, CheckInstalls, CheckAnswers, CheckEmulates,
	}))
	assert.ElementsMatch(t, term.RunOutcomes().Words(), wordsOf[string]([]Outcome{
		OutcomeKept, OutcomeHidden, OutcomeChanged, OutcomeLost, OutcomeUndecodable, OutcomeResurrected, OutcomeDropped, OutcomeAccepted,
		OutcomeRefused, OutcomeFailed, OutcomePanicked, OutcomeFrozen, OutcomeWithdrawn, OutcomeIndeterminate, OutcomeVaries, OutcomeOutage,
	}))
	assert.ElementsMatch(t, term.Causes().Words(), wordsOf[string]([]Cause{
		CauseUnknownField, CauseReadHidden, CauseClientOmitted, CauseListReplaced, CauseApplyReleased, CauseGateDisabled,
		CauseElementDropped, CauseUnionEmptied, CauseUnknownValue, CauseInvalidValue, CauseWrongType, CauseNotRatcheted, CausePruned, CauseDefaulted, CauseConverted, CauseNotConverted, CauseNotAdmitted, CauseNoProgram,
		CauseStorageVersion, CauseEncoding, CauseKeyMissing, CauseClientMisread, CauseServerPanic, CauseNotServed, CauseOtherSubresource, CauseNotSelectable, CauseUnattributed,
		CauseRequired, CauseImmutable, CauseAskedStrict,
	}))
	programs := scenarios.StageNames(scenarios.ProgramJourney(), 1, true)
	for _, at := range []At{StageUpgradingDefinitions, StageUpgradingAbsent, StageProgramRolledBack, StageForgotten, StageReUpgraded} {
		assert.Contains(t, programs, string(at))
	}
	stages := scenarios.StageWords(scenarios.StageNames([]term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}, 2, false))
	for _, at := range []At{EveryStage, StageOld, StageUpgrading, StageNew, StageRollingBack, StageRolledBack, StageReUpgrading, StageReUpgraded} {
		assert.Contains(t, stages, string(at))
	}
}
