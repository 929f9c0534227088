package execute

// Confined is the kernel's word on a process: whether it is held by what every machine has.
func Confined(pid int) (bool, error) {
	e, err := look(pid)
	return e.confined(), err
}
