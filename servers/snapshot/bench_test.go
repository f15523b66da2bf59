package snapshot

import (
	"crypto/rand"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// BenchmarkOpen opens and reads 100,000 values of 2 KB. peak-MiB is the most memory that the
// process had, including the etcd that made the file, and mapped pages of the copy.
func BenchmarkOpen(b *testing.B) {
	path := os.Getenv("SNAPSHOT_BENCH") // keep the file, to measure the reading alone
	if path == "" {
		path = b.TempDir() + "/snapshot.db"
	}
	if _, err := os.Stat(path); err != nil {
		require.NoError(b, os.WriteFile(path, large(b).saved, 0o600))
	}
	b.ResetTimer()
	for b.Loop() {
		s, err := Open(b.Context(), path, b.TempDir())
		require.NoError(b, err)
		require.NoError(b, s.Select(""))
		n := 0
		require.NoError(b, s.Values(b.Context(), func(string, []byte, int64) error { n++; return nil }))
		require.Equal(b, 100_000, n)
		require.NoError(b, s.Close())
	}
	for _, name := range []string{"VmHWM", "RssAnon"} {
		b.ReportMetric(kilobytes(name)/1024, name+"-MiB")
	}
}

func large(b *testing.B) taken {
	random := make([]byte, 2048)
	_, _ = rand.Read(random)
	return take(b, func(c *clientv3.Client) {
		for i := 0; i < 100_000; i += 100 {
			var ops []clientv3.Op
			for j := range 100 {
				ops = append(ops, clientv3.OpPut(fmt.Sprintf("/registry/configmaps/namespace-%d/name-%d", i%50, i+j), string(random)))
			}
			_, err := c.Txn(b.Context()).Then(ops...).Commit()
			require.NoError(b, err)
		}
	})
}

func kilobytes(name string) (n float64) {
	status, _ := os.ReadFile("/proc/self/status")
	if found := regexp.MustCompile(name + `:\s+(\d+)`).FindSubmatch(status); found != nil {
		_, _ = fmt.Sscan(string(found[1]), &n)
	}
	return n
}
