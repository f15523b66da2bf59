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

// reachesLoopback tells whether the engine's own network, which containers on the
// host's network are in, is this machine's: it is asked to pull an image from a
// registry on a loopback port here, which answers that there is none. What the
// engine says of itself proves nothing, for it may be behind a tunnel.
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
	if err == nil { // some engines tell of failures in the answer's body
		_, _ = io.Copy(io.Discard, pull)
		_ = pull.Close()
	}
	if ctx.Err() != nil {
		return false, unreachable(context.Cause(ctx))
	}
	return asked.Load(), nil // the pull's own error says nothing more: there is no such image
}
