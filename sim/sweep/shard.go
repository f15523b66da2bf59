package sweep

import "hash/fnv"

// InShard reports whether the shard index/of, counted from 1, has a row. Of 0 means that there
// is one shard. It depends on the row's ID alone, so that a new difference moves no other to
// another shard.
func InShard(id string, index, of int) bool {
	if of == 0 {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()%uint32(of)) == index-1
}
