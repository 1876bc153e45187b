namespace Cluster.Glue.References;

/// <summary>One object or stream of this side that the peer refers to by an id. Lives until all references are given
/// back, or the link ends. The table protects the count.</summary>
internal abstract class Export(ulong id, object value)
{
    private List<ReferenceLease>? _leases;

    public ulong Id { get; } = id;

    public object Value { get; } = value;

    /// <summary>The references handed out and not given back.</summary>
    public long Count { get; set; }

    /// <summary>Keeps a lease until the peer no longer refers to the object.</summary>
    public void Keep(ReferenceLease lease)
    {
        lease.AddUser();
        (_leases ??= []).Add(lease);
    }

    /// <summary>Called once by the table, outside of locks, when it has removed the object.</summary>
    public virtual void Dropped()
    {
        foreach (var lease in _leases ?? [])
            lease.Release();
    }
}
