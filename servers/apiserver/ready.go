package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
)

const (
	// pollEvery is how often a starting server is asked whether it is ready, and so the longest
	// time that a user waits in vain.
	pollEvery = 25 * time.Millisecond
	// askWithin bounds one request. A server in trouble may never answer.
	askWithin = 5 * time.Second
	// answerBytes bounds how much of most answers is read.
	answerBytes = 64 << 10
)

// awaitReady returns nil when the server is ready and has the right version, or is degraded. It
// returns an error at once when the server has died.
func (s *server) awaitReady(ctx context.Context, within time.Duration, mayNotRead []string) error {
	allowed := s.starved(within)
	limit := time.NewTimer(within - time.Since(s.began))
	defer limit.Stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	last := errors.New("it was not asked yet")
	state := degraded{collections: mayNotRead, began: s.began, within: within}
	for {
		select {
		case <-s.done:
			if err := s.Err(); err != nil {
				return err
			}
			return fmt.Errorf("server %s (%s): start: the runtime was closed", s.name, s.build.Reference)
		case <-ctx.Done():
			return fmt.Errorf("server %s (%s): start: %w", s.name, s.build.Reference, context.Cause(ctx))
		case <-limit.C:
			if left := allowed() - time.Since(s.began); left > 0 {
				limit.Reset(left)
				continue
			}
			return &servers.LateError{Err: fmt.Errorf("server %s (%s): not ready after %s: %v; log: %s", s.name, s.build.Reference, allowed().Round(time.Millisecond), last, s.LogPath())}
		case <-poll.C:
			if last = s.askReady(ctx); last == nil || s.waitsInVain(ctx, last) || s.isDegraded(ctx, &state, last) {
				return s.greet(ctx)
			}
		}
	}
}

// starved returns what tells how long a server may take: the time that it is given, and that in which tasks
// waited for a CPU since now.
func (s *server) starved(within time.Duration) (allowed func() time.Duration) {
	if s.waited == nil {
		return func() time.Duration { return within }
	}
	from := s.waited()
	return func() time.Duration { return within + min(s.waited()-from, maxStarved*within) }
}

func (s *server) askReady(ctx context.Context) error {
	code, body, err := s.get(ctx, "/readyz")
	if err != nil {
		return err
	}
	if code != http.StatusOK {
		return &unready{code: code, failing: failing(body)}
	}
	return nil
}

// waitsInVain reports whether the server waits only for hooks that will find their work done.
func (s *server) waitsInVain(ctx context.Context, last error) bool {
	var u *unready
	if !errors.As(last, &u) {
		return false
	}
	var made []string
	for _, check := range u.checks() {
		if s.polled[check] == nil {
			return false
		}
		made = append(made, s.polled[check]...)
	}
	return !slices.ContainsFunc(made, func(path string) bool {
		code, _, err := s.get(ctx, path)
		return err != nil || code != http.StatusOK
	})
}

// unready is the answer of a server that is up and not ready.
type unready struct {
	code    int
	failing []string // the checks that fail, as /readyz lists them; else its answer
}

func (u *unready) Error() string {
	return fmt.Sprintf("/readyz answered %d: %s", u.code, strings.Join(u.failing, ", "))
}

// failing returns the checks that fail in the output of /readyz.
func failing(body string) []string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	bad := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !strings.HasPrefix(l, "[-]") })
	if len(bad) == 0 {
		bad = lines
	}
	return bad
}

// greet checks that the server is the release of its build. Otherwise every finding would be
// wrong.
func (s *server) greet(ctx context.Context) error {
	code, body, err := s.get(ctx, "/version")
	if err != nil {
		return fmt.Errorf("server %s (%s): %w", s.name, s.build.Reference, err)
	}
	var version struct{ GitVersion string }
	if err := json.Unmarshal([]byte(body), &version); err != nil || code != http.StatusOK {
		return fmt.Errorf("server %s (%s): /version answered %d: %q", s.name, s.build.Reference, code, body)
	}
	if version.GitVersion != s.build.Version && !s.unversioned {
		return fmt.Errorf("server %s (%s): /version says %q, the build %q", s.name, s.build.Reference, version.GitVersion, s.build.Version)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readyAfter = time.Since(s.began)
	return nil
}

func (s *server) get(ctx context.Context, path string) (code int, body string, err error) {
	return s.read(ctx, path, answerBytes)
}

// read returns an answer, of its body so many bytes at most.
func (s *server) read(ctx context.Context, path string, most int64) (code int, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.endpoint.URL+path, nil)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+s.endpoint.Token)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, most))
	return response.StatusCode, string(b), err
}
