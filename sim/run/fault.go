package run

import "github.com/skewsim/skewsim/servers/fault"

// What a scenario's file, or what a user adds to it, has wrong.

// Fault returns that the user gave it.
func (e *DefaultError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *RefusedError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *ObjectError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *OptionsError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *LineError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *KindError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// Fault returns that the user gave it.
func (e *FieldError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }
