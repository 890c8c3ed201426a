// Package codec writes values one after the other and reads them in the same order. Nothing says what a value is: the
// records of many sessions take few bytes and no time to read. It never knows what the values mean, and a reader of
// damaged data gets zeros, never a panic.
package codec
