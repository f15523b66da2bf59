package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
)

// BaseStyle is the style sheet that every page begins with.
//
//go:embed report.css
var BaseStyle string

// Elements are the functions that make elements of a page. A page's own script follows it in
// the same scope.
//
//go:embed element.js
var Elements string

// Policy returns the content security policy of a page with one style and one script, or no
// script if that is empty. The browser allows nothing else: text of an object could not load or
// run anything even if it got through the escaping.
func Policy(style, script string) string {
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

// Compress returns base64 of gzip, which no HTML parser can mistake for markup and every
// current browser can decompress from a file.
func Compress(text []byte) (template.HTML, error) {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", fmt.Errorf("compress: %w", err)
	}
	if _, err := zip.Write(text); err != nil {
		return "", fmt.Errorf("compress: %w", err)
	}
	if err := zip.Close(); err != nil {
		return "", fmt.Errorf("compress: %w", err)
	}
	return template.HTML(base64.StdEncoding.EncodeToString(packed.Bytes())), nil //nolint:gosec // base64
}
