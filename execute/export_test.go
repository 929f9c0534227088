package execute

// Weak returns the options for runs without filter and namespaces, the sandbox
// of machines that refuse both.
func Weak(o Options) Options {
	o.weak = true
	return o
}

// ShareAll returns the options for runs that share how they begin with the original
// where that does not pay, too.
func ShareAll(o Options) Options {
	o.shareAll = true
	return o
}

// ReadReply is the decoder of what a server says.
var ReadReply = readReply

// StopAfterTimeouts takes verdicts back.
var StopAfterTimeouts = stopAfterTimeouts

// WithoutNamespaces returns the options for runs on a machine that refuses namespaces.
func WithoutNamespaces(o Options) Options {
	o.noNamespaces = true
	return o
}

// HasVolumes says whether runs that write have a file system of their own here.
func HasVolumes() bool {
	volume, err := newVolume(size{1 << 20, 64})
	if err == nil {
		volume.Close()
	}
	return err == nil
}
