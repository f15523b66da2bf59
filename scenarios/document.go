package scenarios

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

const (
	// maxBytes bounds a file. API servers refuse objects of more than 1.5 MiB,
	// and the largest scenarios are a few KiB.
	maxBytes = 1 << 20
	// maxDepth bounds how deep lists and maps nest in a file. The deepest
	// built-in types nest about 20 deep, custom resources' schemas about 60.
	maxDepth = 200
)

// parseDocument turns the bytes of a file into its one YAML document. It
// returns nil and adds problems where that cannot be done.
func parseDocument(data []byte, p *problems) *yaml.Node {
	if line, why := notText(data); why != "" {
		p.add(line, "", "not YAML: %s", why)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := decodeNode(decoder, &document); err != nil {
		addSyntax(p, err)
		return nil
	}
	switch err := decodeNode(decoder, &second); {
	case err == nil:
		p.add(second.Line, "", "a second document begins: a file holds exactly one")
	case !errors.Is(err, io.EOF):
		addSyntax(p, err)
	}
	inspect(document.Content[0], 0, p)
	if len(p.list) > 0 {
		return nil
	}
	return document.Content[0]
}

// notText finds what no text editor would have written, for which the YAML
// library's errors have no line.
func notText(data []byte) (line int, why string) {
	if len(data) > maxBytes {
		return 0, "larger than 1 MiB"
	}
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

// decodeNode reads the next document. The parser is third-party code fed with
// whatever a user has: a panic in it is that file's fault, not the end of the
// program.
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

// syntaxPattern is how the YAML library gives a line.
const syntaxPattern = `^(?s)yaml: (?:line (\d+): )?(.*)$`

func addSyntax(p *problems, err error) {
	if errors.Is(err, io.EOF) {
		p.add(0, "", "empty")
		return
	}
	m := regexp.MustCompile(syntaxPattern).FindStringSubmatch(err.Error())
	if m == nil {
		p.add(0, "", "not YAML: %v", err)
		return
	}
	line, _ := strconv.Atoi(m[1]) // none gives 0, the whole file
	p.add(line, "", "not YAML: %s", m[2])
}

// inspect refuses what a document may not hold anywhere.
func inspect(n *yaml.Node, depth int, p *problems) {
	switch {
	case depth > maxDepth:
		p.add(n.Line, "", "lists and maps nest more than %d deep", maxDepth)
		return
	case n.Kind == yaml.AliasNode:
		p.add(n.Line, "", "alias %s: write the value out, aliases are not supported", quote("*"+n.Value))
		return
	case n.Anchor != "":
		p.add(n.Line, "", "anchor %s: write the value out, aliases are not supported", quote("&"+n.Anchor))
	case n.Kind != yaml.ScalarNode && !isPlainCollection(n):
		p.add(n.Line, "", "tag %s: only the plain types of JSON are supported", quote(n.ShortTag()))
	}
	for _, child := range n.Content {
		inspect(child, depth+1, p)
	}
}

func isPlainCollection(n *yaml.Node) bool {
	tag := n.ShortTag()
	return tag == "!!map" || tag == "!!seq"
}
