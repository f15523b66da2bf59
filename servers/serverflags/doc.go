// Package serverflags reads the flags of a user's kube-apiserver and decides which of them a
// played server gets.
//
//	flags, err := serverflags.Read("kube-apiserver.yaml")
//	options, account := flags.Take(nil)
//	refusals, err := serverflags.Refused(ctx, runtime, build, flags)
//
// One criterion decides: a flag is taken over if it changes what a server decodes, defaults,
// validates or stores. Flags that skewsim sets itself are never taken over. [Account] lists
// every flag with the reason. Values of other flags may be secrets, so Read drops them.
//
// [Refused] asks the executable of a release which of the flags, feature gates, admission
// plug-ins and API versions it refuses. The package starts no server.
package serverflags
