package etcd

import (
	"bytes"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// prefix is the common prefix of a run's keys in a shared etcd. Servers do not see it: it is
// added to every key in a request and removed from every key in an answer, so that no request
// can touch the keys of others. It does what etcd's own client/v3/namespace does, for requests
// that are forwarded unchanged.
type prefix string

// end returns the key after the last one below the prefix.
func (p prefix) end() []byte { return []byte(clientv3.GetPrefixRangeEnd(string(p))) }

// in moves a key, or a range of keys, below the prefix. A range to the end of all keys ends
// with the prefix.
func (p prefix) in(key, end *[]byte) error {
	if len(*key) == 0 {
		return rpctypes.ErrGRPCEmptyKey
	}
	*key = append([]byte(p), *key...)
	switch {
	case end == nil || len(*end) == 0:
	case bytes.Equal(*end, []byte{0}):
		*end = p.end()
	default:
		*end = append([]byte(p), *end...)
	}
	return nil
}

// out removes the prefix from keys.
func (p prefix) out(all ...*mvccpb.KeyValue) {
	for _, kv := range all {
		if kv != nil {
			kv.Key = bytes.TrimPrefix(kv.Key, []byte(p))
		}
	}
}

// request adds the prefix to one part of a transaction.
func (p prefix) request(op *pb.RequestOp, leases *leases) error {
	switch r := op.Request.(type) {
	case *pb.RequestOp_RequestRange:
		return p.in(&r.RequestRange.Key, &r.RequestRange.RangeEnd)
	case *pb.RequestOp_RequestPut:
		if err := leases.check(r.RequestPut.Lease); err != nil {
			return err
		}
		return p.in(&r.RequestPut.Key, nil)
	case *pb.RequestOp_RequestDeleteRange:
		return p.in(&r.RequestDeleteRange.Key, &r.RequestDeleteRange.RangeEnd)
	case *pb.RequestOp_RequestTxn:
		return p.transaction(r.RequestTxn, leases)
	}
	return errNotForwarded
}

// transaction adds the prefix to all parts of a transaction.
func (p prefix) transaction(r *pb.TxnRequest, leases *leases) error {
	for _, c := range r.Compare {
		if err := p.in(&c.Key, &c.RangeEnd); err != nil {
			return err
		}
	}
	for _, ops := range [][]*pb.RequestOp{r.Success, r.Failure} {
		for _, op := range ops {
			if err := p.request(op, leases); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer removes the prefix from the answer of a transaction.
func (p prefix) answer(r *pb.TxnResponse) {
	for _, op := range r.GetResponses() {
		switch a := op.Response.(type) {
		case *pb.ResponseOp_ResponseRange:
			p.out(a.ResponseRange.Kvs...)
		case *pb.ResponseOp_ResponsePut:
			p.out(a.ResponsePut.PrevKv)
		case *pb.ResponseOp_ResponseDeleteRange:
			p.out(a.ResponseDeleteRange.PrevKvs...)
		case *pb.ResponseOp_ResponseTxn:
			p.answer(a.ResponseTxn)
		}
	}
}

// told removes the prefix from the events of a watch.
func (p prefix) told(r *pb.WatchResponse) {
	for _, e := range r.Events {
		p.out(e.Kv, e.PrevKv)
	}
}
