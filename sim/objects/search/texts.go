package search

import (
	"regexp"
	"slices"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/objects"
)

// byName are the values that the end of a field's name suggests: conventions of names.
var byName = []struct {
	name   *regexp.Regexp
	values []string
}{
	{regexp.MustCompile(`(?i)fieldpath$`), []string{"metadata.name"}},
	{regexp.MustCompile(`(?i)paths?$`), []string{"/" + PlainWord, PlainWord}},
	{regexp.MustCompile(`(?i)(url|uri|endpoint)s?$`), []string{"https://example.com/" + PlainWord}},
	{regexp.MustCompile(`(?i)cidrs?$`), []string{"10.0.0.0/24"}},
	{regexp.MustCompile(`(IP|[a-z]ip|^ip|IPs|^ips|address|addresses)$`), []string{"10.0.0.1"}},
	{regexp.MustCompile(`(?i)apiversion$`), []string{"example.com/v1"}},
	{regexp.MustCompile(`(?i)groups?$`), []string{"example.com"}},
	{regexp.MustCompile(`(?i)(kind|reason|type|condition)$`), []string{"Sample"}},
	{regexp.MustCompile(`(?i)(expression|cel)$`), []string{"true"}},
	{regexp.MustCompile(`(?i)(driver|domain|signername|controller)$`), []string{"example.com"}},
	{regexp.MustCompile(`(?i)uid$`), []string{"00000000-0000-4000-8000-000000000001"}},
	{regexp.MustCompile(`(?i)(timestamp|time)$`), []string{"2017-01-02T03:04:05Z"}},
	{regexp.MustCompile(`(?i)schedule$`), []string{"* * * * *"}},
	{regexp.MustCompile(`(?i)timezone$`), []string{"Etc/UTC"}},
	{regexp.MustCompile(`(?i)(mode|share|percent|level)$`), []string{PlainWord}},
}

// conventionsOf returns the values that a field's name suggests. It keeps them: the same few names are
// read again for each refusal.
func conventionsOf(name string) (texts []string) {
	if known, read := conventions.Load(name); read {
		return known.([]string)
	}
	for _, convention := range byName {
		if convention.name.MatchString(name) {
			texts = append(texts, convention.values...)
		}
	}
	conventions.Store(name, texts)
	return texts
}

var conventions sync.Map // []string by name

// formsOfText are the forms that texts have, the commonest first. One that a message names
// comes before all others.
var formsOfText = []string{
	PlainWord, "example.com", "example.com/" + PlainWord, "Sample", "1", "/" + PlainWord, "10.0.0.1", "10.0.0.0/24",
	"https://example.com/" + PlainWord, "true", "SAMPLE", "1s", "50%", "100m", "v1", "example.com/v1", "*", "http", "UTF8",
	"2017-01-02T03:04:05Z", "00000000-0000-4000-8000-000000000001", "In", "Exists", "Equals", "{.a}", ".a", "a.b", "A", "x=y",
	"1.2.3", "10.0.0.1:80", "2001:db8::1", "example.com:" + PlainWord, "foo/bar", "metadata.name",
}

func textsOf(at *spec.Schema, name string) (all []any) {
	known := ofFormat(at.Format)
	if isOf := slices.ContainsFunc(known, func(text string) bool { return objects.Matches(at, text) }); !isOf {
		known = slices.Concat(known, conventionsOf(name), formsOfText)
	}
	if example, is := at.Example.(string); is {
		known = append([]string{example}, known...)
	}
	for _, text := range append(known, objects.MatchingAll(at)...) {
		if text = objects.Fitted(at, text); objects.Matches(at, text) && !slices.Contains(all, any(text)) {
			all = append(all, text)
		}
	}
	return all
}

// ofFormat returns texts of a format; none of one that nobody checks.
func ofFormat(format string) []string {
	switch format {
	case "date-time":
		return []string{"2017-01-02T03:04:05Z"}
	case "date":
		return []string{"2017-01-02"}
	case "byte":
		return []string{"YQ==", certificate(), request(), "c2FtcGxl", "c2FtcGxlLCBhbmQgbW9yZQ=="}
	case "duration":
		return []string{"1s", "1m0s"}
	case "uuid":
		return []string{"00000000-0000-4000-8000-000000000001"}
	case "ipv4":
		return []string{"10.0.0.1"}
	}
	return slices.Clone(objects.OfFormat(format))
}
