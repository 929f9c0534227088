package clang

// KeptLinker is where the command of a link is kept.
var KeptLinker = (*Toolchain).keptLinker
