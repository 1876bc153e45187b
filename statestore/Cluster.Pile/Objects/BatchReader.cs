using Cluster.Pile.Slots;

namespace Cluster.Pile.Objects;

/// <summary>Reads many objects in one call, each exactly as a single read does, while the processor fetches the memory
/// of the next ones. Owned by one pile; stateless.</summary>
internal sealed class BatchReader(SlotSpace space, ObjectReader reader, PayloadDecoder decoder)
{
    /// <summary>The length that stands for a pointer without a live object.</summary>
    public const int Missing = -1;

    private readonly SlotSpace _space = space;
    private readonly ObjectReader _reader = reader;
    private readonly PayloadDecoder _decoder = decoder;

    /// <summary>Copies objects one after the other, up to the first that does not fit the rest of the destination; its
    /// length is at the next place then. False: some of the processed pointers name no live object.</summary>
    public bool TryRead(
        ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths, out int count)
    {
        if (lengths.Length < pointers.Length)
            PileErrors.TooFewPlaces(pointers.Length, lengths.Length);
        var isWhole = true;
        var row = new BatchRow(pointers, destination, lengths);
        while (true)
        {
            var before = row.Count;
            _space.CopyPlain(ref row, ObjectReader.OptimisticBytesMax);
            _reader.Reads.Add(row.Count - before);
            count = row.Count;
            if (row.IsDone)
                return isWhole;
            if (!_reader.TryRead(row.Next, row.Destination, out var found))
            {
                lengths[count] = Missing;
                isWhole = false;
                row.Count++;
                continue;
            }

            lengths[count] = found.Length;
            if (found.Length > row.Destination.Length)
                return isWhole;
            _reader.Reads.Add();
            row.Destination = row.Destination[found.Length..];
            row.Count++;
        }
    }

    /// <summary>Decodes each object; <c>default</c> for a pointer without one. False: there are such pointers, and the
    /// index of the first is returned.</summary>
    public bool TryGet<T>(ReadOnlySpan<PilePointer> pointers, Span<T> results, out int firstMiss)
        where T : notnull
    {
        if (results.Length < pointers.Length)
            PileErrors.TooFewPlaces(pointers.Length, results.Length);
        firstMiss = -1;
        var fetched = 0;
        var scratch = new ScratchBuffer(stackalloc byte[ScratchBuffer.StackBytes]);
        try
        {
            for (var index = 0; index < pointers.Length; index++)
            {
                fetched = _space.FetchAhead(pointers, index, fetched);
                if (TryReadInto(pointers[index], ref scratch, out var found))
                {
                    _reader.Reads.Add();
                    results[index] = _decoder.Decode<T>(found.Kind, scratch.Span[..found.Length]);
                    continue;
                }

                results[index] = default!;
                firstMiss = firstMiss < 0 ? index : firstMiss;
            }
        }
        finally
        {
            scratch.Dispose();
        }

        return firstMiss < 0;
    }

    private bool TryReadInto(PilePointer pointer, ref ScratchBuffer scratch, out StoredObject found)
    {
        while (_reader.TryRead(pointer, scratch.Span, out found))
        {
            if (found.Length <= scratch.Span.Length)
                return true;
            scratch.Grow(found.Length);
        }

        return false;
    }
}
