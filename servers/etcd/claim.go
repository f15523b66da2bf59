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

// In an etcd that holds others' keys, a run's own all begin with its prefix, and a
// claim beside them says that they are a run's: without one nothing is ever removed. As
// long as the run lives it keeps a lease, which a key beside the claim hangs on. Where
// that key has gone, whoever claimed has died, and the next start removes what it left.
const (
	claims = "/skewsim-runs/"
	alive  = "/alive"
	// claimFor is how long a claim outlives its run. It is told to live three times as
	// often, and a store that answers nothing for so long has ended.
	claimFor = time.Minute
)

// keyspace is what a user of the store must be able to read and write.
const keyspace = "from /skewsim- to /skewsim."

// prefixOf is the prefix that an id stands for.
func prefixOf(id string) prefix { return prefix("/skewsim-" + id) }

// ids are as long as each other, so that none begins as another does.
var idPattern = regexp.MustCompile(`^[0-9a-f]{16}$`)

// claim is a run's right to a prefix.
type claim struct {
	id     string
	client *clientv3.Client // sees all keys
	lease  clientv3.LeaseID
}

// owner is what a claim tells of whoever made it, for people who look.
type owner struct {
	Prefix  string    `json:"prefix"`
	Host    string    `json:"host,omitempty"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

// take claims a prefix that holds nothing. The answer's revision is the last one
// before the run's own.
func take(ctx context.Context, client *clientv3.Client, id string, lasts time.Duration) (*claim, int64, error) {
	in := prefixOf(id)
	held, err := client.Get(ctx, string(in), clientv3.WithRange(string(in.end())), clientv3.WithCountOnly())
	if err != nil {
		return nil, 0, err
	}
	if held.Count > 0 {
		return nil, 0, fmt.Errorf("keys that begin with %s: there are %d already: leave them out, or name another prefix", in, held.Count)
	}
	lease, err := client.Grant(ctx, int64(lasts/time.Second))
	if err != nil {
		return nil, 0, err
	}
	host, _ := os.Hostname() // one that is not known is left out
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
		_, _ = client.Revoke(ctx, lease.ID) // else it ends by itself
		return nil, 0, err
	}
	return c, r.Header.Revision, nil
}

// keep keeps the claim until ctx ends. The channel is closed when it has been lost.
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

// release removes the claim, and with it everything in the prefix unless that is to
// stay. Leases are ended that the run's servers were granted.
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

// revoke ends leases. One that does not end now ends by itself, and holds no key.
func revoke(ctx context.Context, client *clientv3.Client, all []int64) {
	for _, id := range all {
		_, _ = client.Revoke(ctx, clientv3.LeaseID(id))
	}
}

// sweep removes what runs have left that were killed, and tells their prefixes. What
// cannot be removed in time is for the next one.
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

// bury removes a prefix whose claim has nobody alive. It removes nothing when somebody
// else was faster. Nothing is read, however much there is. So the leases that its keys hung
// on stay until they end by themselves, since nobody keeps them: they hold nothing more.
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
