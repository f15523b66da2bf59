package process

import "os"

// Environ is the environment a child gets: of the parent's variables HOME,
// PATH and TMPDIR, and those named in also. Everything else stays behind, so
// that a run does not depend on whose shell it was started from and no
// credential leaks into a server's log.
func Environ(also ...string) []string {
	var env []string
	for _, name := range append([]string{"HOME", "PATH", "TMPDIR"}, also...) {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
