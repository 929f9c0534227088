package table

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// foreignParquet is a valid Parquet file that lacks our metadata.
func foreignParquet(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := parquet.Write(&out, []struct{ A int64 }{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
