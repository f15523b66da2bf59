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

// AnswerError tells that a release's typed clients cannot do what was asked: the
// body is none of theirs, or they have no types for it. Asking again changes
// nothing.
type AnswerError struct {
	Release   string // v1.36.3
	Operation program.Operation
	Kind      schema.GroupVersionKind
	Text      string // in the words of the release's code, where it has some
}

// Error says who cannot do what, and why.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s: %s", subject(e.Release, e.Operation, e.Kind), e.Text)
}

// subject is "typed-client v1.36.3: carry apps/v1 Deployment".
func subject(release string, operation program.Operation, kind schema.GroupVersionKind) string {
	return fmt.Sprintf("%s %s: %s %s %s", component, release, operation, kind.GroupVersion(), kind.Kind)
}

// ExitError tells that a program ended although nobody asked it to.
type ExitError struct {
	Release string   // v1.36.3
	Status  string   // "exited with status 2", "was killed by signal 9 (killed)"
	Log     string   // path of its log, "" when it has none
	Tail    []string // the lines of its log that explain its end, at most 8
	Killed  bool     // by SIGKILL: by the kernel, short of memory, or by a person
}

// Fault returns that the program was killed, if it was.
func (e *ExitError) Fault() fault.Fault {
	if !e.Killed {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ClientKilled}
}

// Error gives who, what and its last words.
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

// lastWords are the lines of the log that say why the program ended: how its
// crash begins, else the last ones.
func lastWords(log string) []string {
	lines := process.Tail(log, tailLines)
	crash := slices.IndexFunc(lines, regexp.MustCompile(`^(panic|fatal error|runtime): `).MatchString)
	if crash >= 0 {
		return lines[crash:min(len(lines), crash+toldLines)]
	}
	return lines[max(0, len(lines)-toldLines):]
}
