package reports_test

import (
	"testing"
	"time"
)

func TestTmpLarge(t *testing.T) {
	start := time.Now()
	run := largeRun(1000, 60, 6)
	t.Log("fixture", time.Since(start))
	b, _ := run.Blobs(bodyName(3, 4, "new", false))
	t.Log(len(b.JSON), string(b.JSON))
	b, _ = run.Blobs(bodyName(3, 4, "etcd", false))
	t.Log(len(b.Bytes))
	start = time.Now()
	page := write(t, "report.html", run)
	t.Log("html", time.Since(start), len(page))
	n := 0
	for _, m := range dataBlock.FindAllStringSubmatch(page, -1) {
		if m[2] == "evidence" || m[2] == "pack-index" || m[2] == "pack-rows-0" || m[2] == "pack-bodies-0" {
			t.Log(m[2], len(m[3]), len(unpacked(t, m[3])))
		}
		if m[2] != "evidence" {
			n += len(m[3])
		}
	}
	t.Log("pack", n)
}
