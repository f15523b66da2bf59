package published

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
)

// Define returns what a server publishes of manifests, without a server.
func (s Source) Define(ctx context.Context, ref servers.Reference) (Release, error) {
	r := Release{Name: ref.String(), Component: ref.Component, Version: ref.Version}
	set, err := s.Manifests(ctx, ref)
	if err != nil {
		return r, err
	}
	published, err := crd.Publish(set)
	if err != nil {
		return r, fault.ByUser(err)
	}
	r.Documents = published.Documents
	for _, p := range published.Resources {
		own := Resource{
			APIVersion: p.Group + "/" + p.Version, Kind: p.Kind, Plural: p.Plural, Namespaced: p.Namespaced, ShortNames: p.ShortNames, Categories: p.Categories,
			Verbs:        []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
			Subresources: p.Subresources, StorageVersion: p.StorageVersion,
		}
		own.addDefined(p)
		r.Resources = append(r.Resources, own)
	}
	if len(set.Unruled) > 0 {
		r.Missing = append(r.Missing, fmt.Sprintf("%s: conversion by webhook of %s: no file has its rules, and a comparison of definitions plays none", r.Name, strings.Join(set.Unruled, ", ")))
	}
	r.Preferred = preferredIn(r.Resources)
	r.sort()
	return r, nil
}

// preferredIn returns the version of each group that a server prefers: the most stable, and of
// those the newest.
func preferredIn(all []Resource) map[string]string {
	best := map[string]string{}
	for _, r := range all {
		v := versionOf(r.APIVersion)
		if now, is := best[r.group()]; !is || version.CompareKubeAwareVersionStrings(v, now) > 0 {
			best[r.group()] = v
		}
	}
	return best
}
