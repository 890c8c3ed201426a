// Package comparisonpages draws runs side by side, and tables of many runs. It never aligns them.
package comparisonpages
