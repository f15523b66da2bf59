// Package skewtest runs a scenario, written in Go or as a file, as a test of package
// testing on real API servers of two releases.
//
//	func TestMyField(t *testing.T) {
//		env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
//		s := skewtest.Scenario("my-field")
//		s.Object("frobber", skewtest.Treated("objects/with.yaml"), skewtest.Bystander("objects/without.yaml"))
//		s.Create("frobber", skewtest.NewTyped, skewtest.ViaNew)
//		s.Touch("frobber").Clients(skewtest.OldTyped).Verbs("put").AtEveryStage()
//		s.Expect(
//			skewtest.Impact("nothing-lost", "unknown-field").At(".spec.width").Via(skewtest.ViaOld),
//			skewtest.Impact("nothing-lost", "client-omitted").At(".spec.width").Via(skewtest.ViaNew),
//			skewtest.Impact("nothing-lost", "defaulted").At(".spec.width"),
//			skewtest.Impact("resurrection").At(".spec.width"),
//		)
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
