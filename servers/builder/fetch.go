package builder

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/fault"
)

// Fetch makes a build, or finds it in the cache, by the name that a user gives: a reference,
// or that of a typed client. It returns the path of the build, or the ID of an image, and
// writes to say whether the build was cached, and how long it took. adapter is for builds of
// Go modules; "": none.
func Fetch(ctx context.Context, b *Builder, name, adapter string, say io.Writer) (path string, err error) {
	began := time.Now()
	if version, ok := strings.CutPrefix(name, TypedClientPrefix); ok {
		made, err := b.TypedClient(ctx, version)
		if err != nil {
			return "", err
		}
		return made.Path, sayFetched(say, name, made.Path, began)
	}
	ref, err := servers.ParseReference(name)
	if err != nil {
		return "", fault.ByUser(err)
	}
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = adapter
	}
	made, err := b.Build(ctx, ref)
	if err != nil {
		return "", err
	}
	if made.Image != "" {
		fmt.Fprintf(say, "%s: in the image store of the Docker engine; its server is %s there\n", name, made.Path)
		return string(servers.SchemeImage) + ":" + made.Image, nil // a reference: no path here leads to it
	}
	return made.Path, sayFetched(say, name, made.Path, began)
}

// sayFetched writes whether a build was cached, and how long it took. It writes nothing about
// the reference server, which comes with skewsim, and about files of the user.
func sayFetched(say io.Writer, name, path string, began time.Time) error {
	built, err := Cached()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(built, func(c build.Built) bool { return c.Path == path })
	switch {
	case i < 0:
		return nil
	case built[i].At.Before(began) && built[i].From != "":
		fmt.Fprintf(say, "%s: cached, handed out in %s; from %s\n", name, seconds(time.Since(began)), built[i].From)
	case built[i].At.Before(began):
		fmt.Fprintf(say, "%s: cached, handed out in %s; built in %s\n", name, seconds(time.Since(began)), seconds(built[i].Took))
	case built[i].From != "":
		fmt.Fprintf(say, "%s: taken from %s in %s\n", name, built[i].From, seconds(built[i].Took))
	default:
		fmt.Fprintf(say, "%s: built in %s\n", name, seconds(built[i].Took))
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
