// Package number is the figure of a report, which JSON can hold though it may be
// undefined.
package number

import (
	"encoding/json"
	"math"
)

// Float is a figure of a report. An undefined one, NaN, is null in JSON,
// and never becomes a zero.
type Float float64

// MarshalJSON writes a figure, or null for one that is not finite.
func (n Float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Float) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Float(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}
