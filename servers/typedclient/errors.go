package typedclient

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
	"github.com/skewsim/skewsim/servers/typedclient/program"
)

// AnswerError reports that a release's typed clients cannot do what was requested: they cannot
// decode the body, or have no types for it. A retry changes nothing.
type AnswerError struct {
	Release   string // v1.36.3
	Operation program.Operation
	Kind      schema.GroupVersionKind
	Text      string // the error of the release's code, if it has one
}

// Error returns the release, the operation and the reason.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s: %s", subject(e.Release, e.Operation, e.Kind), e.Text)
}

// subject returns text such as "typed-client v1.36.3: carry apps/v1 Deployment".
func subject(release string, operation program.Operation, kind schema.GroupVersionKind) string {
	return fmt.Sprintf("%s %s: %s %s %s", component, release, operation, kind.GroupVersion(), kind.Kind)
}

// ExitError reports a program that ended although nobody stopped it.
type ExitError struct {
	Release string   // v1.36.3
	Status  string   // "exited with status 2", "was killed by signal 9 (killed)"
	Log     string   // path of its log, "" when it has none
	Tail    []string // the lines of its log that explain its end, at most 8
	Killed  bool     // by SIGKILL: by the kernel, short of memory, or by a person
	Late    bool     // it did not answer in time, and was ended for that
}

// Fault reports whether the program was killed, or did not answer.
func (e *ExitError) Fault() fault.Fault {
	switch {
	case e.Late:
		return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ClientLate}
	case e.Killed:
		return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ClientKilled}
	}
	return fault.Fault{}
}

// Error returns the release, the status and the last lines of the log.
func (e *ExitError) Error() string {
	text := fmt.Sprintf("%s %s: %s", component, e.Release, e.Status)
	if e.Log != "" {
		text += "; log: " + e.Log
	}
	if len(e.Tail) == 0 {
		return text
	}
	return text + "; its last lines:\n  " + strings.Join(e.Tail, "\n  ")
}

const (
	tailLines = 2000 // of the log, searched for a crash: Go prints every stack
	toldLines = 8    // of them, told at most
)

// lastWords returns the lines of the log that say why the program ended: the beginning of its
// crash, or else the last ones.
func lastWords(log string) []string {
	lines := process.Tail(log, tailLines)
	crash := slices.IndexFunc(lines, regexp.MustCompile(`^(panic|fatal error|runtime): `).MatchString)
	if crash >= 0 {
		return lines[crash:min(len(lines), crash+toldLines)]
	}
	return lines[max(0, len(lines)-toldLines):]
}
