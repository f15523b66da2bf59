package apiserver

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	tailLines = 400 // of the log, searched for an explanation
	toldLines = 8   // of them, told at most
)

// explanations match lines that say why a server ended, surest first: a crash of
// Go, the command's own last word, klog's errors, of which a healthy server
// prints a few as well.
func explanations() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^(panic|fatal error): `),
		regexp.MustCompile(`^([Ee]rror: |F[0-9]{4} )|"command failed" err=`),
		regexp.MustCompile(`^E[0-9]{4} `),
		regexp.MustCompile(``),
	}
}

// lastWords picks, of a log's last lines, those that explain why the server
// ended.
func lastWords(lines []string) []string {
	for rank, pattern := range explanations() {
		first := slices.IndexFunc(lines, pattern.MatchString)
		if first < 0 {
			continue
		}
		if rank == 0 {
			return beforeStack(lines[first:])
		}
		return say(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return !pattern.MatchString(l) }))
	}
	return nil
}

// beforeStack is what a crash says before it lists where its goroutines were: that is
// for those who know the server's source, and stays in the log.
func beforeStack(lines []string) []string {
	end := slices.IndexFunc(lines, func(l string) bool { return l == "" || strings.HasPrefix(l, "goroutine ") })
	if end < 0 {
		end = len(lines)
	}
	return lines[:min(end, toldLines)]
}

func say(lines []string) []string {
	told := lines[max(0, len(lines)-toldLines):]
	for i, line := range told {
		told[i] = unwrap(line)
	}
	return told
}

// unwrap takes klog's header off a line, and the command's envelope off its
// error.
func unwrap(line string) string {
	line = regexp.MustCompile(`^[IWEF][0-9]{4} [0-9:.]+ +[0-9]+ [^ \]]+\] `).ReplaceAllString(line, "")
	quoted, ok := strings.CutPrefix(line, `"command failed" err=`)
	if !ok {
		return line
	}
	if text, err := strconv.Unquote(quoted); err == nil {
		return text
	}
	return quoted
}
