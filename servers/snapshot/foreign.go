package snapshot

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"google.golang.org/protobuf/encoding/protowire"
)

// headBytes is how much of a file is enough to recognize a database.
const headBytes = 64 << 10

var gzipMagic = []byte{0x1f, 0x8b}

func isFlateError(err error) bool {
	if _, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return true
	}
	_, ok := errors.AsType[flate.InternalError](err)
	return ok
}

// judge refuses a file whose head is not one of a bbolt database.
func judge(head []byte) error {
	if isDatabase(head) {
		return nil
	}
	if len(head) == 0 {
		return refuse("the file is empty: %s", again)
	}
	if isRaftSnapshot(head) {
		return refuse("it is a raft snapshot of etcd, as in member/snap/*.snap: with the API of etcd v2 it has the store, and Kubernetes needs v3: name a file of etcdctl snapshot save, or member/snap/db")
	}
	for _, f := range foreign() {
		if len(head) >= f.at+len(f.magic) && bytes.Equal(head[f.at:f.at+len(f.magic)], f.magic) {
			return refuse("it is not an etcd database but %s: %s", f.is, f.wayOut)
		}
	}
	return refuse("it is not an etcd database: name a file of etcdctl snapshot save, a copy of member/snap/db, or either with gzip or zip")
}

// isDatabase reports whether one of the two meta pages begins as bbolt's do, with a page of any
// size that bbolt uses.
func isDatabase(head []byte) bool {
	for at := range metaOffsets(int64(len(head))) {
		if from := at + pageHeader; from+4 <= int64(len(head)) && binary.NativeEndian.Uint32(head[from:]) == magic {
			return true
		}
	}
	return false
}

// isRaftSnapshot reports whether the file begins as etcd's message Snapshot: a CRC, and data
// that is longer than the head or has this CRC.
func isRaftSnapshot(head []byte) bool {
	number, kind, n := protowire.ConsumeTag(head)
	if n < 0 || number != 1 || kind != protowire.VarintType {
		return false
	}
	crc, m := protowire.ConsumeVarint(head[n:])
	if m < 0 {
		return false
	}
	rest := head[n+m:]
	number, kind, n = protowire.ConsumeTag(rest)
	if n < 0 || number != 2 || kind != protowire.BytesType {
		return false
	}
	length, m := protowire.ConsumeVarint(rest[n:])
	if m < 0 {
		return false
	}
	data := rest[n+m:]
	if length > uint64(len(data)) {
		return crc>>32 == 0 && len(head) == headBytes
	}
	return uint64(crc32.Checksum(data[:length], crc32.MakeTable(crc32.Castagnoli))) == crc
}

// format is one that users may take for a snapshot.
type format struct {
	at     int // offset of the magic bytes
	magic  []byte
	is     string
	wayOut string
}

func foreign() []format {
	const extract = "extract the snapshot from it, and name that"
	return []format{
		{0, []byte("PK\x03\x04"), "a zip archive", extract},
		{257, []byte("ustar"), "a tar archive", extract},
		{0, gzipMagic, "a gzip file in another", extract},
		{0, []byte{0x28, 0xb5, 0x2f, 0xfd}, "a zstd file", extract},
		{0, []byte{0xfd, '7', 'z', 'X', 'Z', 0}, "an xz file", extract},
		{0, []byte("BZh"), "a bzip2 file", extract},
		{0, []byte("SQLite format 3\x00"), "an SQLite database, as k3s uses without etcd", "preflight needs a cluster that stores in etcd"},
		{0, []byte("{"), "JSON", "a snapshot is what etcdctl snapshot save writes, not a list of keys or of objects"},
	}
}
