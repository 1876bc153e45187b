namespace Cluster.Glue.References;

/// <summary>An object of the peer under one contract, whose proxy is one object as long as somebody holds it. Counts
/// what was handed over, to give it back. Protected by the table's lock.</summary>
internal sealed class CallbackReference(ReferenceTable table, ulong id, Type contract) : ImportedReference(table)
{
    private WeakReference<object>? _proxy;
    private int _isReleased;

    public ulong Id => id;

    public Type Contract => contract;

    /// <summary>References handed over and not given back; changed under the table's lock.</summary>
    public long Count { get; set; }

    public bool IsReleased => Volatile.Read(ref _isReleased) == 1;

    /// <summary>The proxy that somebody holds, or null.</summary>
    public object? Proxy
    {
        get => _proxy is not null && _proxy.TryGetTarget(out var proxy) ? proxy : null;
        set => _proxy = new WeakReference<object>(value!);
    }

    public override void Release()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) == 0)
            Table.Forget(this);
    }
}
