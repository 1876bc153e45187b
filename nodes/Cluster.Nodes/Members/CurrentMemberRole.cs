namespace Cluster.Nodes.Members;

/// <summary>Gives objects that exist before the node starts access to the member role, which is made by the start.
/// Written by the lifecycle alone; published whole.</summary>
internal sealed class CurrentMemberRole
{
    private volatile MemberRole? _current;

    /// <summary>The member role of this process. Null: this process is a client, or not yet a member.</summary>
    public MemberRole? Current
    {
        get => _current;
        set => _current = value;
    }
}
