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
// is replaced; with one replica there are no such parts at all. A journey that begins with a
// rollback, as a leg on a chain's way back does, begins at new. A journey that halts ends with
// the last part of its roll-out. Where releases have programs, an upgrade has two parts more
// before new: upgrading definitions, and upgrading absent; see InParts.
func StageNames(journey []term.Rollout, replicas int, programs bool) []string {
	names := []string{string(Begins(journey))}
	for leg, rollout := range journey {
		if rollout == term.Halt {
			continue
		}
		during, after := legNames(journey, leg)
		if MovesServers(rollout) {
			for k := 1; k < replicas; k++ {
				names = append(names, fmt.Sprintf("%s %d/%d", during, k, replicas))
			}
		}
		if programs && InParts(journey, leg) {
			names = append(names, during+" definitions", during+" absent")
		}
		if !Halts(journey, leg) {
			names = append(names, after)
		}
	}
	return names
}

// MovesServers reports whether a roll-out replaces servers, and with them the definitions.
func MovesServers(rollout term.Rollout) bool {
	return rollout == term.Upgrade || rollout == term.Rollback
}

// InParts reports whether, where releases have programs, a leg is an upgrade in parts: first all
// definitions are new while the old program still runs, then no program runs. An upgrade whose
// program is new already has no such parts, nor has one that halts.
func InParts(journey []term.Rollout, leg int) bool {
	return journey[leg] == term.Upgrade && ProgramBefore(journey, leg) == term.Old && !Halts(journey, leg)
}

// ProgramBefore returns the release whose program runs when a leg begins.
func ProgramBefore(journey []term.Rollout, leg int) term.Role {
	runs := Begins(journey)
	for _, rollout := range journey[:leg] {
		switch rollout {
		case term.Upgrade, term.Forgotten:
			runs = term.New
		case term.Rollback, term.ProgramRollback:
			runs = term.Old
		}
	}
	return runs
}

// MovesPrograms reports whether a journey has a leg that is only for releases with programs.
func MovesPrograms(journey []term.Rollout) bool {
	return slices.Contains(journey, term.ProgramRollback) || slices.Contains(journey, term.Forgotten)
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

// legWords are what a leg's parts are called, the stage that it leads to, and that stage when the leg
// is not the first of its kind. A leg that moves a program alone has no parts.
var legWords = map[term.Rollout]struct{ during, after, again string }{
	term.Upgrade:         {"upgrading", string(term.New), "upgraded"},
	term.Rollback:        {"rolling-back", "rolled-back", "rolled-back"},
	term.ProgramRollback: {"", "program-rolled-back", "program-rolled-back"},
	term.Forgotten:       {"", "forgotten", "forgotten"},
}

// legNames returns the name of a leg's stage and of the stage it leads to. The second leg of a
// kind has the prefix re-; later legs are numbered.
func legNames(journey []term.Rollout, leg int) (during, after string) {
	words := legWords[journey[leg]]
	times := 0 // how many earlier legs are of the same kind
	for _, before := range journey[:leg] {
		if before == journey[leg] {
			times++
		}
	}
	switch times {
	case 0:
		return words.during, words.after
	case 1:
		return "re-" + words.during, "re-" + words.again
	}
	return fmt.Sprintf("re-%s-%d", words.during, times), fmt.Sprintf("re-%s-%d", words.again, times)
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
