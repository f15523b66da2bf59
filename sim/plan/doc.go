// Package plan turns a scenario, a pair of releases and a seed into a Plan:
// the numbered list of everything a run will do, stage by stage, decided
// before any server starts.
//
// It is pure: equal inputs give equal plans. It never starts, reads or writes
// anything; package run walks what it returns.
//
//	p, err := plan.Build(scenario, plan.Pair{Old: "kube-apiserver@v1.36.3", New: "kube-apiserver@v1.37.0"}, 0)
//	fmt.Print(p)
package plan
