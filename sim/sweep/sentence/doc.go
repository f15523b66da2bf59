// Package sentence turns counts of a sweep's rows at default settings into the answer, one sentence for
// readers. It decides no verdict.
package sentence
