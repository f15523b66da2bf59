// Package cliflags registers the flags that several commands share, and validates their
// values.
//
// It turns the words of a command line into parts of a engine.Request, and back into the
// words that repeat it. It never decides what a value means, and knows no command.
package cliflags
