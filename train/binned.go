package train

import "fmt"

// Binned is data whose columns are binned, for learning from parts of the columns
// again and again: binning every column takes as long as some trees.
type Binned struct {
	data  *Data
	table *table
	bins  int
	seed  uint64
	at    []int // the columns that were chosen; nil in what Bin returns
}

// Bin bins the columns of data as Fit with these options does, of which Bins, Seed
// and Workers are read.
func Bin(data *Data, options Options) (*Binned, error) {
	o := options.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	if err := data.Validate(); err != nil {
		return nil, err
	}
	t, err := binData(data, &o)
	if err != nil {
		return nil, err
	}
	return &Binned{data: data, table: t, bins: o.Bins, seed: o.Seed}, nil
}

// Choose returns the data with the columns at the given places only, in that order.
// Fit learns from it what it learns from such data that were not binned before.
func (b *Binned) Choose(places []int) *Data {
	d := &Data{Labels: b.data.Labels, Weights: b.data.Weights, Groups: b.data.Groups,
		Binned: &Binned{data: b.data, table: b.table, bins: b.bins, seed: b.seed, at: places}}
	for _, at := range places {
		d.Columns, d.Names = append(d.Columns, b.data.Columns[at]), append(d.Names, b.data.Names[at])
	}
	return d
}

// tableOf is the binned columns of d, which may have been binned before.
func tableOf(d *Data, o *Options) (*table, error) {
	b := d.Binned
	if b == nil {
		return binData(d, o)
	}
	if b.bins != o.Bins || b.seed != o.Seed {
		return nil, fmt.Errorf("data: it was binned into %d bins with seed %d, to be learned from with %d and seed %d", b.bins, b.seed, o.Bins, o.Seed)
	}
	t := &table{rows: b.table.rows}
	for _, at := range b.at {
		t.bins, t.columns = append(t.bins, b.table.bins[at]), append(t.columns, b.table.columns[at])
	}
	return t, nil
}
