namespace Cluster.Glue.References;

/// <summary>One object or stream of this side that the peer refers to, by the id that stands for it. Lives until all
/// references are given back, or the link ends. The count is protected by the table.</summary>
internal abstract class Export(ulong id, object value)
{
    private List<ReferenceLease>? _leases;

    public ulong Id { get; } = id;

    public object Value { get; } = value;

    /// <summary>References handed out and not given back.</summary>
    public long Count { get; set; }

    /// <summary>Keeps something alive until nobody refers to the object any more.</summary>
    public void Keep(ReferenceLease lease)
    {
        lease.AddUser();
        (_leases ??= []).Add(lease);
    }

    /// <summary>The table has let it go. Called once, outside of locks.</summary>
    public virtual void Dropped()
    {
        foreach (var lease in _leases ?? [])
            lease.Release();
    }
}
