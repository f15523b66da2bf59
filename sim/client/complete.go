package client

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"time"
)

// A server is ready before discovery lists everything it serves: it publishes its OpenAPI at
// start, and discovers its own group versions one by one afterwards. Until then it answers 404
// for a group version that it serves a moment later.

// discoveredWithin is how long a server may take to list what it publishes.
const discoveredWithin = 30 * time.Second

// betweenLooks is the pause between two looks at what a server serves.
const betweenLooks = 50 * time.Millisecond

// CompleteDiscovery waits until a server's discovery has every group version that it publishes
// OpenAPI v3 for. It returns those that are still missing after 30 seconds.
func CompleteDiscovery(ctx context.Context, c *Connection) ([]string, error) {
	return completeDiscovery(ctx, c, discoveredWithin)
}

func completeDiscovery(ctx context.Context, c *Connection, within time.Duration) ([]string, error) {
	for until := time.Now().Add(within); ; {
		lacks, err := undiscovered(ctx, c)
		if err != nil || len(lacks) == 0 || time.Now().After(until) {
			return lacks, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(betweenLooks):
		}
	}
}

// published is the path of a group version in the list of OpenAPI v3 documents.
var published = regexp.MustCompile(`^(?:api/(v[^/]+)|apis/([^/]+/v[^/]+))$`)

// Published are the group versions that a server publishes OpenAPI v3 of, sorted: all that it
// serves itself, whatever discovery lists as yet. A server without OpenAPI v3 has none.
func Published(ctx context.Context, c *Connection) (all []string, err error) {
	var list struct {
		Paths map[string]any `json:"paths"`
	}
	a := c.get(ctx, "/openapi/v3")
	if a.Code == http.StatusNotFound {
		return nil, nil
	}
	if err := a.decode(&list); err != nil {
		return nil, err
	}
	for at := range list.Paths {
		if m := published.FindStringSubmatch(at); m != nil {
			all = append(all, m[1]+m[2])
		}
	}
	slices.Sort(all)
	return all, nil
}

// undiscovered are the group versions that a server publishes OpenAPI v3 of, and does not
// list in discovery, or has no list of kinds of.
func undiscovered(ctx context.Context, c *Connection) (lacks []string, err error) {
	all, err := Published(ctx, c)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	listed, err := GroupVersions(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, gv := range all {
		if slices.Contains(listed, gv) {
			kinds := c.get(ctx, root(gv))
			if kinds.Err != nil {
				return nil, kinds.unexpected()
			}
			if kinds.Code != http.StatusNotFound && kinds.Code != http.StatusServiceUnavailable {
				continue
			}
		}
		lacks = append(lacks, gv)
	}
	return lacks, nil
}
