package scenarios

import (
	"reflect"

	"github.com/skewsim/skewsim/scenarios/term"
)

// vocabulary is one closed list of words, as errors and the JSON Schema need it.
type vocabulary struct {
	noun, plural string
	words        []string
	meanings     []string
}

// vocabularyOf returns the closed list that a type's words come from, and
// false for a type whose words are free.
func vocabularyOf(t reflect.Type) (vocabulary, bool) {
	switch t {
	case reflect.TypeFor[term.CheckName]():
		return listed("check", "checks", term.Checks()), true
	case reflect.TypeFor[term.Rule]():
		return listed("rule", "rules", term.Rules()), true
	case reflect.TypeFor[term.Class]():
		return listed("class", "classes", term.Classes()), true
	case reflect.TypeFor[term.State]():
		return listed("state", "states", term.States()), true
	case reflect.TypeFor[term.Cause]():
		return listed("cause", "causes", term.Causes()), true
	case reflect.TypeFor[term.Generation]():
		return listed("generation", "generations", term.Generations()), true
	case reflect.TypeFor[term.Role]():
		return listed("release", "releases", term.Roles()), true
	case reflect.TypeFor[term.Rollout]():
		return listed("roll-out", "roll-outs", term.Rollouts()), true
	case reflect.TypeFor[term.EncryptionProvider]():
		return listed("provider", "providers", term.EncryptionProviders()), true
	case reflect.TypeFor[term.GateStage]():
		return listed("gates", "gates", term.GateStages()), true
	case reflect.TypeFor[term.Client]():
		return listed("client", "clients", term.Clients()), true
	case reflect.TypeFor[term.Mutation]():
		return listed("mutation", "mutations", term.Mutations()), true
	case reflect.TypeFor[term.Encoding]():
		return listed("encoding", "encodings", term.Encodings()), true
	case reflect.TypeFor[term.FieldValidation]():
		return listed("fieldValidation", "fieldValidations", term.FieldValidations()), true
	case reflect.TypeFor[term.Verb]():
		return listed("verb", "verbs", term.Verbs()), true
	case reflect.TypeFor[term.Propagation]():
		return listed("propagation", "propagations", term.Propagations()), true
	case reflect.TypeFor[term.CopyRole]():
		return listed("copy", "copies", term.CopyRoles()), true
	}
	return vocabulary{}, false
}

func listed[W ~string](noun, plural string, list term.List[W]) vocabulary {
	v := vocabulary{noun: noun, plural: plural, words: list.Words()}
	for _, e := range list {
		v.meanings = append(v.meanings, e.Meaning)
	}
	return v
}

// patchTypes are the verbs that can carry patch's body.
func patchTypes() []string {
	return selectVerbs(func(v term.Verb) bool {
		return v == term.JSONPatch || v == term.MergePatch || v == term.StrategicPatch || v == term.Post
	})
}

func selectVerbs(fits func(term.Verb) bool) []string {
	var words []string
	for _, e := range term.Verbs() {
		if fits(e.Word) {
			words = append(words, string(e.Word))
		}
	}
	return words
}
