// Package fill makes values of any type with every field set, so that a test of writing and reading cannot forget a
// field. It never chooses at random, and is for tests only.
package fill

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"
)

// Value sets every field.
func Value(random *rand.Rand, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if random.IntN(4) > 0 {
			v.Set(reflect.ValueOf(time.Unix(random.Int64N(1<<33)-1<<32, random.Int64N(1e9)).UTC()))
		}
		return
	}
	n := random.IntN(4)
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(bytes.Repeat([]byte{byte(random.Uint32())}, n*n*n*n)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(random.Uint64()) >> random.IntN(64))
	case reflect.Uint8:
		v.SetUint(uint64(n))
	case reflect.Bool:
		v.SetBool(n > 1)
	case reflect.Struct:
		for i := range v.NumField() {
			Value(random, v.Field(i))
		}
	case reflect.Slice:
		for range n {
			one := reflect.New(v.Type().Elem()).Elem()
			Value(random, one)
			v.Set(reflect.Append(v, one))
		}
	case reflect.Map:
		if n > 0 || v.Type().Elem().Kind() == reflect.Int { // counts may be added to others
			v.Set(reflect.MakeMap(v.Type()))
		}
		for i := range n {
			one := reflect.New(v.Type().Elem()).Elem()
			Value(random, one)
			v.SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), one)
		}
	default:
		panic(v.Type().String() + " is of a kind that no test fills")
	}
}
