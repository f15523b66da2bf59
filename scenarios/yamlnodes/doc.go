// Package yamlnodes turns parsed YAML into what all files of users need: the line of a field,
// the keys of a map, and the problems that any file can have, such as content that API servers
// refuse or read differently. It never reads a file and never interprets one.
package yamlnodes
