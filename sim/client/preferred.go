package client

import (
	"context"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Preferred is a group in discovery: the preferred version and all served versions. It is empty
// for the core group and for a group that is not served.
func Preferred(ctx context.Context, c *Connection, group string) (preferred string, served []string, err error) {
	if group == "" {
		return "", nil, nil
	}
	var told metav1.APIGroup
	a := c.get(ctx, "/apis/"+group)
	if a.Code == http.StatusNotFound {
		return "", nil, nil
	}
	if err := a.decode(&told); err != nil {
		return "", nil, err
	}
	for _, v := range told.Versions {
		served = append(served, v.GroupVersion)
	}
	for _, gv := range append(served, told.PreferredVersion.GroupVersion) {
		in, version, _ := strings.Cut(gv, "/")
		if in != group || !plain.MatchString(version) {
			return "", nil, a.isNo("list of the versions of " + group)
		}
	}
	return told.PreferredVersion.GroupVersion, served, nil
}

// PreferredVersions returns the preferred version of each group that the server serves, by the
// group's name. The core group, which has one version, is not among them.
func PreferredVersions(ctx context.Context, c *Connection) (map[string]string, error) {
	var list metav1.APIGroupList
	a := c.get(ctx, "/apis")
	if err := a.decode(&list); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, g := range list.Groups {
		if !plain.MatchString(g.PreferredVersion.Version) {
			return nil, a.isNo("list of groups: the preferred version of " + g.Name)
		}
		all[g.Name] = g.PreferredVersion.Version
	}
	return all, nil
}
