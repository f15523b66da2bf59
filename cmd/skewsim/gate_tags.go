package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gatetags"
	"github.com/skewsim/skewsim/servers/gobuild"
)

// gateTags are the feature gates that the source of each release names of its fields, as
// JSON. A release whose source is not available is left out, with a message: its gates
// are those that it publishes.
func (a *app) gateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(string)) map[term.Role][]byte {
	all := map[term.Role][]byte{}
	for role, b := range builds {
		text, err := a.tagsOf(ctx, b)
		if err != nil {
			say(fmt.Sprintf("%s: the source of its types cannot be read: %v; the gates of fields are those that descriptions name", b.Reference, err))
			continue
		}
		if text != nil {
			all[role] = text
		}
	}
	return all
}

// tagsOf reads the tags of a build once, however many runs ask for them; nil: nothing
// tells where its source is.
func (a *app) tagsOf(ctx context.Context, b servers.Build) ([]byte, error) {
	if a.parent != nil {
		return a.parent.tagsOf(ctx, b)
	}
	if b.Installs != nil { // what manifests define has no Go types
		return a.tagsOf(ctx, b.Installs.Server)
	}
	key := b.Reference + " " + b.Version + " " + b.Substituted
	return once(a, &a.tags, key, func() ([]byte, error) {
		modules := a.typeModules(ctx, b)
		if len(modules) == 0 {
			return nil, nil
		}
		return gatetags.Get(ctx, tagDir(), modules)
	})
}

// release finds the versions whose source is published.
var release = regexp.MustCompile(`^v1\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// typeModules are the modules that hold the types of a build's APIs; none: nothing tells.
func (a *app) typeModules(ctx context.Context, b servers.Build) []gatetags.Module {
	ref, err := servers.ParseReference(b.Reference)
	switch {
	case err != nil || ref.Scheme == servers.SchemeTrain:
		return nil
	case ref.Scheme == servers.SchemeModule:
		return []gatetags.Module{{Path: ref.Module, Version: ref.Version}}
	case ref.Scheme == servers.SchemeSource:
		c, err := a.openCheckout(ctx, ref)
		if err != nil {
			return nil // the build has told
		}
		return gatetags.OfCheckout(c.Folder())
	case release.MatchString(b.Version):
		return gatetags.OfRelease(b.Version, b.Substitutions())
	}
	return nil
}

// tagDir keeps the tags of published versions, beside the builds.
func tagDir() string {
	cache, err := gobuild.Place("")
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "gatetags")
}
