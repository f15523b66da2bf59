// Package stages has the stages of a journey at which a sweep writes, by the release that an object is of.
package stages
