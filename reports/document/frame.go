package document

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

//go:embed assets/*
var assets embed.FS

// Frame is what a page has around its content: a style, a script and the policy that allows
// nothing else.
type Frame struct {
	Style  template.CSS
	Script template.JS
	Policy string // the content security policy
}

// NewFrame returns the frame of a page with its own style and script, or without a script if that
// is "".
func NewFrame(style, script string) Frame {
	style = Asset(assets, "report.css") + style
	if script != "" {
		script = "'use strict';\n(() => {\n" + Asset(assets, "element.js") + script + "})();\n"
	}
	return Frame{template.CSS(style), template.JS(script), policy(style, script)} //nolint:gosec // ours
}

// NewTableFrame returns the frame of a page with the table of rows that opens, filters and sorts.
// The page's own script is a list of assets, and the last of them starts it; a page without any has
// no script.
func NewTableFrame(files fs.FS, style string, scripts ...string) Frame {
	style = Asset(assets, "table.css") + Asset(files, style)
	if len(scripts) == 0 {
		return NewFrame(style, "")
	}
	return NewFrame(style, Asset(assets, "rows.js", "table.js", "start.js")+Asset(files, scripts...))
}

// Asset returns files of the folder assets as one text, in this order.
func Asset(files fs.FS, names ...string) string {
	var b strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(files, "assets/"+name)
		if err != nil {
			panic(err) // it is compiled in, or its name is wrong
		}
		b.Write(text)
	}
	return b.String()
}

// Templates returns the templates of pages. In each of them v makes a text inert.
func Templates(files fs.FS, functions template.FuncMap) *template.Template {
	all := template.New("").Funcs(template.FuncMap{"v": func(text any) string { return term.Visible(fmt.Sprint(text)) }})
	return template.Must(all.Funcs(functions).ParseFS(files, "assets/*.html"))
}

// HTML writes a page: one file that opens from disk, and needs no network and no server.
func HTML(w io.Writer, name string, pages *template.Template, asset string, data any) error {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, asset, data); err != nil {
		return fmt.Errorf("%s: draw: %w", name, err)
	}
	return Write(w, name, page.Bytes())
}

// Pack returns data for a page's script: see Compress.
func Pack(data any) (template.HTML, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return "", fmt.Errorf("pack: %w", err)
	}
	return Compress(text)
}

// policy returns the content security policy of a page. The browser allows nothing else: text of an
// object could not load or run anything even if it got through the escaping.
func policy(style, script string) string {
	scripts := ""
	if script != "" {
		scripts = " script-src " + hashOf(script) + ";"
	}
	return fmt.Sprintf("default-src 'none'; style-src %s;%s base-uri 'none'; form-action 'none'", hashOf(style), scripts)
}

// hashOf returns a text's name in a content security policy.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Compress returns base64 of gzip, which no HTML parser can mistake for markup and every current
// browser can decompress from a file.
func Compress(text []byte) (template.HTML, error) {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = zip.Write(text)
	}
	if err == nil {
		err = zip.Close()
	}
	if err != nil {
		return "", fmt.Errorf("compress: %w", err)
	}
	return template.HTML(base64.StdEncoding.EncodeToString(packed.Bytes())), nil //nolint:gosec // base64
}
