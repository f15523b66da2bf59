package history_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
)

func BenchmarkLoad(b *testing.B) {
	dir := os.Getenv("HISTORY_DIR")
	for b.Loop() {
		if _, err := history.Load(dir); err != nil {
			b.Fatal(err)
		}
	}
}
func BenchmarkBodies(b *testing.B) {
	h, _ := history.Load(os.Getenv("HISTORY_DIR"))
	all := slices.Collect(h.Digests())
	for b.Loop() {
		for _, d := range all {
			h.Body(d)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(all)), "us/body")
}
func BenchmarkWrite(b *testing.B) {
	raw, _ := os.ReadFile(os.Getenv("HISTORY_DIR") + "/history.jsonl")
	var rs []history.Record
	s := bufio.NewReader(bytes.NewReader(raw))
	for {
		l, err := s.ReadBytes('\n')
		if err != nil {
			break
		}
		var r history.Record
		json.Unmarshal(l, &r)
		if r.Header == nil {
			rs = append(rs, r)
		}
	}
	raw = nil
	for b.Loop() {
		w, _ := history.Create(b.TempDir(), header())
		for _, r := range rs {
			var err error
			if r.Blob != nil && r.Blob.JSON != nil {
				_, err = w.Body(r.Blob.JSON)
			} else if r.Blob != nil {
				_, err = w.Bytes(r.Blob.Bytes)
			} else {
				err = w.Write(r)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		w.Close()
	}
}
