// Package tiers says which tests run when, and what each of them plays.
//
// It turns tiers.yaml into the scenarios, mutants, A/A runs and pairs of releases of each tier,
// and decides whether a test's tier is selected. It never starts or judges anything. Only tests
// import it.
//
//	func TestFrobberMutants(t *testing.T) {
//		tiers.Need(t, tiers.Frobber) // skips, unless SKEWSIM_TIER selects the tier
//		for _, name := range tiers.Plays(t, tiers.Frobber).Mutants { … }
//	}
package tiers
