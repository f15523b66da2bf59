// Package servers defines what a run can start: builds of an API server, the Runtime that
// starts them on one shared store, and the Process of a running server.
//
// It turns build references into running servers. The package itself holds interfaces and
// plain data; the packages below it do the work. Packages gobuild, module, kubeapiserver and
// frobberapiserver make builds, and builder makes the build of any reference by them;
// apiserver, process, container and etcd run them. Package typedclient stands beside the
// servers: it builds and runs the clients of a release. Package fault says whose doing an
// error is. None of them knows anything of scenarios, plans or findings.
package servers
