package kubeapiserver

import (
	"context"
	"os"

	"github.com/skewsim/skewsim/servers/build"
)

// oldestOffered is the oldest minor release, 1.31, that is played unasked: those before
// it are long out of support.
const oldestOffered = 31

// Offered are the newest patches of every minor release that the module proxy lists,
// older ones first. Some of them it may still refuse to hand out. Errors: Go is not
// there, or the proxy cannot be asked.
func Offered(ctx context.Context) ([]string, error) {
	tool, err := build.NewGo(os.TempDir())
	if err != nil {
		return nil, err
	}
	return kubernetes().Newest(ctx, tool, oldestOffered)
}
