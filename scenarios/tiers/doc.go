// Package tiers says which tests run when, and what each of them plays.
//
// It turns tiers.yaml into the scenarios, mutants, A/A runs and pairs of releases of each
// tier, and decides for a test whether its tier was asked for. It starts nothing and
// judges nothing. Only tests import it.
//
//	func TestFrobberMutants(t *testing.T) {
//		tiers.Need(t, tiers.Frobber) // skips, unless SKEWSIM_TIER asks for the tier
//		for _, name := range tiers.Plays(t, tiers.Frobber).Mutants { … }
//	}
package tiers
