package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers/process"
)

// repository is a git repository whose work tree is the folder.
type repository struct{ git, folder string }

// findRepository returns nil for a folder that is not a repository, or is only a part of one,
// whose tags name versions of something else.
func findRepository(ctx context.Context, folder string) (*repository, error) {
	if _, err := os.Lstat(filepath.Join(folder, ".git")); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, fmt.Errorf("the git command is needed to find changes in the checkout: %w; install git", err)
	}
	r := &repository{git, folder}
	_, err = r.run(ctx, "rev-parse", "HEAD^{commit}")
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return nil, err
	case r.isEmpty(ctx):
		err = fmt.Errorf("%w; commit something first, or remove .git", err)
	}
	return nil, problem{err}
}

// isEmpty reports whether the repository can be read and has no commit. For a repository that
// is damaged, or another user's, git's own error says what to do, and removing .git would be
// wrong.
func (r *repository) isEmpty(ctx context.Context) bool {
	_, unread := r.run(ctx, "rev-parse", "--git-dir")
	_, none := r.run(ctx, "rev-parse", "--quiet", "--verify", "HEAD")
	return unread == nil && none != nil
}

// run runs a git command that writes nothing, not even the index.
func (r *repository) run(ctx context.Context, args ...string) (string, error) {
	var out, complaint bytes.Buffer
	child, err := process.Start(process.Command{
		Path: r.git, Dir: r.folder, Stdout: &out, Stderr: &complaint,
		Args: append([]string{"-c", "core.fsmonitor=false"}, args...),
		Env:  append(process.Environ("XDG_CONFIG_HOME"), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"),
	})
	if err != nil {
		return "", err
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		child.Kill()
		return "", fmt.Errorf("git %s: %w", args[0], context.Cause(ctx))
	}
	if child.Err() != nil {
		return "", fmt.Errorf("git %s: %s: %s", args[0], child.Status(), strings.Join(strings.Fields(complaint.String()), " "))
	}
	return out.String(), nil
}

// files lists the files that git does not ignore, tracked or not.
func (r *repository) files(ctx context.Context) ([]string, error) {
	text, err := r.run(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(text, func(c rune) bool { return c == 0 }), nil
}

// isClean reports whether everything is committed.
func (r *repository) isClean(ctx context.Context) (bool, error) {
	text, err := r.run(ctx, "status", "--porcelain")
	return text == "", err
}

// described returns the last commit as `git describe` names it by earlier tags, or "" if there
// are no tags.
func (r *repository) described(ctx context.Context) string {
	text, err := r.run(ctx, "describe", "--tags", "--match=v*", "--abbrev=14", "HEAD^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(text)
}

// last returns the last commit, and its time in RFC 3339.
func (r *repository) last(ctx context.Context) (commit, date string, err error) {
	text, err := r.run(ctx, "log", "-1", "--format=%H %ct")
	if err != nil {
		return "", "", err
	}
	var seconds int64
	if _, err := fmt.Sscan(text, &commit, &seconds); err != nil {
		return "", "", fmt.Errorf("git log: %q: %w", text, err)
	}
	return commit, rfc3339(seconds), nil
}
