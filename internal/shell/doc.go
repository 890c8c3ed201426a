// Package shell cuts what calls give to shells into simple commands and words. It never runs or expands anything.
//
// It reads what bash, zsh, fish and PowerShell have in common, and also commands that are wrong or cut off. A parser of
// one of these languages refuses the others: one for bash finds no commands at all in most of PowerShell.
package shell
