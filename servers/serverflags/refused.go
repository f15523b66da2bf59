package serverflags

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Asker asks executables which flags they refuse, without starting a server.
type Asker interface {
	// Refusals returns what the executable of a build says of flags that it refuses, given as
	// --name=value, or as --name to ask whether the build has the flag.
	Refusals(ctx context.Context, b servers.Build, flags ...string) ([]string, error)
}

// Refusal is a flag, or an element of a flag, that servers of a release do not start with.
type Refusal struct {
	// Flag is the flag's name, without dashes.
	Flag string `json:"flag"`
	// Element is the feature gate, admission plug-in or API version; "" means the whole flag.
	Element string `json:"element,omitempty"`
	// Message says what happens: "kube-apiserver v1.37.2 has no flag --x: it does not start".
	Message string `json:"message"`
	// Instead are the versions of the same API that the release has and does not serve by default: played
	// servers serve these, because a feature gate that is on may need its API.
	Instead []string `json:"instead,omitempty"`
}

// Known is what is known of a release besides what its executable says.
type Known struct {
	// Versions are the versions of each API group, such as source.Facts.VersionPriority. For
	// groups that are not in it, only the executable is asked.
	Versions map[string][]string
}

// Refused returns what servers of a build refuse of the flags, in the order of the file.
// Dependencies between feature gates come last.
func Refused(ctx context.Context, a Asker, b servers.Build, known Known, f Flags) ([]Refusal, error) {
	q := questions{ctx: ctx, asker: a, build: b}
	options, _ := f.Take(nil)
	for _, s := range f.settings {
		if q.flag(s.name) {
			continue
		}
		switch s.name {
		case featureGates:
			q.gates(options.FeatureGates)
		case runtimeConfig:
			q.apis(options.RuntimeConfig, known.Versions)
		case enablePlugins, disablePlugins:
			q.plugins(s)
		}
	}
	q.dependencies(options.FeatureGates)
	return q.refused, q.err
}

// Gone returns what the new release refuses and the old one does not, given what Refused
// returns for each.
func Gone(old, new []Refusal) (gone []Refusal) {
	for _, r := range new {
		if !slices.ContainsFunc(old, func(o Refusal) bool { return o.Flag == r.Flag && o.Element == r.Element }) {
			gone = append(gone, r)
		}
	}
	return gone
}

// Without returns options without what is refused, so that servers start with them.
func Without(o servers.Options, refused []Refusal) servers.Options {
	o.FeatureGates, o.RuntimeConfig, o.Flags = maps.Clone(o.FeatureGates), maps.Clone(o.RuntimeConfig), slices.Clone(o.Flags)
	for _, r := range refused {
		switch {
		case r.Flag == featureGates && r.Element == "":
			o.FeatureGates = nil
		case r.Flag == featureGates:
			delete(o.FeatureGates, r.Element)
		case r.Flag == runtimeConfig && r.Element == "":
			o.RuntimeConfig = nil
		case r.Flag == runtimeConfig:
			serveInstead(o.RuntimeConfig, r)
		case r.Flag == serviceRangeFlag:
			o.ServiceIPRange = ""
		default:
			o.Flags = withoutElement(o.Flags, r.Flag, r.Element)
		}
	}
	return o
}

// serveInstead removes an API version, and switches those in its place on unless the flags name them.
func serveInstead(config map[string]bool, refused Refusal) {
	if _, set := config[refused.Element]; !set {
		return
	}
	delete(config, refused.Element)
	for _, name := range refused.Instead {
		if _, named := config[name]; !named {
			config[name] = true
		}
	}
}

// withoutElement removes a flag, or one element of its value.
func withoutElement(flags []string, name, element string) (all []string) {
	for _, flag := range flags {
		value, is := strings.CutPrefix(flag, "--"+name+"=")
		if is && element != "" {
			left := slices.DeleteFunc(strings.Split(value, ","), func(e string) bool { return e == element })
			value = strings.Join(left, ",")
			flag = "--" + name + "=" + value
		}
		if !is || element != "" && value != "" {
			all = append(all, flag)
		}
	}
	return all
}

// questions asks one executable, until one question fails.
type questions struct {
	ctx     context.Context
	asker   Asker
	build   servers.Build
	refused []Refusal
	err     error
}

// ask returns what the executable refuses.
func (q *questions) ask(flags ...string) (says []string) {
	if q.err == nil {
		says, q.err = q.asker.Refusals(q.ctx, q.build, flags...)
	}
	return says
}

// note adds a refusal, unless the element is refused already.
func (q *questions) note(flag, element, what string) {
	if slices.ContainsFunc(q.refused, func(r Refusal) bool { return r.Flag == flag && r.Element == element }) {
		return
	}
	q.refused = append(q.refused, Refusal{
		Flag: flag, Element: element, Message: q.build.Component + " " + q.build.Version + " " + what + ": it does not start",
	})
}

// flag asks for a flag by its name alone, because its value may be a secret. It reports
// whether the release lacks the flag.
func (q *questions) flag(name string) (lacks bool) {
	lacks = name != "help" && name != "version" && slices.Contains(q.ask("--"+name), "unknown flag: --"+name)
	if lacks {
		q.note(name, "", "has no flag --"+name)
	}
	return lacks
}

// locked matches the message for a feature gate that is locked.
var locked = regexp.MustCompile(`feature is locked to (\w+)`)

// gates asks for each feature gate.
func (q *questions) gates(all map[string]bool) {
	if len(all) == 0 || len(q.ask(gatesFlag(all))) == 0 {
		return // one question for all of them
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, says := range q.ask(gatesFlag(map[string]bool{name: all[name]})) {
			switch m := locked.FindStringSubmatch(says); {
			case m != nil:
				q.note(featureGates, name, "locks the feature gate "+name+" to "+m[1]+", and the flags set it to "+strconv.FormatBool(all[name]))
			case strings.HasPrefix(says, "unrecognized feature gate") || strings.HasPrefix(says, "has no gate"):
				q.note(featureGates, name, "has no feature gate "+name)
			}
		}
	}
}

// dependency matches the message for a feature gate that needs other gates.
var dependency = regexp.MustCompile(`^(\w+) (is enabled, but depends on features that are disabled: .*)$`)

// dependencies asks for all gates that the release has together, because one gate may need
// another.
func (q *questions) dependencies(gates map[string]bool) {
	left := Without(servers.Options{FeatureGates: gates}, q.refused).FeatureGates
	for len(left) > 0 {
		before := len(left)
		for _, says := range q.ask(gatesFlag(left)) {
			m := dependency.FindStringSubmatch(says)
			if m == nil {
				continue
			}
			if _, set := left[m[1]]; set {
				q.note(featureGates, m[1], "refuses the feature gates: "+m[1]+" "+m[2])
				delete(left, m[1])
			}
		}
		if len(left) == before {
			return
		}
	}
}

// gatesFlag returns the flag that sets feature gates.
func gatesFlag(all map[string]bool) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		pairs = append(pairs, name+"="+strconv.FormatBool(all[name]))
	}
	return "--" + featureGates + "=" + strings.Join(pairs, ",")
}

// plugins asks for admission plug-ins.
func (q *questions) plugins(s setting) {
	names := slices.DeleteFunc(s.elements(), isVariable)
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return
	}
	says := strings.Join(q.ask("--"+s.name+"="+strings.Join(names, ",")), "\n")
	if says == "" {
		return
	}
	for _, name := range names { // a server may report only the first
		if slices.Contains(q.ask("--"+s.name+"="+name), s.name+` plugin "`+name+`" is unknown`) {
			q.note(s.name, name, "has no admission plug-in "+name)
		}
	}
}

// apis asks for the API versions of --runtime-config.
func (q *questions) apis(all map[string]bool, versions map[string][]string) {
	var asked []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts := strings.Split(name, "/")
		if len(parts) < 2 || parts[0] == "api" { // v1 and api/all
			continue
		}
		asked = append(asked, name)
		if have, is := versions[parts[0]]; is && !slices.Contains(have, parts[1]) {
			q.note(runtimeConfig, name, "has no API version "+parts[0]+"/"+parts[1])
			if r := &q.refused[len(q.refused)-1]; all[name] {
				r.serve(instead(parts, have))
			}
		}
	}
	flag := func(names []string) string {
		return "--" + runtimeConfig + "=" + strings.Join(names, "=true,") + "=true"
	}
	if len(asked) == 0 || len(q.ask(flag(asked))) == 0 {
		return
	}
	for _, name := range asked {
		for _, says := range q.ask(flag([]string{name})) {
			if strings.HasPrefix(says, "unknown api groups") {
				q.note(runtimeConfig, name, "has no API group "+strings.Split(name, "/")[0])
			}
		}
	}
}

// serve notes what played servers serve in the place of what is refused.
func (r *Refusal) serve(instead []string) {
	if r.Instead = instead; len(instead) > 0 {
		r.Message += "; played servers serve " + strings.Join(instead, ", ") + " in its place"
	}
}

// instead returns the versions that a release has of an API, or of one resource of it, and does not serve by
// default: alphas and betas.
func instead(api, have []string) (all []string) {
	for _, v := range have {
		if strings.Contains(v, "alpha") || strings.Contains(v, "beta") {
			all = append(all, strings.Join(slices.Concat([]string{api[0], v}, api[2:]), "/"))
		}
	}
	return all
}
