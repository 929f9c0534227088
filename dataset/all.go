package dataset

// Labels lists every label.
func Labels() []Label {
	return []Label{
		killable,
		faultRevealing,
		faultRevealingWeighted,
		ratio,
		subsuming,
		hardToKill,
		lateKillable,
		latent,
		revelation,
	}
}
