package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// number is a coordinate in an SVG attribute.
var number = regexp.MustCompile(`-?\d+(\.\d+)?(e-?\d+)?`)

// inlineSVG turns a drawing into one that may be in the page: only known elements and
// attributes, no ids, fonts or style attributes (the page's policy forbids the last),
// classes instead of colours, and rounded coordinates so that different machines draw the
// same bytes.
func inlineSVG(drawn []byte, title string) (template.HTML, error) {
	in := xml.NewDecoder(bytes.NewReader(drawn))
	var out strings.Builder
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return template.HTML(out.String()), nil //nolint:gosec // built from known elements only
		}
		if err != nil {
			return "", fmt.Errorf("plot: read the drawing: %w", err)
		}
		inlineToken(&out, token, title)
	}
}

// inlineToken writes one token of the drawing, or nothing.
func inlineToken(out *strings.Builder, token xml.Token, title string) {
	switch t := token.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "svg":
			fmt.Fprintf(out, `<svg role="img" aria-label="%s" viewBox="%s">`, escaped(title), rounded(attribute(t, "viewBox")))
		case "g", "path", "text":
			fmt.Fprintf(out, "<%s%s>", t.Name.Local, inlineAttributes(t))
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "svg", "g", "path", "text":
			fmt.Fprintf(out, "</%s>", t.Name.Local)
		}
	case xml.CharData:
		if text := strings.TrimSpace(string(t)); text != "" {
			out.WriteString(escaped(text))
		}
	}
}

// inlineAttributes writes the geometry of an element, and its style as classes.
func inlineAttributes(t xml.StartElement) string {
	var out strings.Builder
	for _, name := range []string{"d", "x", "y", "transform"} {
		if value := attribute(t, name); value != "" {
			fmt.Fprintf(&out, ` %s="%s"`, name, escaped(rounded(value)))
		}
	}
	if class := looks(t.Name.Local, attribute(t, "style")); class != "" {
		fmt.Fprintf(&out, ` class="%s"`, class)
	}
	return out.String()
}

// looks turns the drawing's style into a class of the page's.
func looks(element, style string) string {
	for i, class := range inks() {
		if strings.Contains(style, ":"+inkCode(i)) {
			return class
		}
	}
	if element == "path" && strings.Contains(style, "stroke") {
		return "axis"
	}
	return ""
}

// inks lists the classes of a plot's colours.
func inks() []string {
	classes := []string{"on-bar", "plot-beside", "plot-number", "plot-band", "plot-shared", "plot-alone"}
	for _, e := range term.RunOutcomes() {
		classes = append(classes, "bar "+string(e.Word))
	}
	return classes
}

// ink returns the placeholder colour of a class until the SVG is inlined. A class that is
// not one of inks is drawn in black, as axes are.
func ink(class string) color.RGBA {
	i := slices.Index(inks(), class)
	if i < 0 {
		return color.RGBA{A: 0xff}
	}
	return color.RGBA{R: inkRed, G: inkGreen, B: uint8(i), A: 0xff}
}

// The common part of placeholder colours; their blue value distinguishes them.
const (
	inkRed   = 0x10
	inkGreen = 0x20
)

// inkCode writes the colour of class i as the drawing does.
func inkCode(i int) string { return fmt.Sprintf("#%02X%02X%02X", inkRed, inkGreen, i) }

// attribute returns an attribute by name.
func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// rounded rounds every coordinate in the text to a tenth of a point.
func rounded(text string) string {
	return number.ReplaceAllStringFunc(text, func(n string) string {
		f, err := strconv.ParseFloat(n, 64)
		if err != nil {
			return "0"
		}
		return strconv.FormatFloat(math.Round(f*10)/10+0, 'f', -1, 64)
	})
}

// escaped escapes text for an attribute or between tags.
func escaped(text string) string { return template.HTMLEscapeString(text) }
