package reports

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/skewsim/skewsim/sim/term"
)

//go:embed assets/report.css
var style string

//go:embed assets/report.js
var script string

//go:embed assets/*.html
var templates embed.FS

// pages holds the parsed templates.
var pages = template.Must(template.New("report").Funcs(template.FuncMap{
	"v":        func(text any) string { return visible(fmt.Sprint(text)) },
	"sentence": sentence,
	"stepid":   stepID,
	"link":     link,
	"sign":     sign,
	"shape":    shape,
	"size":     size,
	"seconds":  seconds,
	"short":    short,
	"journey":  journey,
	"pair":     pair,
	"gates":    gates,
	"percent":  func(t tally, s term.State) string { return fmt.Sprintf("%.0f %%", 100*t.share(s)) },
}).ParseFS(templates, "assets/*.html"))

// HTML writes report.html: one file that needs no network and no server, and
// that shows everything but opened bodies without JavaScript too.
func HTML(w io.Writer, r Run) error {
	d, err := drawDocument(Sealed(r))
	if err != nil {
		return fmt.Errorf("report.html: %w", err)
	}
	d.Style = template.CSS(style + shapeStyle()) //nolint:gosec // ours
	d.Script = template.JS(script)               //nolint:gosec // ours
	d.Policy = policy(string(d.Style), string(d.Script))
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "page.html", d); err != nil {
		return fmt.Errorf("report.html: draw: %w", err)
	}
	if _, err := w.Write(page.Bytes()); err != nil {
		return fmt.Errorf("report.html: write: %w", err)
	}
	return nil
}

// policy lets the browser use this style and this script and nothing else:
// what an object holds could not load or run anything even if it got through
// the escaping.
func policy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		hashOf(style), hashOf(script))
}

// hashOf names a text in a content security policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// stepID is the anchor of a step of the plan.
func stepID(step int) string { return fmt.Sprintf("step-%d", step) }
