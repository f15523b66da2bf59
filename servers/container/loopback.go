package container

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/moby/moby/client"
)

// reachesLoopback reports whether the engine's host network, which containers use, is this
// machine's: it asks the engine to pull an image from a registry on a loopback port here, which
// answers that the image does not exist. The engine's description of itself is not enough,
// because the engine may be behind a tunnel.
func reachesLoopback(ctx context.Context, api client.APIClient) (bool, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return false, fmt.Errorf("containers: look at loopback: %w", err)
	}
	repository := name()
	var asked atomic.Bool
	registry := &http.Server{
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // engines try TLS first
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, repository) {
				asked.Store(true)
			}
			if r.URL.Path != "/v2/" {
				w.WriteHeader(http.StatusNotFound)
			}
		}),
	}
	go registry.Serve(listener) // ends with Close
	defer registry.Close()
	pull, err := api.ImagePull(ctx, fmt.Sprintf("%s/%s:none", listener.Addr(), repository), client.ImagePullOptions{})
	if err == nil { // some engines report failures in the answer's body
		_, _ = io.Copy(io.Discard, pull)
		_ = pull.Close()
	}
	if ctx.Err() != nil {
		return false, unreachable(context.Cause(ctx))
	}
	return asked.Load(), nil // the pull always fails, because the image does not exist
}
