package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/campaign"
)

// tellUnbuilt gives up what could not be made by now, and gives all that is said of it.
// Where that is more than fits into the line of a run it is printed, this once.
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
