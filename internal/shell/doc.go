// Package shell cuts what calls give to shells into simple commands and words. It never runs or expands anything.
package shell
