using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Coordination;

/// <summary>The members that failed lately and are not chosen as targets for a while. The while doubles with each
/// failure. Used under the node's lock.</summary>
/// <param name="times">The times of the protocol.</param>
internal sealed class SetAside(ProtocolTimes times)
{
    private readonly Dictionary<NodeSlot, (long Until, long Delay)> _members = [];

    /// <summary>Whether a member is not to be chosen now.</summary>
    public bool Contains(NodeSlot member, long now) => _members.TryGetValue(member, out var entry) && now < entry.Until;

    /// <summary>Notes a failure. Failures during the wait count as one.</summary>
    public void Failed(NodeSlot member, long now)
    {
        var (until, delay) = _members.GetValueOrDefault(member);
        if (now < until)
            return;
        var isOld = now - until > times.SetAsideMax.Ticks;
        delay = isOld || delay == 0 ? times.SetAsideMin.Ticks : Math.Min(2 * delay, times.SetAsideMax.Ticks);
        _members[member] = (now + delay, delay);
    }
}
