package words

import "time"

// mostMillis is some 280 years: what is longer does not fit a time.Duration.
const mostMillis = 9e12

// Millis is a span of milliseconds, 0 when it is none.
func Millis(ms float64) time.Duration {
	if !(ms > 0 && ms <= mostMillis) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// Milliseconds writes a span of milliseconds, "" when it is none.
func Milliseconds(ms float64) string {
	if ms < 0 || ms > mostMillis {
		return ""
	}
	return Duration(Millis(ms))
}
