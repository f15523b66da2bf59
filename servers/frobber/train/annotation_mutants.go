package train

import "github.com/skewsim/skewsim/servers/frobber/release"

func annotationMutants() mutants { return mutants{"status": statusSetsDepth} }

// statusSetsDepth lets writes of the status set annotations, as controllers like to
// do: who may write the status alone changes what is asked for. The proposal:
// "code that allows annotation mutation but not field annotation can be exposed to
// malicious authors accidentally (bind, status, and a few other sub resources that
// protect spec can be abused [...])".
func statusSetsDepth(r *release.Release) {
	annotation(r)
	r.StatusSetsAnnotations = true
}
