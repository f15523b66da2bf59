package term

// GateStage is the maturity of a gate's feature.
type GateStage string

// The stages whose gates can be switched on together.
const (
	AlphaGates GateStage = "alpha"
	BetaGates  GateStage = "beta"
)

// GateStages lists every GateStage.
func GateStages() List[GateStage] {
	return List[GateStage]{
		{AlphaGates, "features that are off unless asked for, and may go without notice"},
		{BetaGates, "features that are about to stay; some are off unless asked for"},
	}
}

// GateSource is the evidence that a field is behind a gate.
type GateSource string

// The sources of gates.
const (
	FromLifecycle   GateSource = "lifecycle"
	FromTag         GateSource = "source-tag"
	FromDescription GateSource = "description"
	FromName        GateSource = "name"
)

// GateSources lists every GateSource, the most trusted first.
func GateSources() List[GateSource] {
	return List[GateSource]{
		{FromLifecycle, "the lifecycle that the server publishes of the field (KEP-2558)"},
		{FromTag, "the +featureGate tag in the source of the release's types"},
		{FromDescription, "the field's published description"},
		{FromName, "a guess: the gate's name is like the field's, or it guards the field beside, and it is new or off in one release alone"},
	}
}
