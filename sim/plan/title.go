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

// A release is a build with options: one binary that emulates an older version, or
// has a gate off, is another release. So that who reads a report knows which server
// answered, each end of the pair has a title: its version, and what of its options
// tells it apart.

// Title is what an end of the pair is called, given the version that its servers
// tell: v1.37.0, v1.37.0 emulating 1.36, v1.37.0 with SomeGate=false.
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

// TitleAsNamed is the same of the version that the end's reference names, before any
// server tells its own.
func (p *Plan) TitleAsNamed(role term.Role) string {
	reference := p.Release(role).Reference
	if _, version, named := strings.Cut(reference, "@"); named {
		reference = version
	}
	return p.Title(role, reference)
}

// Emulator is the end of the pair whose servers emulate the version of the other end:
// the new one nearly always. Versions are those that the servers tell. False: none
// does, or the other end emulates as well.
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

// SwitchedAlike tells whether the scenario gives both ends the same gates and APIs: only
// then is what they do differently their release's doing, or their emulation's.
func (p *Plan) SwitchedAlike() bool {
	own, other := p.Release(term.Old).Options, p.Release(term.New).Options
	return maps.Equal(own.FeatureGates, other.FeatureGates) && maps.Equal(own.RuntimeConfig, other.RuntimeConfig) && own.Gates == other.Gates
}

// kubernetes is the component whose releases Kubernetes' own rules of skew are about.
const kubernetes = "kube-apiserver"

// Unsupported says that the pair skips minor releases, which Kubernetes supports no upgrade
// over, in words; "" where it does not, or where its component is none of Kubernetes'.
// Versions are those that the servers tell.
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

// between are the minor releases between two, without them.
func between(major, from, to int) string {
	var all []string
	for minor := from + 1; minor < to; minor++ {
		all = append(all, fmt.Sprintf("%d.%d", major, minor))
	}
	return strings.Join(all, ", ")
}

// UnsupportedAsNamed is the same of the versions that the pair's references name, before
// any server tells its own.
func (p *Plan) UnsupportedAsNamed() string {
	all := map[term.Role]string{}
	for _, r := range p.Releases {
		_, all[r.Role], _ = strings.Cut(r.Reference, "@")
	}
	return p.Unsupported(all)
}

// Emulates tells whether the servers of an end emulate another version than their own.
func (p *Plan) Emulates() bool {
	return slices.ContainsFunc(p.Releases, func(r Release) bool { return r.Options.EmulatedVersion != "" })
}

// emulated is the version that the servers of an end emulate, as the reference of the
// old release tells it where the scenario says "old".
func (p *Plan) emulated(role term.Role) string {
	return p.named(p.Release(role).Options.EmulatedVersion)
}

// named is the version that an option names, which may be that of the old release.
func (p *Plan) named(text string) string {
	if text != string(term.Old) {
		return strings.TrimPrefix(text, "v")
	}
	if _, version, named := strings.Cut(p.Release(term.Old).Reference, "@"); named {
		return MinorOf(version)
	}
	return "old"
}

// MinorOf is a version as emulation names it: 1.36 of v1.36.3. What is none stays as
// it is.
func MinorOf(text string) string {
	v, err := version.NewVersion(text)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%d.%d", v.Segments()[0], v.Segments()[1])
}

// Release is the release of a role.
func (p *Plan) Release(role term.Role) Release {
	i := slices.IndexFunc(p.Releases, func(r Release) bool { return r.Role == role })
	if i < 0 {
		return Release{Role: role}
	}
	return p.Releases[i]
}

// apart are those options that the other end does not have, in words; "" for none.
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
