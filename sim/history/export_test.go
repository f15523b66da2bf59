package history

// LoseBodies makes all bodies of the history unreadable.
func (h *History) LoseBodies() error { return h.bodies.file.Truncate(0) }
