package output

// Partitions hold records, each in one of some partitions, so that records of a million sessions can be brought
// together with little memory: what belongs together is in the same partition, and one is read at a time.
type Partitions struct {
	spool Spool
	parts [NumPartitions]partition
}

// A partition is what was put into it: first what is in the spool.
type partition struct {
	spans  []Span
	buffer []byte
}

// NumPartitions is their number. A partition of three files of each of a million sessions takes some 5 MB.
const NumPartitions = 128

// partitionBuffer is how many bytes of a partition are written at once.
const partitionBuffer = 16 << 10

// Put adds a record to a partition.
func (p *Partitions) Put(i int, record []byte) error {
	part := &p.parts[i]
	part.buffer = append(part.buffer, record...)
	if len(part.buffer) < partitionBuffer {
		return nil
	}
	span, err := p.spool.Put(part.buffer)
	part.spans, part.buffer = append(part.spans, span), part.buffer[:0]
	return err
}

// Get returns the records of a partition, one after the other as they were put.
func (p *Partitions) Get(i int) (string, error) {
	part := &p.parts[i]
	n := len(part.buffer)
	for _, span := range part.spans {
		n += span.length
	}
	all := make([]byte, 0, n)
	for _, span := range part.spans {
		data, err := p.spool.Get(span)
		if err != nil {
			return "", err
		}
		all = append(all, data...)
	}
	return string(append(all, part.buffer...)), nil
}

// Close removes the temporary file.
func (p *Partitions) Close() { p.spool.Close() }

// A Sequence holds records in the order in which they were added, each to be read at its offset.
type Sequence struct {
	spool  Spool
	buffer []byte
	size   int64 // of all records
}

// sequenceBuffer is how many bytes are written at once.
const sequenceBuffer = 64 << 10

// Add adds a record and returns the offset of its end.
func (s *Sequence) Add(record []byte) (end int64, err error) {
	s.buffer = append(s.buffer, record...)
	s.size += int64(len(record))
	if len(s.buffer) >= sequenceBuffer {
		err = s.Flush()
	}
	return s.size, err
}

// Flush writes what was added, so that it can be read.
func (s *Sequence) Flush() error {
	if len(s.buffer) == 0 {
		return nil
	}
	_, err := s.spool.Put(s.buffer)
	s.buffer = s.buffer[:0]
	return err
}

// Get reads what lies between two offsets.
func (s *Sequence) Get(start, end int64) (string, error) {
	data, err := s.spool.Get(Span{start, int(end - start)})
	return string(data), err
}

// Close removes the temporary file.
func (s *Sequence) Close() { s.spool.Close() }
