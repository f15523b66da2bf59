package cliflags

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios/shell"
)

// Plain returns an error that says what a flag takes, where the flag library names a function
// of Go.
func Plain(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	f := invalid.GetFlag()
	want := map[string]string{
		"int": "a whole number", "int64": "a whole number", "float64": "a number", "bool": "true or false",
		"duration": "a duration, such as 90s or 30m",
	}[f.Value.Type()]
	switch {
	case want == "":
		return err
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("--%s %q is out of range: give %s", f.Name, invalid.GetValue(), want)
	}
	return fmt.Errorf("--%s %q is not %s", f.Name, invalid.GetValue(), want)
}

// mayBeEmpty marks a list that may be given and be empty.
const mayBeEmpty = "may-be-empty"

// AllowEmpty lets the user give a list that is empty.
func AllowEmpty(flags *pflag.FlagSet, name string) {
	_ = flags.SetAnnotation(name, mayBeEmpty, nil) // the caller has registered it
}

// Empty refuses a text or a list that is given and empty, such as that of a variable that is
// not set: skewsim would use the default without a word.
func Empty(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if isEmpty(f) {
			err = errors.Join(err, fmt.Errorf("--%s: is empty: say which, or leave it out", f.Name))
		}
	})
	return err
}

func isEmpty(f *pflag.Flag) bool {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		_, may := f.Annotations[mayBeEmpty]
		return !may && strings.Join(list.GetSlice(), "") == ""
	}
	return f.Value.Type() == "string" && f.Value.String() == ""
}

// Repeat returns the command line that repeats a command: its name, its arguments and every flag that the
// user gives, but for those that without names. A flag in always is there also if it is not given.
func Repeat(c *cobra.Command, args []string, always string, without ...string) string {
	words := []string{c.CommandPath()}
	for _, a := range args {
		words = append(words, shell.Quote(a))
	}
	return strings.Join(append(words, again(c.Flags(), always, without)...), " ")
}

// again returns flags as given, for a shell, sorted by name. What is given under an old name is under the
// present one.
func again(flags *pflag.FlagSet, always string, without []string) (all []string) {
	names := []string{}
	flags.Visit(func(f *pflag.Flag) {
		names = append(names, f.Name)
		if of := f.Annotations[aliasOf]; len(of) > 0 {
			names[len(names)-1] = of[0]
		}
	})
	if flags.Lookup(always) != nil {
		names = append(names, always)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		flag := flags.Lookup(name)
		if slices.Contains(without, name) {
			continue
		}
		for _, text := range texts(flags, flag) {
			all = append(all, given(flag, text))
		}
	}
	return all
}

// given returns a flag with a value, for a shell. A word after a flag that needs no value would be an
// argument of the command.
func given(flag *pflag.Flag, value string) string {
	switch flag.NoOptDefVal {
	case "":
		return "--" + flag.Name + " " + shell.Quote(value)
	case value:
		return "--" + flag.Name
	}
	return "--" + flag.Name + "=" + shell.Quote(value)
}

// texts returns the values of a flag: several only of a flag that takes one value at a time.
func texts(flags *pflag.FlagSet, flag *pflag.Flag) []string {
	list, ok := flag.Value.(pflag.SliceValue)
	switch {
	case ok && flag.Value.Type() == "stringArray":
		return list.GetSlice()
	case ok:
		return []string{strings.Join(list.GetSlice(), ",")}
	}
	return []string{text(flags, flag)}
}

// text returns the value of a flag as the command line takes it.
func text(flags *pflag.FlagSet, flag *pflag.Flag) string {
	values, err := flags.GetStringToString(flag.Name)
	if err != nil { // it is of another type
		return flag.Value.String()
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, key+"="+values[key])
	}
	return strings.Join(parts, ",")
}
