package cliflags

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// sections are the headings that --help groups flags under. A flag without one is below "Flags".
func sections() []struct{ title, names string } {
	return []struct{ title, names string }{
		{"Releases", "pair old new release aa skew adapter server webhooks allow-programs"},
		{"Servers of the old release", prefixed("old")},
		{"Servers of the new release", prefixed("new")},
		{"Chain of releases", "through forward without-rewrite"},
		{"Order of operations", "seed orders only"},
		{"Store", "store etcd etcd-cafile etcd-certfile etcd-keyfile fsync keep-store"},
	}
}

func prefixed(role string) string {
	return strings.Join(slices.DeleteFunc(OptionNames(), func(name string) bool { return !strings.HasPrefix(name, role+"-") }), " ")
}

// few is the number of flags up to which --help needs no sections.
const few = 12

// Usages returns the flags of a command as --help prints them: by section, if there are many.
func Usages(flags *pflag.FlagSet) string {
	const others, columns = "Flags", 120
	titles, titleOf := []string{}, map[string]string{}
	for _, s := range sections() {
		titles = append(titles, s.title)
		for _, name := range strings.Fields(s.names) {
			titleOf[name] = s.title
		}
	}
	if visible := strings.Count(flags.FlagUsages(), "\n"); visible <= few {
		titleOf = nil
	}
	parts := map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		title := cmp.Or(titleOf[f.Name], others)
		if parts[title] == nil {
			parts[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		}
		parts[title].AddFlag(f)
	})
	var texts []string
	for _, title := range append(titles, others) {
		if part := parts[title]; part != nil && part.HasAvailableFlags() {
			texts = append(texts, title+":\n"+part.FlagUsagesWrapped(columns))
		}
	}
	return strings.Join(texts, "\n")
}

// Group lets --help of a command, and of those below it, group flags by section.
func Group(root *cobra.Command) {
	cobra.AddTemplateFunc("usages", Usages)
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{usages .LocalFlags | trimTrailingWhitespaces}}", 1))
}
