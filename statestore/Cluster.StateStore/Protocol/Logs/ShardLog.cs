namespace Cluster.StateStore.Protocol.Logs;

/// <summary>The memory of the logs of one shard, with one budget for all its partitions. Chunks without entries are
/// used again. Used under the shard's lock.</summary>
/// <param name="chunkBytes">The size of a chunk. A larger entry gets a chunk of its own.</param>
/// <param name="budgetBytes">How many bytes the entries may take before writes are refused.</param>
internal sealed class ShardLog(int chunkBytes, long budgetBytes)
{
    private const int FreeMax = 4;

    private readonly Stack<LogChunk> _free = new();
    private LogChunk? _open;

    /// <summary>How many bytes the entries in all logs take.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Whether no further write should be taken.</summary>
    public bool IsFull => LiveBytes >= budgetBytes;

    /// <summary>Takes memory for one entry.</summary>
    /// <param name="size">Its bytes.</param>
    /// <param name="chunk">The chunk, to be given back with <see cref="Release"/>.</param>
    public Memory<byte> Take(int size, out LogChunk chunk)
    {
        LiveBytes += size;
        if (size > chunkBytes)
        {
            chunk = new LogChunk(new byte[size]) { Used = size, LiveCount = 1, IsClosed = true };
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
    }

    private void Recycle(LogChunk chunk)
    {
        if (chunk.Bytes.Length != chunkBytes || _free.Count >= FreeMax)
            return;
        chunk.Used = 0;
        _free.Push(chunk);
    }
}
