package etcd

// OnHeld has a gate report each call that begins to wait at it. It is set before a client
// knows of the gate.
func (g *Gate) OnHeld(report func(call string)) { g.held = report }
