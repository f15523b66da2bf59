package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// EveryStage is the word of at that means every stage of the journey.
const EveryStage = "every"

// ReplicaNames returns the names of the replicas: a, b, c, ...
func ReplicaNames(replicas int) []string {
	names := make([]string, max(0, replicas))
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	return names
}

// StageNames returns the names of a journey's stages, in order. With two replicas the default
// journey has old, upgrading 1/2, new, rolling-back 1/2, rolled-back, re-upgrading 1/2 and
// re-upgraded. There is no part n/n, because the stage ends when the last replica of a roll-out
// is replaced; with one replica there are no parts at all. A journey that begins with a
// rollback, as a leg on a chain's way back does, begins at new. A journey that halts ends with
// the last part of its roll-out.
func StageNames(journey []term.Rollout, replicas int) []string {
	names := []string{string(Begins(journey))}
	for leg := range journey {
		if journey[leg] == term.Halt {
			continue
		}
		during, after := legNames(journey, leg)
		for k := 1; k < replicas; k++ {
			names = append(names, fmt.Sprintf("%s %d/%d", during, k, replicas))
		}
		if !Halts(journey, leg) {
			names = append(names, after)
		}
	}
	return names
}

// Halts reports whether a roll-out, by its place in the journey, stops before its last replica
// is replaced.
func Halts(journey []term.Rollout, leg int) bool {
	return leg+1 < len(journey) && journey[leg+1] == term.Halt
}

// Begins is the release that every replica runs when the journey begins.
func Begins(journey []term.Rollout) term.Role {
	if len(journey) > 0 && journey[0] == term.Rollback {
		return term.New
	}
	return term.Old
}

// legNames returns the name of a leg's stage and of the stage it leads to. The second leg of a
// kind has the prefix re-; later legs are numbered.
func legNames(journey []term.Rollout, leg int) (during, after string) {
	during, after = "upgrading", string(term.New)
	again := "upgraded"
	if journey[leg] == term.Rollback {
		during, after, again = "rolling-back", "rolled-back", "rolled-back"
	}
	times := 0 // how many earlier legs are of the same kind
	for _, before := range journey[:leg] {
		if before == journey[leg] {
			times++
		}
	}
	switch times {
	case 0:
		return during, after
	case 1:
		return "re-" + during, "re-" + again
	}
	return fmt.Sprintf("re-%s-%d", during, times), fmt.Sprintf("re-%s-%d", again, times)
}

// MatchStages returns the stages that a word of at means: the stage of that name, each part of
// a roll-out for its name without k/n, or all for "every". It returns none for a word that
// means no stage of the journey.
func MatchStages(word string, stages []string) []string {
	if word == EveryStage {
		return slices.Clone(stages)
	}
	var matched []string
	for _, stage := range stages {
		if stage == word || shortStage(stage) == word {
			matched = append(matched, stage)
		}
	}
	return matched
}

// shortStage returns the stage's name without its part.
func shortStage(stage string) string {
	short, _, _ := strings.Cut(stage, " ")
	return short
}

// StageWords returns all words that at may contain, each once.
func StageWords(stages []string) []string {
	words := []string{EveryStage}
	for _, stage := range stages {
		for _, word := range []string{shortStage(stage), stage} {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}
