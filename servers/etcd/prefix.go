package etcd

import (
	"bytes"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// prefix is what each key of a run begins with, in an etcd that holds others' as
// well. Servers do not know of it: it is put before every key that they name, and taken
// off every key that they are told, so that no request can be about another's. It is
// etcd's own client/v3/namespace, for requests that are forwarded as they are.
type prefix string

// end is the key after the last below the prefix.
func (p prefix) end() []byte { return []byte(clientv3.GetPrefixRangeEnd(string(p))) }

// in puts a key, or a range of keys, below the prefix. A range to the end of all keys
// ends with what begins so.
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

// out takes keys out from below the prefix.
func (p prefix) out(all ...*mvccpb.KeyValue) {
	for _, kv := range all {
		if kv != nil {
			kv.Key = bytes.TrimPrefix(kv.Key, []byte(p))
		}
	}
}

// request puts one part of a transaction below the prefix.
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

// transaction puts all of a transaction below the prefix.
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

// answer takes what a transaction came to out from below the prefix.
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

// told takes the events of a watch out from below the prefix.
func (p prefix) told(r *pb.WatchResponse) {
	for _, e := range r.Events {
		p.out(e.Kv, e.PrevKv)
	}
}
