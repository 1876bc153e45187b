namespace Cluster.Glue.References;

/// <summary>An object of the peer under one contract. Its proxy is one object as long as the user holds it. Counts the
/// references that came, to give them back. Protected by the table's lock.</summary>
internal sealed class CallbackReference(ReferenceTable table, ulong id, Type contract) : ImportedReference(table)
{
    private WeakReference<object>? _proxy;
    private int _isReleased;

    public ulong Id => id;

    public Type Contract => contract;

    /// <summary>The references that came and were not given back; changed under the table's lock.</summary>
    public long Count { get; set; }

    public bool IsReleased => Volatile.Read(ref _isReleased) == 1;

    /// <summary>The proxy that a user still holds, or null.</summary>
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
