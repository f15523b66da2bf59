package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// chunk is how many objects a LIST asks for.
	chunk = 500
	// maxRestarts is how often a list that expired is started anew.
	maxRestarts = 2
	// maxRenewals is how often a list goes on with a token that a server returned in place of
	// an expired one.
	maxRenewals = 20
	// maxSlow is how often a chunk that is not answered in time is made smaller.
	maxSlow = 2
)

// lister lists one resource.
type lister struct {
	c *Cluster
	resource
	accept       string
	limit        int
	token        string // continue
	restarts     int
	renewals     int
	slow         int
	unauthorized bool // once
}

// page is one chunk of a list.
type page struct {
	Metadata metav1.ListMeta   `json:"metadata"`
	Items    []json.RawMessage `json:"items"`
}

// each calls a function with each item. After a restart it yields items again.
func (l *lister) each(ctx context.Context, yield func(json.RawMessage) error) error {
	for {
		p, err := l.page(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !l.recovers(err) {
				return err
			}
			continue
		}
		for _, item := range p.Items {
			if err := yield(item); err != nil {
				return callerError{err}
			}
		}
		switch p.Metadata.Continue {
		case "":
			return nil
		case l.token:
			return answerError{errors.New("the server returned the same continue token twice")}
		}
		l.token = p.Metadata.Continue
	}
}

// callerError is an error of the function that each item or object is passed to: it is no problem of the source.
type callerError struct{ error }

func (e callerError) Unwrap() error { return e.error }

// answerError is an error in an answer that is a success.
type answerError struct{ error }

func (e answerError) Unwrap() error { return e.error }

// page gets one chunk. client-go waits as long as Retry-After says, and sends the request again.
func (l *lister) page(ctx context.Context) (p page, err error) {
	ctx, cancel := context.WithTimeout(quiet(ctx), pageWithin)
	defer cancel()
	request := l.c.discovery.RESTClient().Get().AbsPath(l.path()).SetHeader("Accept", l.accept).Param("limit", strconv.Itoa(l.limit))
	if l.token != "" {
		request = request.Param("continue", l.token)
	}
	result := request.Do(ctx)
	if err := result.Error(); err != nil {
		return p, err
	}
	body, err := result.Raw()
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(body, &p); err != nil {
		return p, answerError{fmt.Errorf("the answer is not a list: %w", err)}
	}
	return p, nil
}

// recovers reports whether the list can go on after an error, and prepares that.
func (l *lister) recovers(err error) bool {
	var status apierrors.APIStatus
	switch {
	case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
		if errors.As(err, &status) && status.Status().Continue != "" {
			l.renewals++
			l.token = status.Status().Continue // the rest, as it is now
			return l.renewals <= maxRenewals
		}
		l.restarts++
		l.token = ""
		return l.restarts <= maxRestarts
	case isTimeout(err) && l.slow >= maxSlow:
		return false
	case isTooLarge(err) || isTimeout(err):
		if isTimeout(err) {
			l.slow++
		}
		smaller := l.limit > 1
		l.limit = max(1, l.limit/5)
		return smaller
	case apierrors.IsUnauthorized(err) && !l.unauthorized:
		l.unauthorized = true // an exec plugin renews its token now
		return true
	}
	return false
}

// isAnswered reports whether an error concerns one resource alone: the server answered, or the
// resource is too large. Not accepting the credentials concerns all.
func isAnswered(err error) bool {
	var odd answerError
	return !apierrors.IsUnauthorized(err) && (isAnswer(err) || isTooLarge(err) || isTimeout(err) || errors.As(err, &odd))
}
