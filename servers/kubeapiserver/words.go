package kubeapiserver

import (
	"regexp"
	"strings"
)

const (
	tailLines = 400 // of the log, searched for an explanation
	toldLines = 8   // of them, told at most
)

// telling matches the beginnings of lines that explain an end: cobra's and the
// command's own errors, Go's crashes, klog's errors and fatal entries.
const telling = `^(Error: |error: |panic: |fatal error: |[EF][0-9]{4} )`

// klogHeader is a klog line's severity, date, time, thread and source.
const klogHeader = `^[IWEF][0-9]{4} [0-9:.]+ +[0-9]+ [^ \]]+\] `

// lastWords picks, of a log's last lines, those that explain why the server
// ended: from the panic on when there is one, else the last errors, else the
// last lines whatever they say.
func lastWords(lines []string) []string {
	explain, header := regexp.MustCompile(telling), regexp.MustCompile(klogHeader)
	var told []string
	for i, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return lines[i:min(len(lines), i+toldLines)]
		}
		if explain.MatchString(line) {
			told = append(told, header.ReplaceAllString(line, ""))
		}
	}
	if len(told) == 0 {
		told = lines
	}
	return told[max(0, len(told)-toldLines):]
}
