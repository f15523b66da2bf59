package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// hashLength is the number of commit digits in a version, as in Kubernetes' own.
const hashLength = 14

// base is the file that declares the release that the code becomes.
const base = "staging/src/k8s.io/component-base/version/base.go"

// stampOf returns the version information of a folder's programs, as Kubernetes'
// hack/lib/version.sh computes it. The content's digest replaces the commit if no tag names a
// version. Equal content of one commit results in an equal stamp.
func stampOf(ctx context.Context, folder string, r *repository, digest string) (Stamp, error) {
	described := ""
	if r != nil {
		described = r.described(ctx)
	}
	if described == "" {
		version, err := becoming(folder, digest)
		return Stamp{Version: version, TreeState: "archive"}, err
	}
	s := Stamp{Version: translate(described), TreeState: "clean"}
	clean, err := r.isClean(ctx)
	if err != nil {
		return s, err
	}
	if !clean {
		s.Version += "-dirty"
		s.TreeState = "dirty"
	}
	if !regexp.MustCompile(semantic).MatchString(s.Version) {
		return s, problem{fmt.Errorf("git describe: %q is not a semantic version, so Kubernetes' own build would fail too: tag a commit as Kubernetes does, such as v1.37.0-alpha.1", s.Version)}
	}
	s.Commit, s.Date, err = r.last(ctx)
	return s, err
}

// semantic matches what Kubernetes accepts as a version.
const semantic = `^v([0-9]+)\.([0-9]+)(\.[0-9]+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`

// translate converts the output of git describe to a semantic version:
// v1.37.0-alpha.1-123-g<hash> is v1.37.0-alpha.1.123+<hash>, and v1.36.1-5-g<hash> is
// v1.36.1-5+<hash>.
func translate(described string) string {
	hash := fmt.Sprintf(`-g([0-9a-f]{%d})$`, hashLength)
	switch strings.Count(described, "-") {
	case 3:
		return regexp.MustCompile(`-([0-9]+)`+hash).ReplaceAllString(described, ".$1+$2")
	case 2:
		return regexp.MustCompile(hash).ReplaceAllString(described, "+$1")
	}
	return described
}

// becoming returns the version of code without a tag.
func becoming(folder, digest string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(base)))
	if err == nil {
		match := regexp.MustCompile(`\bDefaultKubeBinaryVersion\s*=\s*"([0-9]+\.[0-9]+)"`).FindSubmatch(text)
		if match != nil {
			return fmt.Sprintf("v%s.0-dev+%.*s", match[1], hashLength, digest), nil
		}
		err = errors.New("has no DefaultKubeBinaryVersion")
	}
	return "", problem{fmt.Errorf("its version is unknown: git has no tag for it, and %s: %w; fetch the tags (git fetch --tags), or tag a commit, such as v1.37.0-alpha.1", base, err)}
}

func rfc3339(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }
