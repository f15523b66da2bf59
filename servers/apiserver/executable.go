package apiserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
)

// answersWithin bounds a question. A server prints its version in a tenth of a second; a
// program that does not know the flag may run forever.
const answersWithin = 10 * time.Second

// AnswerError reports an executable that ended with an error instead of answering.
type AnswerError struct {
	Asked  string // --version
	Status string // "exited with status 2"
	Said   string // what it printed, the first megabyte of it
	Killed bool   // by SIGKILL: by the kernel, short of memory, or by a person
}

// Error returns the question, the status and the first line of the output.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s: %s: %q", e.Asked, e.Status, FirstLine(e.Said))
}

// Fault reports whether the executable was killed: no executable does that to itself.
func (e *AnswerError) Fault() fault.Fault {
	if !e.Killed {
		return fault.Fault{}
	}
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.ExecutableKilled}
}

// Unanswered wraps the error of asking an executable for its version: it returns a
// *servers.RequestError unless an infrastructure failure or an interruption prevented the answer, which a retry
// may get.
func Unanswered(err error) error {
	if fault.Is(err, fault.Infrastructure) || errors.Is(err, context.Canceled) {
		return err
	}
	return &servers.RequestError{Err: err}
}

// Ask executes a file with arguments that make it print something and end, and returns the
// output. If the executable fails, the error is an *AnswerError.
func Ask(ctx context.Context, path string, arguments ...string) (string, error) {
	return AskOn(ctx, executables{}, servers.Build{Path: path}, arguments...)
}

// AskOn is like Ask for a build on its host.
func AskOn(ctx context.Context, h Host, b servers.Build, arguments ...string) (string, error) {
	asked := strings.Join(arguments, " ")
	ctx, cancel := context.WithTimeoutCause(ctx, answersWithin, fmt.Errorf("no answer after %s", answersWithin))
	defer cancel()
	var answer, complaint limited
	child, err := h.Start(ctx, b, Command{Arguments: arguments, Stdout: &answer, Stderr: &complaint, Scratch: certificates(arguments)})
	if err != nil {
		return "", fmt.Errorf("cannot be executed here: %w", err)
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		child.Kill()
		return "", fmt.Errorf("%s: %w", asked, context.Cause(ctx))
	}
	if lost := (*servers.LostError)(nil); errors.As(child.Err(), &lost) {
		return "", fmt.Errorf("%s: %w", asked, lost)
	}
	if err := child.Err(); err != nil {
		return "", &AnswerError{Asked: asked, Status: child.Status(), Said: complaint.String() + answer.String(), Killed: child.Killed()}
	}
	return answer.String(), nil
}

// certificates returns the directory in which the arguments make an executable create
// certificates.
func certificates(arguments []string) string {
	for _, flag := range arguments {
		if dir, is := strings.CutPrefix(flag, "--cert-dir="); is {
			return dir
		}
	}
	return ""
}

// FirstLine returns the first line of an unexpected answer, shortened for an error message.
func FirstLine(s string) string {
	const enough = 200 // bytes
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > enough {
		line = strings.ToValidUTF8(line[:enough], "") + "..."
	}
	return line
}

// limited keeps the beginning of what is written to it, because a program that is not a server
// may print forever. A kube-apiserver's help has 70 kilobytes.
type limited struct{ bytes.Buffer }

const limitedBytes = 1 << 20

func (l *limited) Write(b []byte) (int, error) {
	l.Buffer.Write(b[:min(len(b), max(0, limitedBytes-l.Len()))])
	return len(b), nil
}

// DigestOf returns the sha256 of a file, in hex.
func DigestOf(path string) (string, error) {
	file, err := process.FileOf(path)
	return file.Digest, err
}
