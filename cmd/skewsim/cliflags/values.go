package cliflags

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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

// Again returns flags as given, for a shell, in the order of their names here. It leaves out
// flags that the command does not have, and those that the user does not give, unless always names
// them.
func Again(flags *pflag.FlagSet, names []string, always string) []string {
	var all []string
	for _, name := range names {
		flag := flags.Lookup(name)
		if flag == nil || !flag.Changed && name != always {
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
