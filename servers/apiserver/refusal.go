package apiserver

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// Help returns the flags and gates that a build's help lists.
func (r *Runtime) Help(ctx context.Context, b servers.Build) (Help, error) {
	c, err := r.component(b)
	if err != nil {
		return Help{}, err
	}
	return r.helps.of(ctx, c, b)
}

// refusals match what a server says of flags that it refuses, in the order in which a server
// reports them.
var refusals = []*regexp.Regexp{
	regexp.MustCompile(`unknown flag: --[\w-]+`),
	regexp.MustCompile(`unrecognized feature gate: \w+`),
	regexp.MustCompile(`has no gate "\w+"`),
	regexp.MustCompile(`cannot set feature gate \w+ to \w+, feature is locked to \w+`),
	regexp.MustCompile(`\w+ is enabled, but depends on features that are disabled: \[[^\]]*\]`),
	regexp.MustCompile(`(?:enable|disable)-admission-plugins plugin "[^"]*" is unknown`),
	regexp.MustCompile(`unknown api groups [^\s,"\]]+(?:,[^\s,"\]]+)*`),
}

// Refusals returns what a build's executable says of flags that it refuses, or nothing if it
// refuses none of them. The executable runs without a store, so it never becomes a server. It
// may report only the first of several flags, so callers ask for one at a time. Flags are
// given as --name=value, or as --name to ask whether the build has the flag.
func (r *Runtime) Refusals(ctx context.Context, b servers.Build, flags ...string) (says []string, err error) {
	c, err := r.component(b)
	if err != nil {
		return nil, err
	}
	help, err := r.helps.of(ctx, c, b)
	if err != nil {
		return nil, err
	}
	if len(flags) == 1 && slices.Contains(help.Flags, strings.TrimPrefix(flags[0], "--")) {
		return nil, nil // the help answers
	}
	_, err = r.hosts.ask(ctx, b, slices.Concat(c.own(b), flags, []string{"--cert-dir=" + r.identity.Dir})...)
	var refused *AnswerError
	if err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	if err == nil {
		return nil, nil
	}
	said := strings.ReplaceAll(refused.Said, `\"`, `"`)
	for _, words := range refusals {
		says = append(says, words.FindAllString(said, -1)...)
	}
	slices.Sort(says)
	return slices.Compact(says), nil
}
