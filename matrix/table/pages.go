package table

import (
	"bufio"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// errLongPage is of a page that claims more bytes than its column has.
var errLongPage = errors.New("a page is longer than its column")

// checkPages walks the headers of the pages of a column in a row group, and of nothing else: parquet-go makes
// room for as many bytes as a page claims, gigabytes of a file of some, before it looks whether they are there. A
// header that cannot be read is left to parquet-go.
func checkPages(in io.ReaderAt, size int64, column *format.ColumnMetaData) error {
	at := column.DataPageOffset
	if column.DictionaryPageOffset != 0 {
		at = column.DictionaryPageOffset
	}
	if at < 0 || at > size {
		return errLongPage
	}
	pages := io.NewSectionReader(in, at, min(max(column.TotalCompressedSize, 0), size-at))
	ahead := bufio.NewReaderSize(pages, 512)
	var protocol thrift.CompactProtocol
	for {
		var header format.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(ahead)).Decode(&header); err != nil {
			return nil
		}
		read, err := pages.Seek(-int64(ahead.Buffered()), io.SeekCurrent)
		if err != nil {
			return err
		}
		if int64(header.CompressedPageSize) > pages.Size()-read {
			return errLongPage
		}
		if header.CompressedPageSize < 0 {
			return nil
		}
		if _, err := pages.Seek(int64(header.CompressedPageSize), io.SeekCurrent); err != nil {
			return err
		}
		ahead.Reset(pages)
	}
}
