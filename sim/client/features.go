package client

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"regexp"
)

// Feature is one feature gate as a server reports it.
type Feature struct {
	Name string
	// Stage is ALPHA or BETA, or DEPRECATED; "" of what is stable.
	Stage string
	On    bool
}

// feature is a line such as kubernetes_feature_enabled{name="X",stage="ALPHA"} 1.
var feature = regexp.MustCompile(`^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} ([01])$`)

// Features are the gates that the server reports, in its order, by the metric
// kubernetes_feature_enabled. Servers without it report none.
func Features(ctx context.Context, c *Connection) (all []Feature, err error) {
	err = metrics(ctx, c, func(line string) {
		if m := feature.FindStringSubmatch(line); m != nil {
			all = append(all, Feature{Name: m[1], Stage: m[2], On: m[3] == "1"})
		}
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// metrics calls a function for each line of the server's metrics.
func metrics(ctx context.Context, c *Connection, each func(line string)) error {
	a := c.get(ctx, "/metrics")
	if !a.Succeeded() {
		return a.unexpected()
	}
	lines := bufio.NewScanner(bytes.NewReader(a.Body))
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		if !metric.Match(lines.Bytes()) {
			return a.isNo(fmt.Sprintf("text of metrics: line %d is invalid", n+1))
		}
		each(lines.Text())
	}
	if err := lines.Err(); err != nil {
		return a.isNo(fmt.Sprintf("text of metrics: line %d: %v", n+1, err))
	}
	return nil
}

// metric is how a line of metrics begins: a name, a remark or nothing.
var metric = regexp.MustCompile(`^([a-zA-Z_:#]|\s*$)`)

// PassedOn are the group versions that the server passes on to another, as its
// APIServices say, in their order.
func PassedOn(ctx context.Context, c *Connection) ([]string, error) {
	var list struct {
		Items []struct {
			Spec struct {
				Group   string    `json:"group"`
				Version string    `json:"version"`
				Service *struct{} `json:"service"`
			} `json:"spec"`
		} `json:"items"`
	}
	a := c.get(ctx, "/apis/apiregistration.k8s.io/v1/apiservices")
	if err := a.decode(&list); err != nil {
		return nil, err
	}
	var all []string
	for _, item := range list.Items {
		if item.Spec.Service != nil {
			all = append(all, item.Spec.Group+"/"+item.Spec.Version)
		}
	}
	return all, nil
}

// GroupVersions are all group versions that the server serves, sorted by group as
// the server has them; the core group's first.
func GroupVersions(ctx context.Context, c *Connection) ([]string, error) {
	var all []string
	var core struct {
		Versions []string `json:"versions"`
	}
	if a := c.get(ctx, "/api"); a.Succeeded() {
		if err := a.decode(&core); err != nil {
			return nil, err
		}
		all = core.Versions
	}
	var groups struct {
		Groups []struct {
			Versions []struct {
				GroupVersion string `json:"groupVersion"`
			} `json:"versions"`
		} `json:"groups"`
	}
	a := c.get(ctx, "/apis")
	if err := a.decode(&groups); err != nil {
		return nil, err
	}
	for _, g := range groups.Groups {
		for _, v := range g.Versions {
			all = append(all, v.GroupVersion)
		}
	}
	return all, nil
}
