package train

// About returns one line on what a release adds, or how a mutant or a variant differs, by its
// name: 1.1, 1.1+required. It returns "" for an unknown name.
func About(name string) string { return abouts[name] }

var abouts = map[string]string{
	"1.0": "height, param, replicas, parts; served as v6, and as v5, which names param arg",

	"1.1":          "adds a width, with a default",
	"1.1+meaning":  "the default is not what every object had before",
	"1.1+null":     "typed clients send null where it is empty",
	"1.1+refuses":  "also limits the height",
	"1.1+required": "the width must be sent",
	"1.1+rewrites": "the defaults also change param",
	"1.1+value":    "does not distinguish 0 from unset",

	"1.2":        "adds an angle behind the gate Frobber2D, alpha",
	"1.2+clears": "clears a stored angle where the gate is off",
	"1.2+hides":  "hides a stored angle where the gate is off",
	"1.2+tag":    "the angle takes the width's protobuf tag",

	"1.3":           "serves v7beta1, another form, in addition to v6",
	"1.3+forgets":   "v7beta1 has no width",
	"1.3+labels":    "v5 maps spec.arg in selectors to another field",
	"1.3+preferred": "prefers v7beta1 at once",
	"1.3+stored":    "stores v7beta1 at once",
	"1.3+swaps":     "takes height and width of v7beta1 for each other",
	"1.3+unlabels":  "v5 no longer supports spec.arg in selectors",

	"1.4":          "stores v7beta1",
	"1.4+removed":  "can no longer read v6",
	"1.4+unserved": "no longer serves v6",
	"1.4+untold":   "discovery shows v6 as the storage version",

	"1.5": "prefers v7beta1",

	"1.6":           "makes param plural: adds params",
	"1.6+alone":     "accepts params without param",
	"1.6+extra":     "a correct variant, from the guide's early form: extraParams has the others",
	"1.6+new-only":  "params is only in v7beta1",
	"1.6+omits":     "an update without params drops all but the first",
	"1.6+remembers": "keeps params in an annotation, and does not update it",
	"1.6+replaces":  "params replaces param",
	"1.6+unchecked": "the first of params need not be param",
	"1.6+undoes":    "undoes a patch that clears param",

	"1.7":          "renames height and width: adds heightInInches and widthInInches",
	"1.7+drift":    "a change of one name does not change the other",
	"1.7+fails":    "refuses a body whose names disagree",
	"1.7+new-wins": "the new name wins over the old",
	"1.7+zero":     "does not distinguish 0 from unset",

	"1.8":        "adds restartPolicy, an enum that is documented as open",
	"1.8+closed": "its types cannot decode unknown policies",

	"1.9":         "adds OnlyOnTuesday, behind a gate that is off",
	"1.9+at-once": "allows it at once",
	"1.9+chokes":  "refuses updates of objects that have it",

	"1.10":        "allows OnlyOnTuesday: the gate is on",
	"1.10+chokes": "refuses updates of objects that have it while the gate is off",
	"1.10+resets": "replaces it by the default while the gate is off",

	"1.11":          "deprecates the policy Sometimes, and still allows it",
	"1.11+removed":  "refuses it",
	"1.11+replaced": "reads it as Always",

	"1.12":           "tightens the validation of param, with ratcheting",
	"1.12+immutable": "param cannot be changed once it is set",
	"1.12+relaxed":   "accepts any restartPolicy",
	"1.12+tightened": "refuses updates of objects that were valid when they were created",
	"1.12+valid":     "accepts a height of -1, which was always refused",

	"1.13":          "adds power, an extensible union",
	"1.13+closed":   "requires exactly one member",
	"1.13+presumes": "panics if a power has no known member",

	"1.14":         "adds solar to power",
	"1.14+both":    "members may be set together",
	"1.14+removed": "solar replaces manual",

	"1.15": "adds a material",

	"1.16":          "adds materials, a more expressive form of material",
	"1.16+apart":    "the two are not kept consistent",
	"1.16+new-only": "materials is only in v7beta1",

	"1.17":          "adds a colour, with one default in all versions",
	"1.17+another":  "different defaults in v6 and v7beta1",
	"1.17+clears":   "still clears a stored angle where Frobber2D is off",
	"1.17+new-only": "the default is only in v7beta1",
	"1.17+unstable": "the defaults add something at each read",

	"1.18":        "Frobber2D is beta, and on",
	"1.18+clears": "clears a stored angle where the gate is off",
	"1.18+early":  "reads the gate before the flags are parsed",
	"1.18+schema": "the angle becomes a string, with a unit",

	"1.19":           "Frobber2D is stable: the gate is no longer checked",
	"1.19+forgotten": "the gate is removed, but the code still checks it",

	"1.20":             "adds a glow behind the gate FrobberGlow, alpha",
	"1.20+create":      "does not clear it on create where the gate is off",
	"1.20+early":       "reads the gate before the flags are parsed",
	"1.20+unmarked":    "publishes it as if it were stable",
	"1.20+unvalidated": "does not validate it where the gate is off",

	"1.21": "removes the glow, and leaves a tombstone",

	"1.22":       "adds a shine, with a new tag",
	"1.22+name":  "reuses the name glow, for a string",
	"1.22+retag": "gives it the glow's protobuf tag",
	"1.22+wire":  "gives it the glow's protobuf tag, and another type",

	"1.23":        "gives an annotation a meaning: an alpha depth",
	"1.23+status": "lets writes of the status set it",

	"1.24":        "makes the annotation a field, depth, and keeps both consistent",
	"1.24+drift":  "copies the annotation only once",
	"1.24+guard":  "validates the field, but not the annotation",
	"1.24+writes": "writes a depth of 1 into all stored objects when it starts",

	"1.25":          "adds alphaSpin, an alpha field by its prefix",
	"1.25+required": "requires it from every client",

	"1.26":        "adds the final spin; alphaSpin is ignored, with a warning",
	"1.26+atonce": "drops alphaSpin at once",
	"1.26+both":   "alphaSpin is still used",

	"1.27":        "removes alphaSpin: the next update drops it",
	"1.27+silent": "still publishes it",

	"1.28":          "serves v7alpha1, with a tilt, if it is enabled; deprecates v5",
	"1.28+stored":   "stores v7alpha1",
	"1.28+unparked": "no other version keeps the tilt",

	"1.29":         "serves v5 only if it is enabled",
	"1.29+removed": "cannot read v5 either",

	"1.30":         "removes v5",
	"1.30+another": "also removes v6",
}
