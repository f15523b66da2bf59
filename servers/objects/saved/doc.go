// Package saved keeps what a source yielded in a file, and reads the file as a source, so that
// the same objects can be used again without the cluster.
//
// A file is gzip-compressed JSON Lines. The first line is a header with the [objects.Coverage]
// of the source, and each further line is one object. Save writes a file whole or not at all,
// readable for its owner alone, because objects can hold confidential values. A file that was
// cut off is an error, because the header contains the number of objects.
//
//	coverage, err := saved.Save(ctx, "prod.jsonl.gz", cluster, nil)
//	source, err := saved.Open("prod.jsonl.gz")
package saved
