package skewtest

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Rollout is a part of a journey.
type Rollout string

// The roll-outs.
const (
	Upgrade  Rollout = Rollout(term.Upgrade)  // every replica moves to the new release
	Rollback Rollout = Rollout(term.Rollback) // every replica moves back to the old release
	Halt     Rollout = Rollout(term.Halt)     // the roll-out before it stops short of its last replica

	ProgramRollback Rollout = Rollout(term.ProgramRollback) // the old program runs again, and the new definitions stay
	Forgotten       Rollout = Rollout(term.Forgotten)       // the new program runs, and the old definitions stay
)

// At is a stage of the journey, or several: "upgrading" is all parts of that roll-out, and
// "upgrading 1/2" the first of two.
type At string

// The stages of the default journey, which is upgrade, rollback, upgrade.
const (
	EveryStage       At = scenarios.EveryStage
	StageOld         At = At(term.Old)
	StageUpgrading   At = "upgrading"
	StageNew         At = At(term.New)
	StageRollingBack At = "rolling-back"
	StageRolledBack  At = "rolled-back"
	StageReUpgrading At = "re-upgrading"
	StageReUpgraded  At = "re-upgraded"
)

// The stages that a journey has besides where releases have programs; see docs/how-to/my-operator-converts-by-webhook.md.
const (
	StageUpgradingDefinitions At = "upgrading definitions" // the definitions are new, and the old program runs
	StageUpgradingAbsent      At = "upgrading absent"      // no program runs
	StageProgramRolledBack    At = "program-rolled-back"   // the old program runs again on new definitions
	StageForgotten            At = "forgotten"             // the new program runs on old definitions
)

func (a At) apply(l *scenarios.Line) { l.At = append(l.At, string(a)) }

// Verb is the request that a line sends.
type Verb string

// The verbs. See docs/reference/scenario.md for what each of them sends, and which clients can.
const (
	VerbCreate           Verb = Verb(term.Create)
	VerbPut              Verb = Verb(term.Put)
	VerbUnchangedPut     Verb = Verb(term.UnchangedPut)
	VerbJSONPatch        Verb = Verb(term.JSONPatch)
	VerbMergePatch       Verb = Verb(term.MergePatch)
	VerbStrategicPatch   Verb = Verb(term.StrategicPatch)
	VerbMergeDiff        Verb = Verb(term.MergeDiff)
	VerbStrategicDiff    Verb = Verb(term.StrategicDiff)
	VerbApply            Verb = Verb(term.Apply)
	VerbExtractApply     Verb = Verb(term.ExtractApply)
	VerbClientSideApply  Verb = Verb(term.ClientSideApply)
	VerbStatusPut        Verb = Verb(term.StatusPut)
	VerbStatusPatch      Verb = Verb(term.StatusPatch)
	VerbScalePut         Verb = Verb(term.ScalePut)
	VerbScalePatch       Verb = Verb(term.ScalePatch)
	VerbPost             Verb = Verb(term.Post)
	VerbGet              Verb = Verb(term.Get)
	VerbList             Verb = Verb(term.ListAll)
	VerbDelete           Verb = Verb(term.Delete)
	VerbDeleteCollection Verb = Verb(term.DeleteCollection)
	VerbEvict            Verb = Verb(term.Evict)
)

// Check is a promise that findings are about.
type Check string

// The checks. See docs/reference/checks.md.
const (
	CheckNothingLost       Check = Check(term.CheckNothingLost)
	CheckEverythingDecodes Check = Check(term.CheckEverythingDecodes)
	CheckStaysWritable     Check = Check(term.CheckStaysWritable)
	CheckResurrection      Check = Check(term.CheckResurrection)
	CheckRule1             Check = Check(term.CheckRule1)
	CheckRule2             Check = Check(term.CheckRule2)
	CheckRule3             Check = Check(term.CheckRule3)
	CheckRule4             Check = Check(term.CheckRule4)
	CheckRule5             Check = Check(term.CheckRule5)
	CheckRule6             Check = Check(term.CheckRule6)
	CheckInstalls          Check = Check(term.CheckInstalls)
	CheckAnswers           Check = Check(term.CheckAnswers)
	CheckEmulates          Check = Check(term.CheckEmulates)
)

// Outcome is what happened to a value.
type Outcome string

// The outcomes. See docs/reference/outcomes.md.
const (
	OutcomeKept          Outcome = Outcome(term.Kept)
	OutcomeHidden        Outcome = Outcome(term.Hidden)
	OutcomeChanged       Outcome = Outcome(term.Changed)
	OutcomeLost          Outcome = Outcome(term.Lost)
	OutcomeUndecodable   Outcome = Outcome(term.Undecodable)
	OutcomeResurrected   Outcome = Outcome(term.Resurrected)
	OutcomeDropped       Outcome = Outcome(term.Dropped)
	OutcomeAccepted      Outcome = Outcome(term.Accepted)
	OutcomeRefused       Outcome = Outcome(term.Refused)
	OutcomeFailed        Outcome = Outcome(term.Failed)
	OutcomeOutage        Outcome = Outcome(term.Outage)
	OutcomePanicked      Outcome = Outcome(term.Panicked)
	OutcomeFrozen        Outcome = Outcome(term.Frozen)
	OutcomeWithdrawn     Outcome = Outcome(term.Withdrawn)
	OutcomeIndeterminate Outcome = Outcome(term.Indeterminate)
	OutcomeVaries        Outcome = Outcome(term.Varies)
)

// Cause is why a value is not what was acknowledged.
type Cause string

// The causes. See docs/reference/causes.md.
const (
	CauseUnknownField     Cause = Cause(term.UnknownField)
	CauseReadHidden       Cause = Cause(term.ReadHidden)
	CauseClientOmitted    Cause = Cause(term.ClientOmitted)
	CauseListReplaced     Cause = Cause(term.ListReplaced)
	CauseApplyReleased    Cause = Cause(term.ApplyReleased)
	CauseGateDisabled     Cause = Cause(term.GateDisabled)
	CauseElementDropped   Cause = Cause(term.ElementGone)
	CauseUnionEmptied     Cause = Cause(term.UnionEmptied)
	CauseUnknownValue     Cause = Cause(term.UnknownValue)
	CauseInvalidValue     Cause = Cause(term.InvalidValue)
	CauseWrongType        Cause = Cause(term.WrongType)
	CauseNotRatcheted     Cause = Cause(term.NotRatcheted)
	CausePruned           Cause = Cause(term.Pruned)
	CauseDefaulted        Cause = Cause(term.Defaulted)
	CauseConverted        Cause = Cause(term.Converted)
	CauseNotConverted     Cause = Cause(term.NotConverted)
	CauseNotAdmitted      Cause = Cause(term.NotAdmitted)
	CauseNoProgram        Cause = Cause(term.NoProgram)
	CauseStorageVersion   Cause = Cause(term.BadVersion)
	CauseEncoding         Cause = Cause(term.BadEncoding)
	CauseKeyMissing       Cause = Cause(term.KeyMissing)
	CauseClientMisread    Cause = Cause(term.Misread)
	CauseServerPanic      Cause = Cause(term.ServerPanic)
	CauseNotServed        Cause = Cause(term.NotServed)
	CauseOtherSubresource Cause = Cause(term.OtherSubresource)
	CauseNotSelectable    Cause = Cause(term.NotSelectable)
	CauseRequired         Cause = Cause(term.Required)
	CauseImmutable        Cause = Cause(term.Immutable)
	CauseAskedStrict      Cause = Cause(term.AskedStrict)
	CauseUnattributed     Cause = Cause(term.Unattributed)
)
