// Package yamlnodes finds lines, keys and common problems in parsed YAML, such as content
// that API servers refuse or read differently. It never reads a file and never interprets
// one.
package yamlnodes
