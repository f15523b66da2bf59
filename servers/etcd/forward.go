package etcd

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"slices"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// errNotForwarded refuses requests that affect more than the run's own keys: compaction,
// defragmentation, changes of members, users and alarms, and unknown calls.
var errNotForwarded = status.Error(codes.PermissionDenied,
	"skewsim: the store is shared with others: a gate lets through only what is about the run's own keys and leases")

// forwarder serves gates by forwarding requests to an existing etcd, for the keys below one
// prefix and the leases that were granted through it.
type forwarder struct {
	pb.UnimplementedKVServer
	pb.UnimplementedWatchServer
	pb.UnimplementedLeaseServer
	pb.UnimplementedMaintenanceServer

	in          prefix
	leases      *leases
	kv          pb.KVClient
	watch       pb.WatchClient
	lease       pb.LeaseClient
	maintenance pb.MaintenanceClient
}

func newForwarder(client *clientv3.Client, in prefix) *forwarder {
	conn := client.ActiveConnection()
	return &forwarder{
		in: in, leases: &leases{},
		kv: pb.NewKVClient(conn), watch: pb.NewWatchClient(conn), lease: pb.NewLeaseClient(conn), maintenance: pb.NewMaintenanceClient(conn),
	}
}

// behind implements backend.
func (f *forwarder) behind(serving *tls.Config, call grpc.UnaryServerInterceptor, options ...grpc.ServerOption) *grpc.Server {
	options = append(options, grpc.Creds(credentials.NewTLS(serving)), grpc.ChainUnaryInterceptor(call),
		grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error { return errNotForwarded }))
	s := grpc.NewServer(options...)
	pb.RegisterKVServer(s, f)
	pb.RegisterWatchServer(s, f)
	pb.RegisterLeaseServer(s, f)
	pb.RegisterMaintenanceServer(s, f)
	return s
}

// whole allows answers of any length that etcd sends.
func whole() grpc.CallOption { return grpc.MaxCallRecvMsgSize(math.MaxInt32) }

// onward returns the context of a forwarded call: it has the caller's metadata for etcd,
// without its identity.
func onward(ctx context.Context) context.Context {
	given, _ := metadata.FromIncomingContext(ctx)
	onward := metadata.MD{}
	if leader := given.Get(rpctypes.MetadataRequireLeaderKey); len(leader) > 0 {
		onward.Set(rpctypes.MetadataRequireLeaderKey, leader...)
	}
	return metadata.NewOutgoingContext(ctx, onward)
}

// Range forwards a read.
func (f *forwarder) Range(ctx context.Context, r *pb.RangeRequest) (*pb.RangeResponse, error) {
	if err := f.in.in(&r.Key, &r.RangeEnd); err != nil {
		return nil, err
	}
	a, err := f.kv.Range(onward(ctx), r, whole())
	f.in.out(a.GetKvs()...)
	return a, err
}

// RangeStream forwards a read that is answered in parts. An etcd before 3.7 answers that it
// does not know the call.
func (f *forwarder) RangeStream(r *pb.RangeRequest, to grpc.ServerStreamingServer[pb.RangeStreamResponse]) error {
	if err := f.in.in(&r.Key, &r.RangeEnd); err != nil {
		return err
	}
	from, err := f.kv.RangeStream(onward(to.Context()), r, whole())
	if err != nil {
		return err
	}
	return pass(from.Recv, func(a *pb.RangeStreamResponse) error {
		f.in.out(a.GetRangeResponse().GetKvs()...)
		return to.Send(a)
	})
}

// pass forwards messages until the stream ends.
func pass[T any](from func() (T, error), to func(T) error) error {
	for {
		next, err := from()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := to(next); err != nil {
			return err
		}
	}
}

// Put forwards a write.
func (f *forwarder) Put(ctx context.Context, r *pb.PutRequest) (*pb.PutResponse, error) {
	if err := f.leases.check(r.Lease); err != nil {
		return nil, err
	}
	if err := f.in.in(&r.Key, nil); err != nil {
		return nil, err
	}
	a, err := f.kv.Put(onward(ctx), r)
	f.in.out(a.GetPrevKv())
	return a, err
}

// DeleteRange forwards a deletion.
func (f *forwarder) DeleteRange(ctx context.Context, r *pb.DeleteRangeRequest) (*pb.DeleteRangeResponse, error) {
	if err := f.in.in(&r.Key, &r.RangeEnd); err != nil {
		return nil, err
	}
	a, err := f.kv.DeleteRange(onward(ctx), r, whole())
	f.in.out(a.GetPrevKvs()...)
	return a, err
}

// Txn forwards a transaction on the run's own keys.
func (f *forwarder) Txn(ctx context.Context, r *pb.TxnRequest) (*pb.TxnResponse, error) {
	if err := f.in.transaction(r, f.leases); err != nil {
		return nil, err
	}
	a, err := f.kv.Txn(onward(ctx), r, whole())
	f.in.answer(a)
	return a, err
}

// Compact is refused: it would remove the history of all keys.
func (f *forwarder) Compact(context.Context, *pb.CompactionRequest) (*pb.CompactionResponse, error) {
	return nil, errNotForwarded
}

// Watch forwards requests one way, and events the other way.
func (f *forwarder) Watch(caller grpc.BidiStreamingServer[pb.WatchRequest, pb.WatchResponse]) error {
	ctx, cancel := context.WithCancel(onward(caller.Context()))
	defer cancel()
	store, err := f.watch.Watch(ctx, whole())
	if err != nil {
		return err
	}
	go func() {
		if err := pass(caller.Recv, func(r *pb.WatchRequest) error { return store.Send(f.asked(r)) }); err != nil {
			cancel() // the caller is gone
		}
		_ = store.CloseSend() // etcd then ends the stream, which ends the other half
	}()
	return pass(store.Recv, func(a *pb.WatchResponse) error {
		f.in.told(a)
		return caller.Send(a)
	})
}

// asked returns the watch request for the run's own keys. An empty key means the first key.
func (f *forwarder) asked(r *pb.WatchRequest) *pb.WatchRequest {
	if create := r.GetCreateRequest(); create != nil {
		if len(create.Key) == 0 {
			create.Key = []byte{0}
		}
		_ = f.in.in(&create.Key, &create.RangeEnd) // which refuses no key alone
	}
	return r
}

// LeaseGrant forwards the request, and records the lease as one of the run's.
func (f *forwarder) LeaseGrant(ctx context.Context, r *pb.LeaseGrantRequest) (*pb.LeaseGrantResponse, error) {
	a, err := f.lease.LeaseGrant(onward(ctx), r)
	if err == nil {
		f.leases.add(a.ID)
	}
	return a, err
}

// LeaseRevoke forwards the end of one of the run's leases.
func (f *forwarder) LeaseRevoke(ctx context.Context, r *pb.LeaseRevokeRequest) (*pb.LeaseRevokeResponse, error) {
	if err := f.leases.check(r.ID); err != nil {
		return nil, err
	}
	return f.lease.LeaseRevoke(onward(ctx), r)
}

// Status returns etcd's own status.
func (f *forwarder) Status(ctx context.Context, r *pb.StatusRequest) (*pb.StatusResponse, error) {
	return f.maintenance.Status(onward(ctx), r)
}

// leases are the leases that were granted to the run's servers.
type leases struct {
	mu  sync.Mutex
	all []int64
}

func (l *leases) add(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, id)
}

// check refuses leases of others. 0 means no lease.
func (l *leases) check(id int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id != 0 && !slices.Contains(l.all, id) {
		return rpctypes.ErrGRPCLeaseNotFound
	}
	return nil
}

// taken returns the leases so far.
func (l *leases) taken() []int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}
