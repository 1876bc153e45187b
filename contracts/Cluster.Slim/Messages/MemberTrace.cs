namespace Cluster.Slim.Messages;

/// <summary>The path of members to the value being written or read. Only kept when a failed call is repeated to find
/// out where it failed, so that successful calls do not pay for it. Entries of dictionaries appear by position, never
/// by their key.</summary>
internal sealed class MemberTrace(string root)
{
    private readonly List<string> _segments = [root];

    /// <summary>The failure of the write that this repetition traces. User code that has failed does not run again: its
    /// object fails with this exception.</summary>
    public SlimException? Failure { get; init; }

    public int Depth => _segments.Count;

    public void Push(string member) => _segments.Add("." + member);

    // Only failed messages are traced: the loops of other messages stay small without this code.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void PushIndex(int index) => _segments.Add($"[{index.ToString(CultureInfo.InvariantCulture)}]");

    public void Pop() => _segments.RemoveAt(_segments.Count - 1);

    public override string ToString() => string.Concat(_segments);
}
