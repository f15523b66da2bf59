// Package template makes the Pod that a workload's controller would make.
//
// It turns a Deployment, a Job, a CronJob or any object with such a template into a Pod that a
// server can be asked to validate. It asks no server itself.
package template
