// Package skewtest runs a scenario, written in Go or as a file, as a test of package
// testing on real API servers of two releases.
//
//	func TestMyField(t *testing.T) {
//		env := skewtest.Start(t, skewtest.Old("kube-apiserver@v1.36.3"), skewtest.New("source:../.."))
//		s := skewtest.Scenario("my-field").NewGate("MyField", true)
//		s.Object("pod", skewtest.Treated(withField), skewtest.Bystander(plainPod))
//		s.Create("pod", skewtest.NewTyped, skewtest.ViaNew)
//		s.Touch("pod").Clients(skewtest.OldTyped, skewtest.Dynamic).Verbs("put").AtEveryStage()
//		s.Touch("pod").Clients(skewtest.OldApply).Verbs("apply").AtEveryStage()
//		s.Expect(skewtest.Impact("nothing-lost", "unknown-field").At(".spec.myField"))
//		env.Run(t, s)
//	}
//
// Lists multiply. A combination that no client can send, such as an apply by OldTyped, is not
// run, and the log of the test names it with the reason.
//
// With -short nothing is built and no server is started: Run validates and plans its
// scenarios, fails the test if one is wrong, and skips it otherwise.
//
// It is an adapter of package engine: it makes no decision of the engine's, and has no
// scenario format of its own.
package skewtest
