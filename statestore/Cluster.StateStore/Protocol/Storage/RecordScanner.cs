using Cluster.Pile.Hosting;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>Reads the records of a walk for a copy. Used under the shard's lock.</summary>
internal sealed class RecordScanner
{
    // Larger arrays would be collected only with the oldest ones.
    private const int ArrayBytes = 64 << 10;

    private byte[] _array = [];
    private int _used;

    /// <summary>Adds the next records to a list.</summary>
    /// <returns>False when there are no more.</returns>
    public bool Scan(RecordWalk walk, PartitionHash hash, int bytesMax, List<RecordImage> into)
    {
        // The records of the last scan are still on their way.
        (_array, _used) = ([], 0);
        for (var bytes = 0; bytes < bytesMax;)
        {
            if (!walk.TryNext(out var key))
                return false;
            var table = walk.Table;
            var hashed = hash.Hash(key);
            if (!table.TryReadStamp(hashed, key, out var stamp, out var valueBytes)
                || stamp.Time == PartitionTotals.Removed)
                continue;
            var keyBytes = Take(key.Length);
            key.CopyTo(keyBytes.Span);
            var record = Take(RecordStamp.Bytes + valueBytes);
            table.TryRead(hashed, key, record.Span, out _);
            var id = new StateKey(walk.State, keyBytes);
            into.Add(new RecordImage(id, new EntryId(stamp.Version), stamp.Time, record[RecordStamp.Bytes..]));
            bytes += key.Length + valueBytes;
        }

        return true;
    }

    private Memory<byte> Take(int bytes)
    {
        if (_array.Length - _used < bytes)
            (_array, _used) = (new byte[Math.Max(bytes, ArrayBytes)], 0);
        var taken = _array.AsMemory(_used, bytes);
        _used += bytes;
        return taken;
    }
}
