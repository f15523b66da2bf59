package checks

import "github.com/skewsim/skewsim/sim/plan"

// Rollbacks returns the indexes of each rollback's stages: a new server serves, one returns, all have
// returned.
func Rollbacks(p plan.Plan) (all [][3]int) {
	for _, r := range rollbacks(p) {
		all = append(all, [3]int{r.ahead, r.begun, r.done})
	}
	return all
}
