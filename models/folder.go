package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/models/lightgbm"
)

// The files of the ensembles; calibrations go by these names.
const (
	FaultFile    = "fault.txt"
	KillFile     = "kill.txt"
	RevealFile   = "reveal.txt"
	LateFile     = "late.txt"
	RankFile     = "rank.txt"
	SurvivorFile = "survivor.txt"
)

const (
	cardFile   = "card.json"
	readmeFile = "README.md"

	// compressed ends the name of a file that is compressed by Zstandard (RFC 8878), as
	// those of the released models are. Save writes none.
	compressed = ".zst"
	// maxUnpacked bounds what a small damaged file can unpack to.
	maxUnpacked = 1 << 30
)

// Load reads the model in folder dir and checks it against its card.
func Load(dir string) (*Bundle, error) {
	b, err := LoadFS(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("loading the model in %s: %w", dir, err)
	}
	return b, nil
}

// LoadFS is Load for any file system that holds the model's files at its root.
func LoadFS(fsys fs.FS) (*Bundle, error) {
	text, err := fs.ReadFile(fsys, cardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (a model is a folder with %s, %s and %s)", err, cardFile, FaultFile, KillFile)
	}
	if err != nil {
		return nil, err
	}
	b := &Bundle{}
	if b.Card, err = decodeCard(text); err != nil {
		return nil, err
	}
	if hash, named := b.Card.SHA256[sourcesFile]; named {
		if b.Card.TrainedOn, err = loadSources(fsys, hash); err != nil {
			return nil, err
		}
	}
	// All at a time: for a small program this is much of what ranking it takes.
	ensembles, err := parallel.Map(context.Background(), 0, b.parts(), func(_ context.Context, _ int, part part) (*Ensemble, error) {
		if _, named := b.Card.SHA256[part.file]; !named && part.optional {
			return nil, nil
		}
		return loadEnsemble(fsys, part.file, b.Card.SHA256[part.file])
	})
	if err != nil {
		return nil, err
	}
	for i, part := range b.parts() {
		*part.ensemble = ensembles[i]
	}
	return b, b.Validate()
}

func loadEnsemble(fsys fs.FS, file, hash string) (*Ensemble, error) {
	text, err := readPart(fsys, file)
	if err != nil {
		return nil, err
	}
	e, readErr := lightgbm.Read(bytes.NewReader(text))
	if err := checkSum(file, text, hash); err != nil {
		// What is wrong with the text, if anything, says more than the hashes.
		return nil, errors.Join(err, readErr)
	}
	if readErr != nil {
		return nil, fmt.Errorf("%s: %w", file, readErr)
	}
	return e, nil
}

func loadSources(fsys fs.FS, hash string) ([]string, error) {
	text, err := readPart(fsys, sourcesFile)
	if err != nil {
		return nil, err
	}
	if err := checkSum(sourcesFile, text, hash); err != nil {
		return nil, err
	}
	return decodeSources(text)
}

// readPart reads one of the files of the model at the root of fsys, also where it is
// compressed.
func readPart(fsys fs.FS, file string) ([]byte, error) {
	text, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = readCompressed(fsys, file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w (copy the whole folder again)", ErrDamaged, err)
	}
	return text, err
}

// readCompressed reads file from file.zst. Where there is neither, the error is about
// file.
func readCompressed(fsys fs.FS, file string) ([]byte, error) {
	packed, err := fs.ReadFile(fsys, file+compressed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: file, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w (copy the file again)", ErrDamaged, file+compressed, err)
	}
	return text, nil
}

func checkSum(file string, text []byte, hash string) error {
	if got := sum(text); got != hash {
		return fmt.Errorf("%w: %s has %d bytes with SHA-256 %s, %s says %s (copy the file again, or train the model again)",
			ErrDamaged, file, len(text), got, cardFile, hash)
	}
	return nil
}

func sum(text []byte) string {
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:])
}

// Save writes b to folder dir, which it creates or, when it holds a model,
// replaces. The files are written to a folder beside it that is then renamed, so
// dir never holds half a model. Card.Format and Card.SHA256 are set in the
// folder, not in b.
func Save(dir string, b *Bundle) error {
	files, err := encode(b)
	if err != nil {
		return fmt.Errorf("saving the model: %w", err)
	}
	if err := saveFiles(filepath.Clean(dir), files); err != nil {
		return fmt.Errorf("saving the model in %s: %w", dir, err)
	}
	return nil
}

// encode returns the files of a bundle by name.
func encode(b *Bundle) (map[string][]byte, error) {
	whole := *b
	card := &whole.Card
	card.Format = cardFormat
	if all := b.Parts(); len(card.Features) == 0 && len(all) > 0 {
		card.Features = all[0].Ensemble.Names()
	}
	if err := whole.Validate(); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	card.SHA256 = map[string]string{}
	for _, part := range whole.parts() {
		if *part.ensemble == nil {
			continue // Validate has checked that it is optional
		}
		var text bytes.Buffer
		if err := lightgbm.Write(&text, *part.ensemble); err != nil {
			return nil, fmt.Errorf("%s: %w", part.file, err)
		}
		files[part.file] = text.Bytes()
		card.SHA256[part.file] = sum(text.Bytes())
	}
	if len(card.TrainedOn) > 0 {
		text, err := encodeSources(card.TrainedOn)
		if err != nil {
			return nil, err
		}
		files[sourcesFile], card.SHA256[sourcesFile] = text, sum(text)
		card.TrainedOn = nil
	}
	text, err := card.encode()
	if err != nil {
		return nil, err
	}
	files[cardFile], files[readmeFile] = text, []byte(card.Markdown())
	return files, nil
}

func saveFiles(dir string, files map[string][]byte) error {
	if err := replaceable(dir); err != nil {
		return err
	}
	if err := atomicfile.MakeFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	draft, err := output.NewDraft(dir)
	if err != nil {
		return err
	}
	defer draft.Discard()
	for name, text := range files {
		if err := atomicfile.Write(filepath.Join(draft.Folder, name), text); err != nil {
			return err
		}
	}
	return draft.Commit()
}

// replaceable reports why dir must not be replaced: it holds other things.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == cardFile {
			return nil
		}
	}
	return fmt.Errorf("the folder is not empty and holds no %s: choose another", cardFile)
}
