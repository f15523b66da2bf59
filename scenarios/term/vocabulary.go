package term

import (
	"reflect"
	"slices"
)

// Vocabulary is one closed list of words, as errors and the JSON Schema need it.
type Vocabulary struct {
	Noun, Plural string
	Words        []string
	Meanings     []string // of Words, one each
}

// Current returns the word that takes the place of an older one; a word that is current stays. Files that
// users wrote with older words stay valid.
func (v Vocabulary) Current(word string) string {
	if now, was := olderOutcomes[word]; was && slices.Contains(v.Words, string(now.Outcome)) {
		return string(now.Outcome)
	}
	return word
}

// VocabularyOf returns the closed list of a type's words, and false for a type that accepts any
// word.
func VocabularyOf(t reflect.Type) (Vocabulary, bool) {
	switch t {
	case reflect.TypeFor[CheckName]():
		return listed("check", "checks", Checks()), true
	case reflect.TypeFor[Rule]():
		return listed("rule", "rules", Rules()), true
	case reflect.TypeFor[Class]():
		return listed("class", "classes", Classes()), true
	case reflect.TypeFor[Outcome]():
		return listed("outcome", "outcomes", Outcomes()), true
	case reflect.TypeFor[Cause]():
		return listed("cause", "causes", Causes()), true
	case reflect.TypeFor[Generation]():
		return listed("generation", "generations", Generations()), true
	case reflect.TypeFor[Role]():
		return listed("release", "releases", Roles()), true
	case reflect.TypeFor[Rollout]():
		return listed("roll-out", "roll-outs", Rollouts()), true
	case reflect.TypeFor[EncryptionProvider]():
		return listed("provider", "providers", EncryptionProviders()), true
	case reflect.TypeFor[GateStage]():
		return listed("gates", "gates", GateStages()), true
	case reflect.TypeFor[Client]():
		return listed("client", "clients", Clients()), true
	case reflect.TypeFor[Change]():
		return listed("change", "changes", Changes()), true
	case reflect.TypeFor[Encoding]():
		return listed("encoding", "encodings", Encodings()), true
	case reflect.TypeFor[FieldValidation]():
		return listed("fieldValidation", "fieldValidations", FieldValidations()), true
	case reflect.TypeFor[Verb]():
		return listed("verb", "verbs", Verbs()), true
	case reflect.TypeFor[PatchType]():
		return listed("patch type", "patch types", PatchTypes()), true
	case reflect.TypeFor[Propagation]():
		return listed("propagation", "propagations", Propagations()), true
	case reflect.TypeFor[CopyRole]():
		return listed("copy", "copies", CopyRoles()), true
	}
	return Vocabulary{}, false
}

func listed[W ~string](noun, plural string, list List[W]) Vocabulary {
	v := Vocabulary{Noun: noun, Plural: plural, Words: list.Words()}
	for _, e := range list {
		v.Meanings = append(v.Meanings, e.Meaning)
	}
	return v
}
