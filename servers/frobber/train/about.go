package train

// About says in a line what a release adds, or how a twin or a variant differs, by
// its name: 1.1, 1.1+required. It is "" for a name that there is not.
func About(name string) string { return abouts[name] }

var abouts = map[string]string{
	"1.0": "height, param, replicas, parts; served as v6, and as v5, which calls the param arg",

	"1.1":          "adds a width, with a default",
	"1.1+meaning":  "the default is not what every object had before",
	"1.1+null":     "typed clients send null where it is empty",
	"1.1+refuses":  "limits the height while it is at it",
	"1.1+required": "the width must be sent",
	"1.1+rewrites": "the defaults tidy up param while they are at it",
	"1.1+value":    "0 and unset are one",

	"1.2":        "adds an angle behind the gate Frobber2D, alpha",
	"1.2+clears": "clears a stored angle where the gate is off",
	"1.2+hides":  "hides a stored angle where the gate is off",
	"1.2+tag":    "the angle takes the width's protobuf tag",

	"1.3":           "serves v7beta1, another shape, beside v6",
	"1.3+forgets":   "v7beta1 has no width",
	"1.3+labels":    "v5 selects by another field than it names",
	"1.3+preferred": "prefers v7beta1 at once",
	"1.3+stored":    "stores v7beta1 at once",
	"1.3+swaps":     "takes height and width of v7beta1 for each other",
	"1.3+unlabels":  "v5 selects by no spec.arg any more",

	"1.4":          "stores v7beta1",
	"1.4+removed":  "cannot read v6 any more",
	"1.4+unserved": "does not serve v6 any more",
	"1.4+untold":   "says in discovery that it stores v6",

	"1.5": "prefers v7beta1",

	"1.6":           "makes param plural: params beside it",
	"1.6+alone":     "takes params without param",
	"1.6+extra":     "a right way of the guide's early form: extraParams for what comes after param",
	"1.6+new-only":  "params is in v7beta1 alone",
	"1.6+omits":     "an update without params drops all but the first",
	"1.6+remembers": "remembers params in an annotation, and not what became of them",
	"1.6+replaces":  "params takes the place of param",
	"1.6+unchecked": "the first of params need not be param",
	"1.6+undoes":    "undoes a patch that clears param",

	"1.7":          "renames height and width: heightInInches, widthInInches beside them",
	"1.7+drift":    "a change of one name leaves the other behind",
	"1.7+fails":    "refuses a body whose names disagree",
	"1.7+new-wins": "the new name wins over the old",
	"1.7+zero":     "0 and unset are one",

	"1.8":        "adds restartPolicy, an enum that says that it may grow",
	"1.8+closed": "its types read no policy that they do not know",

	"1.9":         "knows OnlyOnTuesday, behind a gate that is off",
	"1.9+at-once": "allows it at once",
	"1.9+chokes":  "refuses to update what has it already",

	"1.10":        "allows OnlyOnTuesday: the gate is on",
	"1.10+chokes": "refuses to update what has it where the gate is off",
	"1.10+resets": "puts the default in its place where the gate is off",

	"1.11":          "retires the policy Sometimes: deprecated, and allowed still",
	"1.11+removed":  "refuses it",
	"1.11+replaced": "reads it as Always",

	"1.12":           "tightens what param may be, by a ratchet",
	"1.12+immutable": "param cannot be changed once it is set",
	"1.12+relaxed":   "accepts any restartPolicy",
	"1.12+tightened": "refuses updates of what was valid when it was created",
	"1.12+valid":     "accepts a height of -1, which was always refused",

	"1.13":          "adds power, a union that may grow",
	"1.13+closed":   "asks for exactly one member",
	"1.13+presumes": "panics where a power has no member that it knows",

	"1.14":         "adds solar to power",
	"1.14+both":    "members may be set together",
	"1.14+removed": "solar takes the place of manual",

	"1.15": "adds a material",

	"1.16":          "says more: several materials beside the one",
	"1.16+apart":    "the two are not kept in step",
	"1.16+new-only": "materials is in v7beta1 alone",

	"1.17":          "adds a colour, with one default in all versions",
	"1.17+another":  "another default in v6 than in v7beta1",
	"1.17+clears":   "still clears a stored angle where Frobber2D is off",
	"1.17+new-only": "the default is in v7beta1 alone",
	"1.17+unstable": "the defaults add something at each read",

	"1.18":        "Frobber2D is beta, and on",
	"1.18+clears": "clears a stored angle where the gate is off",
	"1.18+early":  "reads the gate before the flags are parsed",
	"1.18+schema": "the angle becomes a text, with a unit",

	"1.19":           "Frobber2D is stable: nobody asks the gate any more",
	"1.19+forgotten": "the gate goes, and the code asks it still",

	"1.20":             "adds a glow behind the gate FrobberGlow, alpha",
	"1.20+create":      "does not clear it on create where the gate is off",
	"1.20+early":       "reads the gate before the flags are parsed",
	"1.20+unmarked":    "publishes it as if it were stable",
	"1.20+unvalidated": "does not validate it where the gate is off",

	"1.21": "abandons the glow, and leaves a tombstone",

	"1.22":       "adds a shine, in a place of its own",
	"1.22+name":  "calls it glow again, and it is a text",
	"1.22+retag": "gives it the glow's protobuf tag",
	"1.22+wire":  "gives it the glow's protobuf tag, and another type",

	"1.23":        "gives an annotation a meaning: an alpha depth",
	"1.23+status": "lets writes of the status set it",

	"1.24":        "makes the annotation a field, depth, and keeps both in step",
	"1.24+drift":  "takes the annotation over once, and never again",
	"1.24+guard":  "limits the field, and not the annotation",
	"1.24+writes": "writes a depth of 1 into all stored objects when it starts",

	"1.25":          "adds alphaSpin, an alpha field by its prefix",
	"1.25+required": "asks every client for it",

	"1.26":        "adds the real spin; alphaSpin is ignored, and warns",
	"1.26+atonce": "drops alphaSpin at once",
	"1.26+both":   "alphaSpin counts as well",

	"1.27":        "knows alphaSpin no more: it goes with the next update",
	"1.27+silent": "still publishes it",

	"1.28":          "serves v7alpha1 where it is switched on, with a tilt; says that v5 goes",
	"1.28+stored":   "stores v7alpha1",
	"1.28+unparked": "no other version keeps the tilt",

	"1.29":         "does not serve v5 unless it is switched on",
	"1.29+removed": "cannot read v5 either",

	"1.30":         "knows v5 no more",
	"1.30+another": "knows v6 no more either",
}
