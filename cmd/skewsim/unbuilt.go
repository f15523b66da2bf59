package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/campaign"
)

// tellUnbuilt gives up on builds that have failed, and returns their errors. It prints an
// error of several lines once, since the line of a run has no room for it.
func tellUnbuilt(ctx context.Context, a *App) (texts []string) {
	if ctx.Err() != nil {
		return nil
	}
	for _, err := range a.Builder().GiveUp() {
		text := campaign.Message(err)
		texts = append(texts, text)
		if strings.Contains(text, "\n") {
			fmt.Fprintln(a.Err, text)
		}
	}
	return texts
}
