package words

import "time"

// maxMillis is about 280 years. Longer times do not fit a time.Duration.
const maxMillis = 9e12

// Millis returns a number of milliseconds as a duration, or 0 if it is invalid.
func Millis(ms float64) time.Duration {
	if !(ms > 0 && ms <= maxMillis) {
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// Milliseconds formats a number of milliseconds, "" if it is invalid.
func Milliseconds(ms float64) string {
	if ms < 0 || ms > maxMillis {
		return ""
	}
	return Duration(Millis(ms))
}
