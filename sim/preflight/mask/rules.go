package mask

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Rule is a rule of a definition, which its author has written: it says nothing of any object.
type Rule struct {
	Path    string `json:"-"` // of what it is about, without keys: .spec; "" for the whole object
	Rule    string `json:"rule"`
	Message string `json:"message"`
	// Computed is the expression that says what the message is, of an object's values; "": there is none.
	Computed string `json:"messageExpression"`
}

// rulesExtension is where a published schema has the rules.
const rulesExtension = "x-kubernetes-validations"

// Rules returns the rules of a kind, in the order of their paths.
func (f *Fields) Rules(apiVersion, kind string) []Rule {
	s := f.scheme(apiVersion, kind)
	if s.at == nil {
		return nil
	}
	key := apiVersion + " " + kind
	f.mu.Lock()
	all, known := f.rules[key]
	f.mu.Unlock()
	if known {
		return all
	}
	all = s.rules("", map[*spec.Schema]bool{})
	slices.SortStableFunc(all, func(a, b Rule) int { return strings.Compare(a.Path, b.Path) })
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rules[key] = all
	return all
}

// rules returns the rules of a place and of what is below. A definition that many places refer to, or that refers to
// itself, is read once.
func (s scheme) rules(path string, read map[*spec.Schema]bool) (all []Rule) {
	if s.at == nil || read[s.at] {
		return nil
	}
	read[s.at] = true
	if said, has := s.at.Extensions[rulesExtension]; has {
		raw, _ := json.Marshal(said) // it came from JSON
		if json.Unmarshal(raw, &all) != nil {
			all = nil
		}
		for i := range all {
			all[i].Path, all[i].Message = path, strings.TrimSpace(all[i].Message)
		}
	}
	for name := range s.at.Properties {
		below, _ := s.member(name)
		all = append(all, below.rules(path+"."+name, read)...)
	}
	if below := s.element(); below.at != nil {
		all = append(all, below.rules(path+"[]", read)...)
	}
	return all
}

// WithoutValues returns a rule without the texts and long numbers in it.
func (r Rule) WithoutValues() string {
	return longNumber.ReplaceAllString((*Fields)(nil).MessageOfSchema(r.Rule, nil, Own{Rules: []string{r.Rule}}), hidden)
}

var longNumber = regexp.MustCompile(`\b[0-9]{5,}\b`)

// OfExpression returns what a compiler quotes of expressions whose texts are without values: their names, operators
// and types.
func OfExpression(said, expressions string) (all []string) {
	for _, at := range quotedIn.FindAllStringSubmatch(said, -1) {
		word := at[1]
		isName := regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(word) + `($|\W)`).MatchString(strings.ReplaceAll(expressions, ".", " "))
		if isOperator.MatchString(word) || ofTypes.MatchString(word) || nameInRule.MatchString(word) && isName {
			all = append(all, at[0])
		}
	}
	return all
}

var (
	quotedIn   = regexp.MustCompile(`'([^'\s][^']*)'`)
	nameInRule = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	isOperator = regexp.MustCompile(`^[^\pL\pN]+$`)
	ofTypes    = regexp.MustCompile(`^\(?(?:(?:bool|bytes|double|duration|dyn|int|list|map|null_type|optional_type|string|timestamp|type|uint)[(), ]*)+$`)
)
