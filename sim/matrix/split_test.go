package matrix

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// many makes cells of random journeys and costs.
func many(r *rand.Rand, n int) (cells []Weighed) {
	for i := range n {
		c := Weighed{ID: fmt.Sprintf("cell %03d", i), Cost: 1 + 20*r.Float64()}
		if j := r.IntN(n); j < n/2 {
			c.Journey = fmt.Sprint("journey ", j/4)
		}
		cells = append(cells, c)
	}
	return cells
}

// TestSplit: every cell is in one shard, the same whatever the order of the cells; and
// no shard has more than its share by more than the most expensive part.
func TestSplit(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		cells, n := many(r, 1+r.IntN(120)), 1+r.IntN(9)
		in := Split(cells, n)
		require.Len(t, in, len(cells))
		loads, total := make([]float64, n), 0.0
		for _, c := range cells {
			require.GreaterOrEqual(t, in[c.ID], 1)
			require.LessOrEqual(t, in[c.ID], n)
			loads[in[c.ID]-1] += c.Cost
			total += c.Cost
		}
		fair := total / float64(n)
		largest := 0.0
		for _, j := range journeys(cells) {
			for _, part := range deal(j, partsOf(j, fair, n)) {
				largest = max(largest, sum(part))
			}
		}
		for _, load := range loads {
			assert.LessOrEqual(t, load, fair+largest+1e-6, "seed %d", seed)
		}
		for range 3 {
			r.Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
			require.Equal(t, in, Split(cells, n), "seed %d", seed)
		}
	}
}

// TestSplitJourneys: cells of one journey stay together, unless that is more than a fair
// share: then it is cut, and no further than need be.
func TestSplitJourneys(t *testing.T) {
	cells := []Weighed{{"a", "small", 2}, {"b", "small", 2}, {"c", "", 4}, {"d", "", 4}}
	in := Split(cells, 3)
	assert.Equal(t, in["a"], in["b"])
	assert.NotEqual(t, in["a"], in["c"])
	assert.NotEqual(t, in["c"], in["d"])
	big := []Weighed{{"a", "big", 3}, {"b", "big", 3}, {"c", "big", 3}, {"d", "", 1}}
	in = Split(big, 2)
	count := map[int]int{}
	for _, id := range []string{"a", "b", "c"} {
		count[in[id]]++
	}
	assert.Len(t, count, 2, "%v", in)
	in = Split(big, 1)
	assert.Equal(t, map[string]int{"a": 1, "b": 1, "c": 1, "d": 1}, in)
}

// TestParseShard: each way to write one, and each mistake.
func TestParseShard(t *testing.T) {
	for _, c := range []struct{ text, index, want, wrong string }{
		{"1/3", "", "1/3", ""},
		{"3/3", "7", "3/3", ""},
		{"job/3", "0", "1/3", ""},
		{"job/3", "2", "3/3", ""},
		{"job/3", "", "", "JOB_COMPLETION_INDEX is not set"},
		{"job/3", "3", "", `JOB_COMPLETION_INDEX is "3", and not between 0 and 2`},
		{"job/3", "-1", "", "and not between 0 and 2"},
		{"job/3", "one", "", `JOB_COMPLETION_INDEX is "one"`},
		{"0/3", "", "", "shards are numbered from 1 to 3"},
		{"4/3", "", "", "shards are numbered from 1 to 3"},
		{"1/0", "", "", "there are no 0 shards"},
		{"10000/10000", "", "10000/10000", ""},
		{"1/10001", "", "", "10001 shards are more than the 10000"},
		{"job/2000000000", "0", "", "ask for fewer"},
		{"1", "", "", "want INDEX/N"},
		{"a/3", "", "", "want INDEX/N"},
		{"1/b", "", "", "want INDEX/N"},
		{"1/3/5", "", "", "want INDEX/N"},
		{"", "", "", "want INDEX/N"},
	} {
		s, err := ParseShard(c.text, c.index)
		if c.wrong != "" {
			assert.ErrorContains(t, err, c.wrong, c.text)
			continue
		}
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, s.String())
	}
}
