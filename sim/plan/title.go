package plan

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// A release is a build with options: a binary that emulates an older version, or has a gate
// off, is another release. A title identifies the release in reports: its version, and those
// options that distinguish it from the other release.

// Title returns the title of a release, given the version that its servers report: v1.37.0,
// v1.37.0 emulating 1.36, v1.37.0 with SomeGate=false.
func (p *Plan) Title(role term.Role, version string) string {
	own, other := p.Release(role), p.Release(role.Other())
	title := version
	if own.Options.EmulatedVersion != "" {
		title += " emulating " + p.emulated(role)
		if own.Options.MinCompatibilityVersion != "" {
			title += ", min-compatibility-version " + p.named(own.Options.MinCompatibilityVersion)
		}
	}
	if own.Reference == other.Reference {
		if apart := apart(own.Options, other.Options); apart != "" {
			title += " with " + apart
		}
	}
	return title
}

// TitleAsNamed returns the title with the version that the release's reference names, before
// any server reports its own.
func (p *Plan) TitleAsNamed(role term.Role) string {
	reference := p.Release(role).Reference
	if _, version, named := strings.Cut(reference, "@"); named {
		reference = version
	}
	return p.Title(role, reference)
}

// Emulator returns the release of the pair whose servers emulate the version of the other:
// nearly always the new one. Versions are those that the servers report. It returns false if
// neither does, or if the other release emulates a version too.
func (p *Plan) Emulator(versions map[term.Role]string) (term.Role, bool) {
	for _, role := range []term.Role{term.New, term.Old} {
		own, other := p.Release(role), p.Release(role.Other())
		if own.Options.EmulatedVersion == "" || other.Options.EmulatedVersion != "" || versions[role] == "" {
			continue
		}
		emulated := MinorOf(p.emulated(role))
		if emulated == "old" {
			emulated = MinorOf(versions[term.Old])
		}
		if emulated == MinorOf(versions[role.Other()]) && emulated != MinorOf(versions[role]) {
			return role, true
		}
	}
	return "", false
}

// SwitchedAlike reports whether the scenario gives both releases the same gates and APIs: only
// then does a difference come from the release or its emulation.
func (p *Plan) SwitchedAlike() bool {
	own, other := p.Release(term.Old).Options, p.Release(term.New).Options
	return maps.Equal(own.FeatureGates, other.FeatureGates) && maps.Equal(own.RuntimeConfig, other.RuntimeConfig) && own.Gates == other.Gates
}

// kubernetes is the component that Kubernetes' version skew policy applies to.
const kubernetes = "kube-apiserver"

// Unsupported returns in words that the pair skips minor releases, which Kubernetes does not
// support for an upgrade; "" if it does not skip any, or if its component is not one of
// Kubernetes. Versions are those that the servers report.
func (p *Plan) Unsupported(versions map[term.Role]string) string {
	older, errOld := version.NewVersion(versions[term.Old])
	newer, errNew := version.NewVersion(versions[term.New])
	if p.Component != kubernetes || errOld != nil || errNew != nil {
		return ""
	}
	from, to := older.Segments(), newer.Segments()
	if from[0] != to[0] || to[1]-from[1] < 2 {
		return ""
	}
	return fmt.Sprintf("Kubernetes supports no upgrade that skips a minor release, and %s .. %s skips %s: what is found here is played all the same",
		versions[term.Old], versions[term.New], between(from[0], from[1], to[1]))
}

// between returns the minor releases between two, without them.
func between(major, from, to int) string {
	var all []string
	for minor := from + 1; minor < to; minor++ {
		all = append(all, fmt.Sprintf("%d.%d", major, minor))
	}
	return strings.Join(all, ", ")
}

// UnsupportedAsNamed is Unsupported with the versions that the pair's references name, before
// any server reports its own.
func (p *Plan) UnsupportedAsNamed() string {
	all := map[term.Role]string{}
	for _, r := range p.Releases {
		_, all[r.Role], _ = strings.Cut(r.Reference, "@")
	}
	return p.Unsupported(all)
}

// Emulates reports whether the servers of a release emulate another version than their own.
func (p *Plan) Emulates() bool {
	return slices.ContainsFunc(p.Releases, func(r Release) bool { return r.Options.EmulatedVersion != "" })
}

// emulated returns the version that the servers of a release emulate. The word "old" means the
// version in the old release's reference.
func (p *Plan) emulated(role term.Role) string {
	return p.named(p.Release(role).Options.EmulatedVersion)
}

// named returns the version that an option names, which may be that of the old release.
func (p *Plan) named(text string) string {
	if text != string(term.Old) {
		return strings.TrimPrefix(text, "v")
	}
	if _, version, named := strings.Cut(p.Release(term.Old).Reference, "@"); named {
		return MinorOf(version)
	}
	return "old"
}

// MinorOf returns a version as emulation names it: 1.36 for v1.36.3. It returns any other text
// unchanged.
func MinorOf(text string) string {
	v, err := version.NewVersion(text)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%d.%d", v.Segments()[0], v.Segments()[1])
}

// Release returns the release of a role.
func (p *Plan) Release(role term.Role) Release {
	i := slices.IndexFunc(p.Releases, func(r Release) bool { return r.Role == role })
	if i < 0 {
		return Release{Role: role}
	}
	return p.Releases[i]
}

// apart returns the options that the other release does not have, in words; "" for none.
func apart(own, other scenarios.Options) string {
	var words []string
	for _, pair := range [][2]map[string]bool{{own.FeatureGates, other.FeatureGates}, {own.RuntimeConfig, other.RuntimeConfig}} {
		for _, name := range slices.Sorted(maps.Keys(pair[0])) {
			if is, has := pair[1][name]; !has || is != pair[0][name] {
				words = append(words, fmt.Sprintf("%s=%t", name, pair[0][name]))
			}
		}
	}
	if own.Gates != "" && own.Gates != other.Gates {
		words = append(words, fmt.Sprintf("every %s gate", own.Gates))
	}
	if own.EmulatedVersion == "" && own.MinCompatibilityVersion != "" && own.MinCompatibilityVersion != other.MinCompatibilityVersion {
		words = append(words, "min-compatibility-version="+own.MinCompatibilityVersion)
	}
	if own.Encryption != nil && !reflect.DeepEqual(own.Encryption, other.Encryption) {
		words = append(words, encryptionText(own.Encryption))
	}
	if !reflect.DeepEqual(own.Flags, other.Flags) {
		words = append(words, own.Flags...)
	}
	return strings.Join(words, ", ")
}
