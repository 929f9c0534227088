package predict

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Top says how much of a ranking to keep: a number of mutants ("20") or a
// share of them ("5%"). The zero value keeps all. A *Top is a command-line
// flag's value.
type Top struct {
	// At most one of the two is not zero. A share counts millionths of a
	// percent: exact, so that 7 % of 100 is 7 and not, as in floating point, 8.
	count int64
	share int64
}

// wholeShare is 100 % in Top's unit.
const wholeShare = 100 * 1_000_000

// maxCount keeps count and share*n below 2^63 for every n up to it.
const maxCount = 10_000_000_000

// ErrTop is wrapped by every error of ParseTop.
var ErrTop = errors.New(`want a number of mutants such as "20" or a share of them such as "5%"`)

// ParseTop reads "20" as the first 20 mutants and "5%" or "2.5 %" as that
// share of them.
func ParseTop(text string) (Top, error) {
	trimmed := strings.TrimSpace(text)
	if share, isShare := strings.CutSuffix(trimmed, "%"); isShare {
		return parseShare(text, strings.TrimSpace(share))
	}
	n, err := strconv.ParseInt(trimmed, 10, 64)
	switch {
	case err != nil:
		return Top{}, fmt.Errorf("%q: %w", text, ErrTop)
	case n < 1:
		return Top{}, fmt.Errorf("%q keeps no mutant; ask for at least 1: %w", text, ErrTop)
	case n > maxCount:
		return Top{}, fmt.Errorf("%q is too large: %w", text, ErrTop)
	}
	return Top{count: n}, nil
}

func parseShare(text, number string) (Top, error) {
	// big.Rat would also read fractions, exponents and underscores.
	if number == "" || strings.Trim(number, "0123456789.") != "" {
		return Top{}, fmt.Errorf("%q: %w", text, ErrTop)
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return Top{}, fmt.Errorf("%q: %w", text, ErrTop)
	}
	r.Mul(r, big.NewRat(1_000_000, 1))
	switch {
	case r.Sign() <= 0:
		return Top{}, fmt.Errorf("%q keeps no mutant; ask for more than 0%%: %w", text, ErrTop)
	case r.Cmp(big.NewRat(wholeShare, 1)) > 0:
		return Top{}, fmt.Errorf("%q is more than all mutants; ask for at most 100%%: %w", text, ErrTop)
	case !r.IsInt():
		return Top{}, fmt.Errorf("%q has more than six decimals: %w", text, ErrTop)
	}
	return Top{share: r.Num().Int64()}, nil
}

// Percent is the Top of a whole number of percent; it is limited to 1 to 100.
func Percent(p int) Top { return Top{share: int64(min(max(p, 1), 100)) * 1_000_000} }

// Of returns how many of n mutants t keeps: a share is rounded up, and no more
// than n are ever kept.
func (t Top) Of(n int) int {
	switch {
	case n <= 0:
		return 0
	case t.count > 0:
		return int(min(t.count, int64(n)))
	case t.share > 0:
		// Split so that the product stays in range for any n.
		whole, rest := int64(n)/wholeShare, int64(n)%wholeShare
		return int(whole*t.share + (rest*t.share+wholeShare-1)/wholeShare)
	}
	return n
}

// String writes t as ParseTop reads it.
func (t Top) String() string {
	switch {
	case t.count > 0:
		return strconv.FormatInt(t.count, 10)
	case t.share > 0:
		percent := fmt.Sprintf("%d.%06d", t.share/1_000_000, t.share%1_000_000)
		return strings.TrimRight(strings.TrimRight(percent, "0"), ".") + "%"
	}
	return "100%"
}

// Set makes *Top a flag's value.
func (t *Top) Set(text string) error {
	parsed, err := ParseTop(text)
	if err != nil {
		return err
	}
	*t = parsed
	return nil
}

// Type names the value in a command's help.
func (*Top) Type() string { return "count|percent" }

// MarshalText and UnmarshalText write and read t in JSON and TOML files.
func (t Top) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *Top) UnmarshalText(text []byte) error { return t.Set(string(text)) }
