namespace Cluster.StateStore.Protocol.Logs;

/// <summary>The memory of the logs of one shard, with one budget for all its partitions. Chunks without entries are
/// used again. Used under the shard's lock.</summary>
/// <param name="chunkBytes">The size of a chunk. A larger entry gets a chunk of its own.</param>
/// <param name="budgetBytes">How many bytes the entries may take before writes are refused.</param>
/// <param name="keptBytes">How many bytes of the newest entries stay although no member needs them.</param>
internal sealed class ShardLog(int chunkBytes, long budgetBytes, long keptBytes = 0)
{
    private const int FreeMax = 4;

    private readonly Stack<LogChunk> _free = new();
    private LogChunk? _open;
    private long _taken;

    /// <summary>How many bytes the entries in all logs take.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Whether no further write should be taken.</summary>
    public bool IsFull => LiveBytes >= budgetBytes;

    /// <summary>Whether entries stay for a while although no member needs them.</summary>
    public bool Keeps => keptBytes > 0;

    /// <summary>Whether the entries of a chunk stay although no member needs them. Whole chunks count, because one
    /// entry keeps the memory of its chunk.</summary>
    public bool IsKept(LogChunk chunk) => Keeps && _taken - chunk.Begin < keptBytes;

    /// <summary>Takes memory for one entry.</summary>
    /// <param name="size">Its bytes.</param>
    /// <param name="chunk">The chunk, to be given back with <see cref="Release"/>.</param>
    public Memory<byte> Take(int size, out LogChunk chunk)
    {
        LiveBytes += size;
        _taken += size;
        if (size > chunkBytes)
        {
            chunk = new LogChunk(new byte[size]) { Begin = _taken - size, Used = size, LiveCount = 1, IsClosed = true };
            return chunk.Bytes;
        }

        if (_open is null || _open.Used + size > chunkBytes)
            Open();
        chunk = _open!;
        var memory = chunk.Bytes.AsMemory(chunk.Used, size);
        chunk.Used += size;
        chunk.LiveCount++;
        return memory;
    }

    /// <summary>Gives the memory of one entry back.</summary>
    /// <param name="chunk">Its chunk.</param>
    /// <param name="size">Its bytes.</param>
    public void Release(LogChunk chunk, int size)
    {
        LiveBytes -= size;
        chunk.LiveCount--;
        if (chunk is { LiveCount: 0, IsClosed: true })
            Recycle(chunk);
    }

    private void Open()
    {
        if (_open is { } full)
        {
            full.IsClosed = true;
            if (full.LiveCount == 0)
                Recycle(full);
        }

        _open = _free.TryPop(out var free) ? free : new LogChunk(new byte[chunkBytes]);
        _open.IsClosed = false;
        _open.Begin = _taken;
    }

    private void Recycle(LogChunk chunk)
    {
        if (chunk.Bytes.Length != chunkBytes || _free.Count >= FreeMax)
            return;
        chunk.Used = 0;
        _free.Push(chunk);
    }
}
