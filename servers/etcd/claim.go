package etcd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// In a shared etcd all keys of a run begin with its prefix, and a separate key, the claim,
// marks the prefix as a run's: nothing without a claim is ever removed. While the run lives it
// keeps a lease alive, to which another key next to the claim is attached. If that key is gone,
// the claim's owner has died, and the next start removes what it left.
const (
	claims = "/skewsim-runs/"
	alive  = "/alive"
	// claimFor is how long a claim outlives its run. The run renews it three times as often,
	// and treats a store that does not answer for so long as ended.
	claimFor = time.Minute
)

// keyspace is the range that a user of the store must be able to read and write.
const keyspace = "from /skewsim- to /skewsim."

// prefixOf returns the prefix for an id.
func prefixOf(id string) prefix { return prefix("/skewsim-" + id) }

// All ids have the same length, so that none is a prefix of another.
var idPattern = regexp.MustCompile(`^[0-9a-f]{16}$`)

// claim is a run's right to a prefix.
type claim struct {
	id     string
	client *clientv3.Client // sees all keys
	lease  clientv3.LeaseID
}

// owner is the information about its owner that a claim contains, for people who look.
type owner struct {
	Prefix  string    `json:"prefix"`
	Host    string    `json:"host,omitempty"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// take claims an empty prefix. The revision is the last one before the run's own.
func take(ctx context.Context, client *clientv3.Client, id string, lasts time.Duration) (*claim, int64, error) {
	in := prefixOf(id)
	held, err := client.Get(ctx, string(in), clientv3.WithRange(string(in.end())), clientv3.WithCountOnly())
	if err != nil {
		return nil, 0, err
	}
	if held.Count > 0 {
		return nil, 0, fmt.Errorf("keys that begin with %s: there are %d already: omit the prefix, or name another one", in, held.Count)
	}
	lease, err := client.Grant(ctx, int64(lasts/time.Second))
	if err != nil {
		return nil, 0, err
	}
	host, _ := os.Hostname() // omitted if unknown
	text, err := json.Marshal(owner{Prefix: string(in), Host: host, PID: os.Getpid(), Started: time.Now().UTC()})
	if err != nil {
		return nil, 0, err
	}
	c := &claim{id: id, client: client, lease: lease.ID}
	r, err := client.Txn(ctx).If(clientv3.Compare(clientv3.CreateRevision(claims+id), "=", 0)).
		Then(clientv3.OpPut(claims+id, string(text)), clientv3.OpPut(claims+id+alive, "", clientv3.WithLease(lease.ID))).Commit()
	if err == nil && !r.Succeeded {
		err = fmt.Errorf("keys that begin with %s: another run has claimed them", in)
	}
	if err != nil {
		_, _ = client.Revoke(ctx, lease.ID) // otherwise it expires
		return nil, 0, err
	}
	return c, r.Header.Revision, nil
}

// keep renews the claim until ctx ends. It closes the channel when the claim is lost.
func (c *claim) keep(ctx context.Context) (<-chan struct{}, error) {
	answers, err := c.client.KeepAlive(ctx, c.lease)
	if err != nil {
		return nil, err
	}
	lost := make(chan struct{})
	go func() {
		defer close(lost)
		for range answers {
		}
	}()
	return lost, nil
}

// release removes the claim, and everything in the prefix unless stays is set. It ends the
// leases that were granted to the run's servers.
func (c *claim) release(ctx context.Context, stays bool, granted []int64) error {
	ops := []clientv3.Op{clientv3.OpDelete(claims + c.id), clientv3.OpDelete(claims + c.id + alive)}
	if !stays {
		ops = append(ops, removal(c.id))
	}
	if _, err := c.client.Txn(ctx).Then(ops...).Commit(); err != nil {
		return fmt.Errorf("store: what the run has stored is still there, under %s: %w; the next start on that etcd removes it", prefixOf(c.id), err)
	}
	if stays {
		granted = nil
	}
	revoke(ctx, c.client, append(granted, int64(c.lease)))
	return nil
}

func removal(id string) clientv3.Op {
	in := prefixOf(id)
	return clientv3.OpDelete(string(in), clientv3.WithRange(string(in.end())))
}

// revoke ends leases. A lease that cannot be ended expires, and holds no key.
func revoke(ctx context.Context, client *clientv3.Client, all []int64) {
	for _, id := range all {
		_, _ = client.Revoke(ctx, clientv3.LeaseID(id))
	}
}

// sweep removes what killed runs have left, and returns their prefixes. What cannot be removed
// in time stays for the next sweep.
func sweep(ctx context.Context, client *clientv3.Client) (swept []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sweptWithin)
	defer cancel()
	r, err := client.Get(ctx, claims, clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return nil, err
	}
	lives := map[string]bool{}
	var all []string
	for _, kv := range r.Kvs {
		id, isAlive := strings.CutSuffix(strings.TrimPrefix(string(kv.Key), claims), alive)
		lives[id] = lives[id] || isAlive
		if idPattern.MatchString(id) && !isAlive {
			all = append(all, id)
		}
	}
	for _, id := range slices.DeleteFunc(all, func(id string) bool { return lives[id] }) {
		removed, problem := bury(ctx, client, id)
		if err = errors.Join(err, problem); removed {
			swept = append(swept, string(prefixOf(id)))
		}
	}
	return swept, err
}

// bury removes a prefix whose owner is dead. It removes nothing if another process was faster.
// It reads no keys, however many there are, so the leases of these keys stay until they expire.
func bury(ctx context.Context, client *clientv3.Client, id string) (bool, error) {
	key := path.Clean(claims + id)
	r, err := client.Txn(ctx).If(
		clientv3.Compare(clientv3.CreateRevision(key), ">", 0), clientv3.Compare(clientv3.CreateRevision(key+alive), "=", 0),
	).Then(removal(id), clientv3.OpDelete(key)).Commit()
	if err != nil {
		return false, fmt.Errorf("remove %s: %w", prefixOf(id), err)
	}
	return r.Succeeded, nil
}
