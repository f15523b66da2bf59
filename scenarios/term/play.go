package term

// Role is the old or the new release of the pair, or an older one.
type Role string

// The two releases of a pair.
const (
	Old Role = "old" // release n-1
	New Role = "new" // release n
	// Older is not in the pair: it is an earlier release, which has clients in the run and no
	// servers.
	Older Role = "older"
)

// Roles lists every Role.
func Roles() List[Role] {
	return List[Role]{
		{Old, "release n-1, the one that is upgraded from and rolled back to"},
		{New, "release n, the one that is upgraded to"},
	}
}

// Other returns the other release of the pair.
func (r Role) Other() Role {
	if r == New {
		return Old
	}
	return New
}

// Rollout is one leg of a journey: all replicas, one after the other, move to the other
// release; or the leg before stops half way; or the program of a release moves alone.
type Rollout string

// The legs a journey is made of.
const (
	Upgrade  Rollout = "upgrade"
	Rollback Rollout = "rollback"
	Halt     Rollout = "halt"
	// ProgramRollback and Forgotten move the program that runs beside the servers, and leave the
	// definitions as they are.
	ProgramRollback Rollout = "program-rollback"
	Forgotten       Rollout = "forgotten"
)

// Rollouts lists every Rollout.
func Rollouts() List[Rollout] {
	return List[Rollout]{
		{Upgrade, "every replica moves from the old release to the new one; where releases have programs, the definitions first, then the old program stops, then the new one starts"},
		{Rollback, "every replica moves from the new release back to the old one; where releases have programs, the program first"},
		{Halt, "the roll-out before it stops short of its last replica: the journey ends with both releases serving"},
		{ProgramRollback, "where releases have programs: the old program runs again, and the definitions of the new release stay, as after most rollbacks of an operator"},
		{Forgotten, "where releases have programs: the new program runs, and the definitions of the old release stay, as where an installer never upgrades them"},
	}
}

// CopyRole is what a copy is for, and so which promise it can judge.
type CopyRole string

// The roles a copy can have.
const (
	Treated   CopyRole = "treated"
	Bystander CopyRole = "bystander"
	Control   CopyRole = "control"
	Untouched CopyRole = "untouched"
)

// CopyRoles lists every CopyRole.
func CopyRoles() List[CopyRole] {
	return List[CopyRole]{
		{Treated, "uses the change under test"},
		{Bystander, "does not use the change: judges that it stays out of the way (rule-6)"},
		{Control, "only ever met by old clients and old servers, and by any client while there are no others: what calls came to before the change (rule-1, rule-2)"},
		{Untouched, "created, then left alone: judges storage and resurrection"},
	}
}
