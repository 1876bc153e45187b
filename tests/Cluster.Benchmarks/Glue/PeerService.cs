namespace Cluster.Benchmarks.Glue;

/// <summary>The peer's service, one object for all calls; its counter is atomic.</summary>
public sealed class PeerService : IPeerService
{
    private long _notes;

    /// <inheritdoc />
    public ValueTask<int> AddAsync(int left, int right) => new(left + right);

    /// <inheritdoc />
    public ValueTask<PeerOrder> EchoOrderAsync(PeerOrder order) => new(order);

    /// <inheritdoc />
    public ValueTask<PeerNode> EchoGraphAsync(PeerNode graph) => new(graph);

    /// <inheritdoc />
    public ValueTask NoteAsync(int value)
    {
        Interlocked.Increment(ref _notes);
        return default;
    }

    /// <inheritdoc />
    public ValueTask<long> NotesAsync() => new(Interlocked.Read(ref _notes));

    /// <inheritdoc />
    public ValueTask<long> AllocatedAsync() => new(GC.GetTotalAllocatedBytes());
}
