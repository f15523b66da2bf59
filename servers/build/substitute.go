package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

const (
	// substituteRounds bounds how often the modules are resolved: each round replaces all
	// modules that were not available in the one before.
	substituteRounds = 10
	// substituteTries is how many later versions of a module are tried.
	substituteTries = 5
	// exactVariable, if not empty, forbids builds with substituted modules.
	exactVariable = "SKEWSIM_EXACT"
)

// UnavailableError reports a build that needs modules which the proxy withholds, and for which
// no later version can substitute.
type UnavailableError struct{ Err error }

// Error returns which modules are missing, and why they have no substitute.
func (e *UnavailableError) Error() string { return e.Err.Error() }

// Unwrap returns the go command's error.
func (e *UnavailableError) Unwrap() error { return e.Err }

// substituter replaces withheld modules in the go.mod of one build by the nearest later
// versions that the proxy serves.
type substituter struct {
	tool     *Go
	module   Module
	target   string // the package that is built
	progress Progress
}

// packages counts the packages of the program, and lists the modules that differ from the
// release's, each as "PATH VERSION -> VERSION". The list is empty if the proxy serves all
// modules.
func (s substituter) packages(ctx context.Context, exact bool) (total int, substituted []string, err error) {
	text, err := s.tool.Output(ctx, "list", "-deps", s.target)
	if err == nil {
		return strings.Count(text, "\n"), nil, nil
	}
	complaint, gone := err, withheld(err.Error())
	switch {
	case len(gone) == 0:
		return 0, nil, err
	case exact:
		return 0, nil, &UnavailableError{fmt.Errorf("%w; %s forbids other versions: unset it, or name another release", complaint, exactVariable)}
	}
	meant, err := s.versions(ctx, "list", "-m", "-f", versionFormat, "all")
	if err != nil {
		return 0, nil, &UnavailableError{complaint}
	}
	for round := 0; len(gone) > 0 && round < substituteRounds; round++ {
		if err := s.replaceAll(ctx, gone); err != nil {
			return 0, nil, &UnavailableError{fmt.Errorf("%w; %w", complaint, err)}
		}
		if text, err = s.tool.Output(ctx, "list", "-deps", s.target); err == nil {
			substituted, err = s.difference(ctx, meant)
			return strings.Count(text, "\n"), substituted, err
		}
		gone = withheld(err.Error())
	}
	return 0, nil, &UnavailableError{fmt.Errorf("%w; with later versions of the unavailable modules: %w", complaint, err)}
}

// withheld finds, in a go command's error, the modules that the proxy describes and does not
// serve.
func withheld(complaint string) []module.Version {
	var all []module.Version
	for _, match := range regexp.MustCompile(`(\S+)@(v\S+): reading \S+\.zip: (?:403|404|410) `).FindAllStringSubmatch(complaint, -1) {
		all = append(all, module.Version{Path: match[1], Version: match[2]})
	}
	module.Sort(all)
	return slices.Compact(all)
}

// replaceAll replaces the release's own modules first, so that nothing is downloaded if one of
// them has no substitute.
func (s substituter) replaceAll(ctx context.Context, gone []module.Version) error {
	slices.SortStableFunc(gone, func(a, b module.Version) int { return rank(s.own(a)) - rank(s.own(b)) })
	for _, m := range gone {
		if err := s.replace(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// replace makes the go.mod require the nearest later available version of a module.
func (s substituter) replace(ctx context.Context, m module.Version) error {
	listed, err := s.tool.Output(ctx, "list", "-m", "-versions", m.Path)
	if err != nil {
		return err
	}
	own := s.own(m)
	for i, version := range later(m, strings.Fields(listed), own) {
		if i == substituteTries {
			break
		}
		if _, err := s.tool.Download(ctx, m.Path, version); err != nil {
			continue
		}
		s.progress.Phase(fmt.Sprintf("%s %s is not available: using %s", m.Path, m.Version, version))
		return s.require(ctx, module.Version{Path: m.Path, Version: version})
	}
	if own {
		return fmt.Errorf("%s is part of the release itself, and no later patch of it is available: name another release", m)
	}
	return fmt.Errorf("no later version of %s is available: name another release", m)
}

func (s substituter) own(m module.Version) bool { return s.module.Own != nil && s.module.Own(m) }

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// later returns the versions of a module after the given one, nearest first, without
// pre-releases. For own modules it returns only those of the same minor.
func later(m module.Version, listed []string, own bool) []string {
	all := slices.DeleteFunc(slices.Clone(listed), func(version string) bool {
		return !semver.IsValid(version) || semver.Prerelease(version) != "" || semver.Compare(version, m.Version) <= 0 ||
			own && semver.MajorMinor(version) != semver.MajorMinor(m.Version)
	})
	semver.Sort(all)
	return all
}

// require writes a version into the go.mod, as a replacement if the module already has one,
// because a requirement would not change it.
func (s substituter) require(ctx context.Context, m module.Version) error {
	text, err := s.tool.Output(ctx, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var file struct {
		Replace []struct{ Old, New module.Version }
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return fmt.Errorf("go mod edit -json: %w", err)
	}
	edit := "-require=" + m.String()
	for _, r := range file.Replace {
		if r.New.Path == m.Path {
			old := strings.TrimSuffix(r.Old.Path+"@"+r.Old.Version, "@")
			edit = "-replace=" + old + "=" + m.String()
		}
	}
	_, err = s.tool.Output(ctx, "mod", "edit", edit)
	return err
}

// versionFormat prints a module with the version that is built.
const versionFormat = `{{.Path}} {{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}`

// versions returns the versions of modules, by path, as a go command lists them.
func (s substituter) versions(ctx context.Context, args ...string) (map[string]string, error) {
	text, err := s.tool.Output(ctx, args...)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for line := range strings.Lines(text) {
		if path, version, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			all[path] = version
		}
	}
	return all, nil
}

// difference returns the program's modules whose version is not the required one: those that
// were replaced, and those that changed as a result.
func (s substituter) difference(ctx context.Context, meant map[string]string) ([]string, error) {
	has, err := s.versions(ctx, "list", "-deps", "-f", `{{with .Module}}`+versionFormat+`{{end}}`, s.target)
	if err != nil {
		return nil, err
	}
	var all []string
	for path, version := range has {
		if was := meant[path]; was != version {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s", path, was))+" -> "+version)
		}
	}
	slices.Sort(all)
	return all, nil
}

// exactOnly reports whether the user forbids substituted modules.
func exactOnly() bool { return os.Getenv(exactVariable) != "" }
