package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxBytes bounds a file. API servers refuse objects of more than 1.5 MiB,
// and the largest scenarios are a few KiB.
const MaxBytes = 1 << 20

// ParseDocument turns the bytes of a file into its one YAML document. It returns nil and adds
// problems if it cannot.
func ParseDocument(data []byte, p *Problems) *yaml.Node {
	if len(data) > MaxBytes {
		p.Add(0, "", "larger than 1 MiB, which is the most that a file may have")
		return nil
	}
	if line, why := notText(data); why != "" {
		p.Add(line, "", "not YAML: %s", why)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decodeNode(decoder, &document); err != nil {
		addSyntax(p, err, data)
		return nil
	}
	switch err := decodeNode(decoder, &second); {
	case err == nil:
		p.Add(second.Line, "", "a second document begins: a file holds exactly one")
	case !errors.Is(err, io.EOF):
		addSyntax(p, err, data)
	}
	Inspect(document.Content[0], func(line int, text string) { p.Add(line, "", "%s", text) })
	if len(p.List) > 0 {
		return nil
	}
	return document.Content[0]
}

// notText reports bytes that no text editor writes; the YAML library's errors about them have
// no line.
func notText(data []byte) (line int, why string) {
	for i, text := range strings.SplitAfter(string(data), "\n") {
		if !utf8.ValidString(text) {
			return i + 1, "bytes that are not UTF-8"
		}
		if at := strings.IndexFunc(text, isControl); at >= 0 {
			return i + 1, fmt.Sprintf("control character %#02x", text[at])
		}
	}
	return 0, ""
}

func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// decodeNode reads the next document. The parser is third-party code with untrusted input: a
// panic in it becomes a problem of the file.
func decodeNode(decoder *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if len(into.Content) == 0 {
		return io.EOF
	}
	return nil
}

const (
	// syntaxPattern matches the line in errors of the YAML library.
	syntaxPattern = `^(?s)yaml: (?:line (\d+): )?(.*)$`
	// zeroPattern matches those errors of the YAML library that count lines from 0; the errors
	// of its scanner count from 1.
	zeroPattern = `^(did not find expected (<stream-start>|<document start>|'-' indicator|key|',' or|node content)|found )`
	// scannerPattern matches the scanner's errors among those that begin with "found".
	scannerPattern = `^found (character|a tab|unexpected|unknown escape|invalid|extremely|an )`
	// anchorPattern matches the one error without a line that has a name to search for.
	anchorPattern = `^unknown anchor '(.*)' referenced$`
)

func addSyntax(p *Problems, err error, data []byte) {
	if errors.Is(err, io.EOF) {
		p.Add(0, "", "empty")
		return
	}
	m := regexp.MustCompile(syntaxPattern).FindStringSubmatch(err.Error())
	if m == nil {
		p.Add(0, "", "not YAML: %v", err)
		return
	}
	line := syntaxLine(m[1], m[2], data)
	if hasTab(data, line) {
		m[2] = "the line is indented with a tab, and YAML takes spaces alone"
	}
	p.Add(line, "", "not YAML: %s", m[2])
}

// hasTab reports whether a line, counted from 1, is indented with a tab.
func hasTab(data []byte, line int) bool {
	lines := strings.Split(string(data), "\n")
	if line < 1 || line > len(lines) {
		return false
	}
	text := lines[line-1]
	return strings.Contains(text[:len(text)-len(strings.TrimLeft(text, " \t"))], "\t")
}

// syntaxLine returns the line of a syntax error. The YAML library leaves out the first line,
// and counts from 0 or from 1.
func syntaxLine(text, message string, data []byte) int {
	if m := regexp.MustCompile(anchorPattern).FindStringSubmatch(message); m != nil {
		before, _, _ := bytes.Cut(data, []byte("*"+m[1]))
		return 1 + bytes.Count(before, []byte("\n"))
	}
	line, _ := strconv.Atoi(text) // none: 0
	fromZero := regexp.MustCompile(zeroPattern).MatchString(message) && !regexp.MustCompile(scannerPattern).MatchString(message)
	if line == 0 || fromZero {
		line++
	}
	return line
}
