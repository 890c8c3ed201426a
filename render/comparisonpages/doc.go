// Package comparisonpages draws runs side by side, and tables of many runs. It never compares runs: package compare
// does.
package comparisonpages
