// Package skewtest turns a scenario that is written in Go, or a scenario file, into a test of
// package testing: it runs the scenario on real API servers of two releases that share one
// etcd, and reports each unexpected finding as an error of the test.
//
//	func TestMyField(t *testing.T) {
//		env := skewtest.Start(t, skewtest.Old("kube-apiserver@v1.36.3"), skewtest.New("source:../.."))
//		s := skewtest.Scenario("my-field").NewGate("MyField", true)
//		s.Object("pod", skewtest.Treated(withField), skewtest.Bystander(plainPod))
//		s.Create("pod", skewtest.NewTyped, skewtest.ViaNew)
//		s.Touch("pod").Clients(skewtest.OldTyped, skewtest.Dynamic).Verbs("put", "apply").AtEveryStage()
//		s.Expect(skewtest.Impact("nothing-lost", "unknown-field").At(".spec.myField"))
//		env.Run(t, s)
//	}
//
// It is an adapter of package engine: it makes no decision of the engine's, and has no
// scenario format of its own.
package skewtest
