package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

//go:embed assets/*.css assets/*.js assets/*.html
var assets embed.FS

// style and script are the page's, whole. A file's rules may override those of the files
// before it; all scripts share one scope, and the last one starts the page.
var (
	style  = BaseStyle + joined("first.css", "states.css", "evidence.css", "plots.css")
	script = "'use strict';\n(() => {\n" + Elements + joined("pack.js", "path.js", "body.js", "diff.js", "address.js",
		"model.js", "filter.js", "matrix.js", "keys.js", "evidence.js", "field.js", "states.js", "begin.js") + "})();\n"
)

// joined returns several assets as one text, in this order.
func joined(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is compiled in, or its name is wrong
		}
		b.Write(text)
	}
	return b.String()
}

// pages holds the parsed templates.
var pages = template.Must(template.New("report").Funcs(template.FuncMap{
	"v":          func(text any) string { return view.Visible(fmt.Sprint(text)) },
	"sentence":   sentence,
	"asSentence": view.AsSentence,
	"prose":      prose,
	"add":        func(a, b int) int { return a + b },
	"sub":        func(a, b int) int { return a - b },
	"about":      aboutOf,
	"sign":       view.Sign,
	"wrong":      func(res result.Result) string { return view.Capitalized(view.WrongOnPurpose(res)) },
	"because":    view.Because,
	"guarantee":  view.Guarantee,
	"shape":      view.Shape,
	"size":       view.Size,
	"seconds":    view.Seconds,
	"short":      view.ShortDigest,
	"journey":    view.Journey,
	"pair":       result.Result.Pair,
	"gates":      gates,
	"apart":      apart,
	"reportLink": view.ReportLink,
}).ParseFS(assets, "assets/*.html"))

// Write writes report.html: one file that needs no network and no server. Without
// JavaScript it shows everything but the states, their evidence and the ledgers.
func Write(w io.Writer, r view.Run) error {
	d, err := drawDocument(view.Sealed(r))
	if err != nil {
		return fmt.Errorf("report.html: %w", err)
	}
	d.Style = template.CSS(style + shapeStyle()) //nolint:gosec // ours
	d.Script = template.JS(script)               //nolint:gosec // ours
	d.Policy = Policy(string(d.Style), string(d.Script))
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, "page.html", d); err != nil {
		return fmt.Errorf("report.html: draw: %w", err)
	}
	if _, err := w.Write(page.Bytes()); err != nil {
		return fmt.Errorf("report.html: write: %w", err)
	}
	return nil
}

// shapeStyle gives each state's class its shape. The empty text after the
// slash keeps screen readers from reading a sign before a word that says the
// same.
func shapeStyle() string {
	var b strings.Builder
	for _, e := range term.RunOutcomes() {
		fmt.Fprintf(&b, ".%s::before{content:\"%s\\00a0\";content:\"%s\\00a0\" / \"\"}\n", e.Word, view.Shape(e.Word), view.Shape(e.Word))
	}
	return b.String()
}
