namespace Cluster.Nodes.Members;

/// <summary>Where the parts that are made before the node has started find what is made by its start. Written by the
/// lifecycle alone; published whole.</summary>
internal sealed class CurrentMemberRole
{
    private volatile MemberRole? _current;

    /// <summary>What this process does as a member, or null before it is one and in a client.</summary>
    public MemberRole? Current
    {
        get => _current;
        set => _current = value;
    }
}
