package fuzz

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/client"
)

// maxTurns is how often a copy is read and written back in all, if a server's own
// controller writes it in between: as clients do.
const maxTurns = 5

// writeBack writes a copy as it was read, and reads it again after a conflict. decided is false if the
// last write met a conflict and the copy could not be read again.
func (t *Traveller) writeBack(ctx context.Context, c *Copy, at Place, was client.Answer) (written client.Answer, decided bool, err error) {
	for turn := 1; ; turn++ {
		written, err = t.send(ctx, at, http.MethodPut, c.name, was.Body)
		if err != nil || !conflicts(written) || turn == maxTurns {
			return written, true, err
		}
		if was, err = t.send(ctx, at, http.MethodGet, c.name, nil); err != nil || !was.Succeeded() {
			return written, false, err
		}
	}
}

// conflicts reports whether a write was refused because of another write since the read.
func conflicts(a client.Answer) bool {
	return a.Code == http.StatusConflict && a.Status != nil && a.Status.Reason == metav1.StatusReasonConflict
}
