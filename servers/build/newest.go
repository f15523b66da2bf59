package build

import (
	"context"
	"slices"
	"strings"
)

// Newest gives the newest patch of every minor release from 1.from on that the module
// proxy lists, older ones first. Whether they can be built it does not ask. Errors: the
// proxy cannot be asked.
func (s Source) Newest(ctx context.Context, tool *Go, from int) ([]string, error) {
	listed, err := tool.Output(ctx, "list", "-m", "-versions", s.Path)
	if err != nil {
		return nil, err
	}
	var all []string
	last := release{}
	for _, r := range slices.Backward(sorted(s.releases(strings.Fields(listed)))) {
		if r.minor >= from && r.minor != last.minor {
			all = append(all, r.String())
			last = r
		}
	}
	slices.Reverse(all)
	return all, nil
}
