package search

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/objects"
)

// words are what the message of a refusal names: fields, values, numbers and forms. The
// refused value itself is not part of them.
type words []word

type word struct {
	text   string
	quoted bool
}

var (
	refusedValue = regexp.MustCompile(`^(Invalid value|Unsupported value|Duplicate value|Not found): ("(?:[^"\\]|\\.)*"|[^:]*):?`)
	// listed finds the values that a sentence lists without quotes: either A, B, or C.
	listed      = regexp.MustCompile(`(?:either|one of|values:) ((?:[A-Za-z0-9.-]+, )*[A-Za-z0-9.-]+,? or [A-Za-z0-9.-]+|(?:[A-Za-z0-9.-]+, )+[A-Za-z0-9.-]+)`)
	listedWord  = regexp.MustCompile(`\b(?:[A-Z0-9][A-Za-z0-9.-]*|[a-z]{3,}[A-Za-z0-9.-]*)\b`)
	wordPattern = regexp.MustCompile("\"([^\"]*)\"|`([^`]*)`|'([^']*)'|([A-Za-z][A-Za-z0-9_.]*|-?[0-9]+)")
)

// wordsOf returns the words of a message.
func wordsOf(message string) (all words) {
	message = refusedValue.ReplaceAllString(message, "")
	all = formsIn(message)
	for _, m := range listed.FindAllStringSubmatch(message, -1) {
		for _, text := range listedWord.FindAllString(m[1], -1) {
			all = append(all, word{text, true})
		}
	}
	for _, m := range wordPattern.FindAllStringSubmatch(message, -1) {
		text := m[1] + m[2] + m[3]
		if text != "" {
			all = append(all, word{text, true})
		} else if m[4] != "" {
			all = append(all, word{strings.Trim(m[4], "."), false})
		}
	}
	return all
}

// forms are the texts that sentences of servers ask for. They are sentences of the
// validation library that all servers share, and of Go's parsers.
var forms = []struct {
	sentence *regexp.Regexp
	values   []string
}{
	{regexp.MustCompile(`(?i)IP address`), []string{"10.0.0.1", "2001:db8::1"}},
	{regexp.MustCompile(`(?i)CIDR`), []string{"10.0.0.0/24", "2001:db8::/64"}},
	{regexp.MustCompile(`(?i)absolute path|begin with '/'|start with (a )?'?/`), []string{"/" + PlainWord}},
	{regexp.MustCompile(`(?i)\bURL\b|\bURI\b`), []string{"https://example.com/" + PlainWord}},
	{regexp.MustCompile(`(?i)duration`), []string{"1s", "1m0s"}},
	{regexp.MustCompile(`(?i)domain|prefixed path|fully qualified|slash|qualified name`), []string{"example.com/" + PlainWord, "example.com", PlainWord + ".example.com"}},
	{regexp.MustCompile(`(?i)PEM|certificate`), []string{"PEM"}},
	{regexp.MustCompile(`(?i)PKCS ?#?10\b`), []string{"PKCS10"}},
	{regexp.MustCompile(`(?i)\bUUID\b`), []string{"00000000-0000-4000-8000-000000000001"}},
	{regexp.MustCompile(`(?i)field (selector|label|path)`), []string{"metadata.name"}},
	{regexp.MustCompile(`(?i)unsupported .* version`), []string{"v1"}},
	{regexp.MustCompile(`\biqn\b`), []string{"iqn.2017-01.com.example:" + PlainWord}},
	{regexp.MustCompile(`(?i)operator`), []string{"In", "Exists", "Equal", "NotIn", "DoesNotExist", "Gt"}},
	{regexp.MustCompile(`(?i)percent`), []string{"50%", "100%"}},
	{regexp.MustCompile(`(?i)CEL|expression|compil|no such overload|must evaluate|undeclared`), []string{"true", "1 == 1", "'" + PlainWord + "'", "object"}},
	{regexp.MustCompile(`(?i)json ?path`), []string{".a", "{.a}", ".a.b"}},
	{regexp.MustCompile(`(?i)quantit`), []string{"1", "1Gi"}},
	{regexp.MustCompile(`(?i)RFC ?3339|parsing time`), []string{"2017-01-02T03:04:05Z", "2017-01-02T03:04:05.000006Z"}},
	{regexp.MustCompile(`(?i)semantic version|semver|parseable version|could not parse`), []string{"1.2.3", "v1", "1.2"}},
	{regexp.MustCompile(`(?i)time ?zone`), []string{"Etc/UTC"}},
	{regexp.MustCompile(`(?i)host:port|address:port`), []string{"10.0.0.1:80"}},
	{regexp.MustCompile(`(?i)expected exactly|crontab|cron`), []string{"* * * * *"}},
}

// formsIn returns the forms that a message asks for, before all words of the message. It keeps them:
// servers have few sentences, and say each of them often.
func formsIn(message string) words {
	if known, read := asked.Load(message); read {
		return slices.Clone(known.(words))
	}
	all := formsAskedIn(message)
	asked.Store(message, all)
	return slices.Clone(all)
}

var asked sync.Map // words by message

func formsAskedIn(message string) (all words) {
	for _, f := range forms {
		if f.sentence.MatchString(message) {
			for _, v := range f.values {
				switch v {
				case "PEM":
					v = certificateText()
				case "PKCS10":
					v = bareRequest()
				}
				all = append(all, word{v, true})
			}
		}
	}
	return all
}

// mentions reports whether a message names a field.
func (w words) mentions(field string) bool {
	return slices.ContainsFunc(w, func(one word) bool { return names(one.text, field) })
}

// names reports whether a word is a field's name, or a path that ends with it.
func names(text, field string) bool {
	last := text[strings.LastIndex(text, ".")+1:]
	return strings.EqualFold(last, field) && (len(field) > 3 || last == field)
}

// maxWords bounds the values that a message suggests.
const maxWords = 14

// values returns the texts that a message suggests as values: quoted ones, numbers and their
// neighbours, the values of fields that it names, and words in capitals.
func (w words) values(object map[string]any) (all []string) {
	add := func(text string) {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	for _, one := range w {
		if n, err := strconv.ParseInt(one.text, 10, 64); err == nil {
			for _, near := range []int64{n, n + 1, n - 1} {
				add(strconv.FormatInt(near, 10))
			}
		} else if one.quoted {
			add(one.text)
		}
	}
	for _, at := range objects.Locations(object) {
		if v, is := scalarAt(object, at); is && w.mentions(nameAt(at)) {
			add(v)
			if n, err := strconv.ParseInt(v, 10, 64); err == nil {
				add(strconv.FormatInt(n+1, 10))
				add(strconv.FormatInt(n-1, 10))
			}
		}
	}
	for _, one := range w {
		if !one.quoted && one.text != strings.ToLower(one.text) {
			add(one.text)
		}
	}
	return all[:min(len(all), maxWords)]
}

func scalarAt(object map[string]any, at objects.Location) (string, bool) {
	v, has := objects.Get(object, at)
	if !has {
		return "", false
	}
	return scalarText(v)
}

// causeUnknown is the type of a complaint about a field that the server does not know.
const causeUnknown metav1.CauseType = "UnknownField"

var (
	unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)
	goField      = regexp.MustCompile(`Go struct field [A-Za-z0-9_]*\.([A-Za-z0-9_.$-]+) of type ([A-Za-z0-9_.\[\]]+)`)
)

// causesInText reads complaints from a message without causes: fields that a strict decoder
// does not know or cannot decode, and values of the object that the message names.
func (s *Search) causesInText(message string) (all []metav1.StatusCause) {
	for _, m := range unknownField.FindAllStringSubmatch(message, -1) {
		all = append(all, metav1.StatusCause{Type: causeUnknown, Field: m[1], Message: "unknown"})
	}
	for _, m := range goField.FindAllStringSubmatch(message, -1) {
		all = append(all, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: m[1], Message: m[2]})
	}
	if len(all) > 0 {
		return all
	}
	w := wordsOf(message)
	for _, at := range objects.Locations(s.now.object) {
		v, is := scalarAt(s.now.object, at)
		if is && len(v) > 2 && !objects.IsIdentity(at) && slices.ContainsFunc(w, func(one word) bool { return one.text == v }) {
			all = append(all, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: at.String(), Message: message})
		}
	}
	if len(all) == 0 {
		all = append(all, metav1.StatusCause{Type: metav1.CauseTypeFieldValueInvalid, Field: s.now.at.String(), Message: message})
	}
	return all[:min(len(all), maxCauses)]
}
