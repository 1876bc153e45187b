namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>The smallest load of some members, kept up to date while loads change, so that a decision over many
/// partitions does not look at all members for each of them. Used by one decision.</summary>
/// <param name="memberCount">How many members there are; each begins with no load.</param>
internal sealed class LeastLoad(int memberCount)
{
    private readonly List<int> _membersByLoad = [memberCount];

    /// <summary>The smallest load; zero without members.</summary>
    public int Value { get; private set; }

    /// <summary>Notes that the load of one member changes.</summary>
    public void Change(int from, int to)
    {
        while (_membersByLoad.Count <= to)
            _membersByLoad.Add(0);
        _membersByLoad[from]--;
        _membersByLoad[to]++;
        if (to < Value)
            Value = to;
        while (_membersByLoad[Value] == 0)
            Value++;
    }
}
