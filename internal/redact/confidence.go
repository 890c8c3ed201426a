package redact

// Confidence is how certain it is that a replaced text was a secret.
type Confidence int

const (
	Personal Confidence = iota // personal data, such as a home folder, a name or an address
	Likely                     // after a name that suggests a secret, and of a plausible form
	High                       // the form of keys of some service, or a private key
)

func (c Confidence) String() string {
	switch c {
	case High:
		return "high"
	case Likely:
		return "likely"
	}
	return "personal"
}

// IsPersonal reports whether the rule with an id replaces personal data, which is not a secret.
func IsPersonal(id string) bool {
	for _, r := range []*rule{accountRule, emailRule, hostRule, userRule, homeRule, signatureRule} {
		if r.id == id {
			return true
		}
	}
	return false
}
