package play

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// unconverted returns the kinds, as Kind.group, whose definitions leave out the webhook that
// converts them: two versions each have fields that the other one lacks, and a server that changes
// nothing but apiVersion would lose both. Many projects add the webhook with a patch of their own
// when they deploy. Objects of these kinds are written in one version. What a version loses that only
// the new release has is the new release's own doing: see unstored.
func (s *session) unconverted() (kinds []string, err error) {
	for role, release := range s.plain {
		if s.builds[role].Installs == nil {
			continue
		}
		all, err := sweep.WithoutWebhook(release)
		if err != nil {
			return nil, err
		}
		before := servedKinds(s.plain)[role.Other()]
		for _, v := range all {
			if v.Differ(func(version string) bool { return isOf(before, v, version) }) {
				kinds = append(kinds, v.Kind)
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

func isOf(kinds []sweep.Kind, v sweep.ConvertedVersions, version string) bool {
	name, _, _ := strings.Cut(v.Kind, ".")
	return slices.Contains(kinds, sweep.Kind{APIVersion: sweep.GroupVersion(v.Group, version), Kind: name})
}

// unstored returns, for each version of custom resources that no webhook converts, the outermost
// fields that the version in which a release stores objects lacks: its server drops them.
func unstored(s *session) (map[sweep.Kind][]string, error) {
	all := map[sweep.Kind][]string{}
	for _, role := range []term.Role{term.New, term.Old} {
		if s.builds[role].Installs == nil {
			continue
		}
		kinds, err := sweep.WithoutWebhook(s.plain[role])
		if err != nil {
			return all, err
		}
		for _, v := range kinds {
			addUnstored(all, v)
		}
	}
	return all, nil
}

// addUnstored adds the fields that the stored version of a kind lacks. What the new release stores
// comes first.
func addUnstored(all map[sweep.Kind][]string, v sweep.ConvertedVersions) {
	if v.Fields[v.Stored] == nil {
		return
	}
	name, _, _ := strings.Cut(v.Kind, ".")
	for version, fields := range v.Fields {
		k := sweep.Kind{APIVersion: sweep.GroupVersion(v.Group, version), Kind: name}
		if lacking := sweep.Outermost(fields, v.Fields[v.Stored]); len(all[k]) == 0 && len(lacking) > 0 {
			all[k] = lacking
		}
	}
}

// warnOfBase warns of kinds that have several versions with different fields and nothing that converts them: the
// folder may be what kustomize patches before it is deployed.
func (s *session) warnOfBase() error {
	var kinds []string
	for role, release := range s.plain {
		if s.builds[role].Installs == nil {
			continue
		}
		all, err := sweep.WithoutWebhook(release)
		if err != nil {
			return err
		}
		for _, v := range all {
			name, _, _ := strings.Cut(v.Kind, ".")
			if v.Vary() && s.scope.HasKind(v.Group+"/", name) {
				kinds = append(kinds, v.Kind)
				s.unpatched.kinds = append(s.unpatched.kinds, sweep.Kind{APIVersion: v.Group, Kind: name})
			}
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	slices.Sort(kinds)
	s.result.Warning = fmt.Sprintf("nothing here converts %s: several versions with different fields are served, with the strategy None, under which a server changes nothing but apiVersion and what a version lacks is lost. If the definitions are patched before they are deployed, sweep the patched ones",
		sweep.FirstOf(slices.Compact(kinds)))
	if at := slices.Compact(slices.DeleteFunc(slices.Clone(s.kustomizations), func(file string) bool { return file == "" })); len(at) > 0 {
		s.result.Warning += ": see " + strings.Join(at, ", ") + ", and kustomize build"
	}
	s.unpatched.warning = s.result.Warning
	s.host.Warn("warning: " + s.result.Warning)
	return nil
}

// unpatched is the warning of kinds that nothing converts, and the kinds. Their APIVersion is a group alone.
type unpatched struct {
	warning string
	kinds   []sweep.Kind
}

// countUnpatched adds to the warning of kinds that nothing converts how many rows with a harm are of them.
func (s *session) countUnpatched() {
	of := 0
	for _, r := range s.result.Rows {
		if !r.PreExisting && slices.Contains(sweep.Harmful(), r.Effect) && slices.Contains(s.unpatched.kinds, sweep.Kind{APIVersion: r.Group, Kind: r.Kind}) {
			of++
		}
	}
	if of > 0 {
		s.result.Warning = fmt.Sprintf("%s. Rows with a harm that are of these kinds: %d", s.unpatched.warning, of)
	}
}

// noteUnconverted says which conversions were not played.
func (s *session) noteUnconverted() (err error) {
	if err := s.warnOfBase(); err != nil {
		return err
	}
	if s.unconvertible, err = s.unconverted(); err != nil {
		return err
	}
	if s.dropped, err = unstored(s); err != nil || len(s.unconvertible) == 0 {
		return err
	}
	s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf(
		"conversion between versions of %s: each version has fields that another one lacks, and the definitions name no webhook", strings.Join(s.unconvertible, ", ")))
	return nil
}
