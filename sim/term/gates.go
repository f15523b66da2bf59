package term

// GateStage is how far the feature of a gate has come.
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
