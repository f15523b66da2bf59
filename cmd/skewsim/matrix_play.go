package main

import (
	"context"
	"errors"
)

func (a *app) playMatrix(_ context.Context, _ *layout) error {
	return usage(errors.New("matrix: cannot be played yet; --list tells what would be"))
}
