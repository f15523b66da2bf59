package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

//go:embed assets/*.css assets/*.js assets/*.html
var assets embed.FS

// The styles and scripts of both pages. A file's rules may override those of the files before it;
// all scripts share one scope, and the last one starts the page.
var (
	runStyle = document.Asset(assets, "first.css", "states.css", "evidence.css", "plots.css")
	runFrame = document.NewFrame(runStyle+shapeStyle(), document.Asset(assets, "pack.js", "path.js", "body.js", "diff.js", "address.js",
		"model.js", "filter.js", "matrix.js", "keys.js", "evidence.js", "field.js", "states.js", "begin.js"))
	mergedFrame = document.NewFrame(runStyle+document.Asset(assets, "merge.css"), "")
)

// pages holds the parsed templates.
var pages = document.Templates(assets, template.FuncMap{
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
})

// Write writes report.html: one file that needs no network and no server. Without
// JavaScript it shows everything but the states, their evidence and the ledgers.
func Write(w io.Writer, r view.Run) error {
	d, err := drawRun(view.Sealed(r))
	if err != nil {
		return fmt.Errorf("%s: %w", view.ReportFile, err)
	}
	return document.HTML(w, view.ReportFile, pages, "page.html", d)
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
