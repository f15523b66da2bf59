package train

// Abouts are all the lines of About, for its test.
var Abouts = abouts
