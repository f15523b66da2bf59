package cluster

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
)

// format is the first field of the header, by which a reader recognizes the file.
const format = "skewsim.dev/objects/v1"

// header is the first line of a file.
type header struct {
	Format string `json:"format"`
	Coverage
}

// Save reads a source, writes its objects to a file and calls each with them, unless each is
// nil. It returns the coverage of the source. If it fails, there is no new file, and an
// existing file of that name stays.
func Save(ctx context.Context, name string, source Source, each func(Object) error) (_ Coverage, err error) {
	lines, err := os.CreateTemp(filepath.Dir(name), servers.HalfWritten) // with mode 0600
	if err != nil {
		return Coverage{}, fmt.Errorf("save objects: %w", err)
	}
	defer func() { err = errors.Join(err, lines.Close(), os.Remove(lines.Name())) }()
	coverage, err := writeObjects(ctx, lines, source, each)
	if err != nil {
		return coverage, err
	}
	if _, err := lines.Seek(0, io.SeekStart); err != nil {
		return coverage, fmt.Errorf("save objects: %w", err)
	}
	// The header is known last and comes first. Members of a gzip file follow one another, so
	// the objects need not be compressed again.
	err = servers.WriteWhole(name, func(w io.Writer) error {
		if err := writeHeader(w, coverage); err != nil {
			return err
		}
		_, err := io.Copy(w, lines)
		return err
	})
	if err != nil {
		return coverage, fmt.Errorf("save objects: %w", err)
	}
	return coverage, nil
}

func writeHeader(w io.Writer, c Coverage) error {
	packed := gzip.NewWriter(w)
	return errors.Join(json.NewEncoder(packed).Encode(header{format, c}), packed.Close())
}

func writeObjects(ctx context.Context, w io.Writer, source Source, each func(Object) error) (Coverage, error) {
	packed := gzip.NewWriter(w)
	var line bytes.Buffer
	coverage, err := source.Each(ctx, func(o Object) error {
		line.Reset()
		if err := json.Compact(&line, o.Body); err != nil {
			return fmt.Errorf("save %s: %w", o, err)
		}
		line.WriteByte('\n')
		if _, err := packed.Write(line.Bytes()); err != nil {
			return fmt.Errorf("save %s: %w", o, err)
		}
		if each == nil {
			return nil
		}
		return each(o)
	})
	return coverage, errors.Join(err, packed.Close())
}
