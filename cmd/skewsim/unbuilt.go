package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/campaign"
)

// tellUnbuilt gives up on builds that have failed, and returns their errors. It prints an
// error of several lines once, since the line of a run has no room for it.
func (a *app) tellUnbuilt(ctx context.Context) (texts []string) {
	if ctx.Err() != nil {
		return nil
	}
	for _, err := range a.builder().GiveUp() {
		text := campaign.WithoutControls(campaign.Message(err))
		texts = append(texts, text)
		if strings.Contains(text, "\n") {
			fmt.Fprintln(a.err, text)
		}
	}
	return texts
}
