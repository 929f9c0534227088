package evaluate

import (
	"encoding/json"
	"math"
	"strconv"
)

// Number is a figure of a report. An undefined one, NaN, is null in JSON,
// empty in CSV and a dash in text; it never becomes a zero.
type Number float64

// MarshalJSON writes a figure, or null for one that is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// csv writes the figure with all its digits.
func (n Number) csv() string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return strconv.FormatFloat(float64(n), 'g', -1, 64)
}

// text writes the figure with so many decimals.
func (n Number) text(decimals int) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	s := strconv.FormatFloat(float64(n), 'f', decimals, 64)
	if zero := strconv.FormatFloat(0, 'f', decimals, 64); s == "-"+zero {
		return zero
	}
	return s
}

// signed is text with a plus before what is larger than zero.
func (n Number) signed(decimals int) string {
	s := n.text(decimals)
	if n > 0 && s != Number(0).text(decimals) {
		return "+" + s
	}
	return s
}

// pValue writes a p-value: four decimals, and a bound for smaller ones.
func (n Number) pValue() string {
	if n < 0.0001 {
		return "<.0001"
	}
	return n.text(4)
}
