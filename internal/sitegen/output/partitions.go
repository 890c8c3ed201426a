package output

// Partitions divide records, so that those of a million sessions can be merged with little memory: records that belong
// together are in the same partition, and one partition is read at a time.
type Partitions struct {
	spool Spool
	parts [NumPartitions]partition
}

// A partition holds its first records in the spool, and the last ones in memory.
type partition struct {
	spans  []Span
	buffer []byte
}

// NumPartitions is the number of partitions. With three files for each of a million sessions, each takes some 5 MB.
const NumPartitions = 128

// partitionBuffer is the number of bytes of a partition that are written at once.
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

// Get returns the records of a partition in the order in which they were put.
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

// sequenceBuffer is the number of bytes that are written at once.
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

// Get reads the bytes between two offsets.
func (s *Sequence) Get(start, end int64) (string, error) {
	data, err := s.spool.Get(Span{start, int(end - start)})
	return string(data), err
}

// Close removes the temporary file.
func (s *Sequence) Close() { s.spool.Close() }
