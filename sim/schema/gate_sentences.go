package schema

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Descriptions name gates in sentences. A sentence may be about the field, about some of its values,
// about a member of it, or about one use of it: "Using the namespace field of source requires the
// CrossNamespace feature gate" gates no other use of source. Only a sentence whose subject is the
// field itself gates the field.

// describedGates are the gates that the description of one field names.
type describedGates struct {
	// ofField are the gates that the whole field needs, each once and sorted.
	ofField []string
	// ofValues are the gates that single values need, by value.
	ofValues map[string][]string
	// ofParts are the gates that a member or a use of the field needs, and that say nothing of the rest.
	ofParts []string
}

// beforeValues precedes the list of values that servers append to the description of an enum.
const beforeValues = "Possible enum values:"

// describedValue matches a value of that list.
var describedValue = regexp.MustCompile("(?m)^\\s*- `\"(.*?)\"`")

// gatesDescribed reads what the description of a field with a name says of gates.
func gatesDescribed(name string, s *spec.Schema) describedGates {
	all := describedGates{ofValues: map[string][]string{}}
	if !namesGates(s.Description) { // nearly all: reading sentences is dear
		return all
	}
	ofField, list, _ := strings.Cut(s.Description, beforeValues)
	for _, sentence := range sentencesOf(ofField) {
		all.add(sentence, subjectReader{name: name, enum: enumTexts(s)})
	}
	at := describedValue.FindAllStringSubmatchIndex(list, -1)
	for i, found := range at {
		end := len(list)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		value, ofValue := list[found[2]:found[3]], describedGates{ofValues: map[string][]string{}}
		for _, sentence := range sentencesOf(list[found[1]:end]) {
			ofValue.add(sentence, subjectReader{name: value, ofValue: true})
		}
		all.ofValues[value] = append(all.ofValues[value], ofValue.ofField...)
		all.ofParts = append(all.ofParts, ofValue.ofParts...)
	}
	all.ofField, all.ofParts = sortedOnce(all.ofField), sortedOnce(all.ofParts)
	for value, gates := range all.ofValues {
		if all.ofValues[value] = sortedOnce(gates); len(gates) == 0 {
			delete(all.ofValues, value)
		}
	}
	return all
}

func sortedOnce(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// enumTexts returns the values that a field, or the elements of a list, may have.
func enumTexts(s *spec.Schema) (all []string) {
	values := s.Enum
	if s.Items != nil && s.Items.Schema != nil {
		values = slices.Concat(values, s.Items.Schema.Enum)
	}
	for _, v := range values {
		if text, is := v.(string); is && text != "" {
			all = append(all, text)
		}
	}
	return all
}

// add adds the gates that one sentence requires.
func (d *describedGates) add(sentence string, by subjectReader) {
	for _, need := range requirementsIn(sentence) {
		switch whole, values := by.subjectOf(need); {
		case whole:
			d.ofField = append(d.ofField, need.gates...)
		case len(values) > 0:
			for _, value := range values {
				d.ofValues[value] = append(d.ofValues[value], need.gates...)
			}
		default:
			d.ofParts = append(d.ofParts, need.gates...)
		}
	}
}

// sentenceEnd matches what ends a sentence, and the stage by which some sentences begin, often
// without a full stop before: "(Alpha) Using this field requires …".
var sentenceEnd = regexp.MustCompile(`[.;!?]+(?:\s+|$)|\n\s*\n|\n\s*[-*]\s|\((?i:alpha|beta|ga|stable|deprecated)\)`)

// sentencesOf cuts a text into its sentences.
func sentencesOf(text string) (all []string) {
	for _, sentence := range sentenceEnd.Split(text, -1) {
		if sentence = strings.TrimSpace(sentence); sentence != "" {
			all = append(all, sentence)
		}
	}
	return all
}

// requirement is a part of a sentence that requires gates, with the words before and after.
type requirement struct {
	before, after string
	gates         []string
}

// The parts of the expressions below: the name of a gate, several names, and names with the words
// "feature gate" before or after them.
const (
	oneGate   = "[`\"']?[A-Z][A-Za-z0-9]+[`\"']?"
	someGates = oneGate + `(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)` + oneGate + `)*`
	gateWords = `(?i:(?:(?:alpha|beta|stable)\s+)?feature[\s-]?gates?)\b`
	lead      = `(?:(?i:that|enabling|the|both|alpha|beta|stable)\s+)*`
	gateNames = lead + `(?:(?P<gates>` + someGates + `)\s+` + gateWords + `|` + gateWords + `\s+(?P<named>` + someGates + `))`
)

// requirements are the ways in which a sentence requires a gate. What merely happens "when the
// gate is enabled" is none.
var requirements = []*regexp.Regexp{
	regexp.MustCompile(`(?i:\b(?:requir(?:es?|ing)|needs?|gated by|behind|depends on|enabl(?:es?|ing)))\s+` + gateNames),
	regexp.MustCompile(`(?i:\b(?:available|allowed|accepted|permitted|recognized|supported))(?P<value>(?i:\s+to be \S+)?)\s+(?i:(?:only\s+)?(?:when|if|with))\s+` + gateNames),
	regexp.MustCompile(gateNames + `\s+(?i:must be (?:enabled|on))`),
}

// switchedOff matches what follows a gate that is to be off.
var switchedOff = regexp.MustCompile(`^\s*(?i:(?:(?:is|are|to be|being|must be)\s+)?(?:not\s+enabled|disabled|off|turned off)\b)`)

// gateName matches the name of one gate.
var gateName = regexp.MustCompile(`[A-Z][A-Za-z0-9]+`)

// namesGates reports whether a text has a word that every requirement has: see gateWords.
func namesGates(text string) bool {
	for i := 0; i+3 < len(text); i++ {
		if text[i]|0x20 == 'g' && strings.EqualFold(text[i:i+4], "gate") {
			return true
		}
	}
	return false
}

// requirementsIn returns what a sentence requires.
func requirementsIn(sentence string) (all []requirement) {
	if !namesGates(sentence) {
		return nil
	}
	for _, form := range requirements {
		earlier := "" // the subject before the first of several requirements is that of all: "needs A, or needs B"
		last := 0
		for _, found := range form.FindAllStringSubmatchIndex(sentence, -1) {
			earlier += sentence[last:found[0]]
			last = found[1]
			need := requirement{before: earlier, after: sentence[found[1]:]}
			part := func(group string) string {
				i := 2 * form.SubexpIndex(group)
				if i < 0 || found[i] < 0 {
					return ""
				}
				return sentence[found[i]:found[i+1]]
			}
			need.before += part("value")
			need.gates = slices.DeleteFunc(gateName.FindAllString(part("gates")+" "+part("named"), -1), isNoGate)
			if !switchedOff.MatchString(need.after) && len(need.gates) > 0 {
				all = append(all, need)
			}
		}
	}
	return all
}

// isNoGate reports whether a word with a capital letter is a word of the sentence.
func isNoGate(word string) bool {
	return word == "The" || word == "Feature" || word == "Alpha" || word == "Beta"
}

// subjectReader reads what a requirement is about.
type subjectReader struct {
	name    string   // of the field, or the value
	enum    []string // the field's values
	ofValue bool     // the text describes one value: "this mode" is the value
}

// about are the words of a subject that is the field itself: "This is an alpha field and", "Using
// this field", "To set this field you must". Any other word is of a part, or of a condition.
var about = wordSet(`this the that it its which a an is are be been being and but also only will must should you users note
	or either field fields feature features type types option options property member setting attribute parameter struct list map object
	using use used usage set setting sets specify specifying enable enabling enabled of to for in order currently
	alpha beta ga stable optional experimental new level alpha-level beta-level alpha-stage beta-stage has have default by`)

// aboutValue are words for what a value of an enum is.
var aboutValue = wordSet(`value mode strategy policy condition state phase reason action operator scope level`)

func wordSet(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[word] = true
	}
	return all
}

var (
	word      = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9'_-]*`)
	quoted    = regexp.MustCompile("[`\"“]([^`\"”]+)[`\"”]")
	condition = regexp.MustCompile(`(?i:\b(?:when|if|unless|for|with|while|where|to use|to set)\b)([^,(]*)`)
	denial    = regexp.MustCompile(`(?i:\b(?:not|no|never|without|neither|cannot|longer)\b|n't\b)`)
	exception = regexp.MustCompile(`(?i:\b(?:other than|except|besides|apart from|different from)\b)`)
	number    = regexp.MustCompile(`(?i:\b(?:to be|set to|value of)\s+)(-?[0-9]+)\b`)
)

// subjectOf returns whether a requirement is one of the whole field, or else the values that it is
// about, as far as it names them.
func (r subjectReader) subjectOf(need requirement) (whole bool, values []string) {
	said := need.before
	for _, clause := range condition.FindAllStringSubmatch(need.after, -1) {
		said += " " + clause[1]
	}
	switch values = r.valuesIn(said); {
	case denial.MatchString(said):
		return false, nil
	case len(values) > 0 && exception.MatchString(said):
		return false, slices.DeleteFunc(slices.Clone(r.enum), func(v string) bool { return slices.Contains(values, v) })
	case len(values) > 0:
		return false, values
	}
	foreign := slices.ContainsFunc(word.FindAllString(said, -1), func(w string) bool {
		lower := strings.ToLower(w)
		return !about[lower] && !strings.EqualFold(w, r.name) && !(r.ofValue && aboutValue[lower])
	})
	return !foreign, nil
}

// valuesIn returns the values of the field that a text names: what it quotes, what it has of the enum,
// and numbers that the field is said to have.
func (r subjectReader) valuesIn(text string) (values []string) {
	for _, found := range quoted.FindAllStringSubmatch(text, -1) {
		if !strings.EqualFold(found[1], r.name) {
			values = append(values, found[1])
		}
	}
	for _, w := range word.FindAllString(text, -1) {
		if slices.Contains(r.enum, w) {
			values = append(values, w)
		}
	}
	for _, found := range number.FindAllStringSubmatch(text, -1) {
		values = append(values, found[1])
	}
	return sortedOnce(values)
}
