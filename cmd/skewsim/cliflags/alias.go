package cliflags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// aliasOf marks a flag as the old name of another.
const aliasOf = "alias-of"

// Alias registers a hidden old name of a flag that is registered.
func Alias(flags *pflag.FlagSet, name, old string) {
	flag := flags.Lookup(name)
	alias := flags.VarPF(&spelling{Value: flag.Value}, old, "", "alias of --"+name)
	alias.NoOptDefVal, alias.Hidden = flag.NoOptDefVal, true
	_ = flags.SetAnnotation(old, aliasOf, []string{name}) // it is registered above
	flag.Value = &spelling{Value: flag.Value}
}

// spelling is a value that a flag has under two names. It remembers what was given under its own.
type spelling struct {
	pflag.Value
	given string
}

// Set sets the value of both names.
func (s *spelling) Set(text string) error {
	err := s.Value.Set(text)
	s.given = s.String()
	return err
}

// Contradictory refuses a flag that has one value under its name and another under its old
// name: the last one would count without a word.
func Contradictory(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(old *pflag.Flag) {
		for _, name := range old.Annotations[aliasOf] {
			flag := flags.Lookup(name)
			if now, then := givenTo(flag), givenTo(old); flag.Changed && now != then {
				err = errors.Join(err, fmt.Errorf("--%s %s, --%s %s: --%s is the old name of --%s: give one of them", name, now, old.Name, then, old.Name, name))
			}
		}
	})
	return err
}

func givenTo(f *pflag.Flag) string {
	if s, ok := f.Value.(*spelling); ok {
		return s.given
	}
	return f.Value.String()
}
