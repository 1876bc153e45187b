using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Feeds;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.Layouts;

/// <summary>Tells owners the layouts of the values that this process writes, before the first of them, and asks nodes
/// for layouts that this process does not know. Thread-safe.</summary>
/// <param name="source">Where the nodes are found.</param>
internal sealed class LayoutExchange(FeedSource source)
{
    /// <summary>The most nodes that are asked for one layout.</summary>
    public const int AskedNodesMax = 16;

    /// <summary>How long a layout counts as unknown that no node has known.</summary>
    public static readonly TimeSpan MissingTime = TimeSpan.FromSeconds(1);

    private const int EntriesMax = 16_384;
    private const int RequestBytesMax = 512 << 10;

    private readonly ConcurrentDictionary<(Guid Node, uint State), int> _told = new();
    private readonly ConcurrentDictionary<(uint State, ulong Layout), Lazy<Task<bool>>> _searches = new();
    private readonly ConcurrentDictionary<(uint State, ulong Layout), long> _missing = new();

    /// <summary>Whether a node has all layouts that this process writes. It need not be told more if it does not speak
    /// of layouts.</summary>
    public bool IsTold(ClusterMember owner, StateDefinition state) =>
        _told.GetValueOrDefault((owner.Node.Incarnation, state.Id)) >= state.Layouts.WrittenHere.Length;

    /// <summary>Tells a node the layouts that it may not have.</summary>
    /// <returns>The answer; its status is Done when the node has them.</returns>
    /// <exception cref="GlueException">The node cannot be reached. The write itself was not sent.</exception>
    public async ValueTask<LayoutReply> TellAsync(
        ClusterMember owner, StateDefinition state, CancellationToken cancellationToken)
    {
        var key = (owner.Node.Incarnation, state.Id);
        var written = state.Layouts.WrittenHere;
        while (_told.GetValueOrDefault(key) is var first && first < written.Length && Speaks(owner))
        {
            var end = EndOfRequest(written, first);
            var request = new LayoutRequest
            {
                ClusterId = source.Hash.ClusterId,
                StateId = state.Id,
                Told = written[first..end],
            };
            var reply = await source.PeerOf(owner, isBrief: true)
                .LayoutsAsync(request, cancellationToken).ConfigureAwait(false);
            if (reply.Status is not (LayoutReplyStatus.Done or LayoutReplyStatus.NotKnown))
                return reply;
            Note(key, end);
        }

        Note(key, written.Length);
        return new LayoutReply { Status = LayoutReplyStatus.Done };
    }

    /// <summary>Finds the description of a layout: first at the node that has answered with the value, then at the
    /// others. Callers of the same layout share one search.</summary>
    /// <returns>False: no node that can be reached knows it, or this process has no room for it.</returns>
    public async ValueTask<bool> LearnAsync(
        StateDefinition state, ulong layout, NodeId? owner, CancellationToken cancellationToken)
    {
        var key = (state.Id, layout);
        if (state.Layouts.Find(layout) is not null)
            return true;
        if (_missing.TryGetValue(key, out var since) && source.Now - since < MissingTime.Ticks)
            return false;
        var own = new Lazy<Task<bool>>(() => SearchAsync(state, layout, owner));
        return await _searches.GetOrAdd(key, own).Value.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<bool> SearchAsync(StateDefinition state, ulong layout, NodeId? owner)
    {
        try
        {
            var members = source.View.Current.Members
                .Where(member => member.State != MemberState.Gone && member.Protocol >= ProtocolVersion.WithLayouts)
                .OrderByDescending(member => member.Node == owner)
                .Take(AskedNodesMax);
            foreach (var member in members)
            {
                var description = await AskAsync(member, state, layout).ConfigureAwait(false);
                if (description is not null
                    && SlimLayouts.FingerprintOf(description) == layout
                    && LayoutCheck.FindMalformation(description) is null)
                    return state.Layouts.TryAdd(description, LayoutLimits.OfNodes);
            }

            if (_missing.Count >= EntriesMax)
                _missing.Clear();
            _missing[(state.Id, layout)] = source.Now;
            return false;
        }
        finally
        {
            _searches.TryRemove((state.Id, layout), out _);
        }
    }

    private async ValueTask<byte[]?> AskAsync(ClusterMember member, StateDefinition state, ulong layout)
    {
        var request = new LayoutRequest { ClusterId = source.Hash.ClusterId, StateId = state.Id, Asked = layout };
        try
        {
            // The transport's deadline bounds the call. A member that stands still must not hold up the others.
            var reply = await source.PeerOf(member, isBrief: true)
                .LayoutsAsync(request, CancellationToken.None).ConfigureAwait(false);
            return reply.Description;
        }
        catch (GlueException)
        {
            // Another node may know it.
            return null;
        }
    }

    // A node that the table does not list yet is new, so it speaks what this process does.
    private bool Speaks(ClusterMember owner) =>
        source.View.Current.FindMember(owner.Node) is not { Protocol: < ProtocolVersion.WithLayouts };

    private void Note((Guid Node, uint State) key, int end)
    {
        // A node that is forgotten here is told once more.
        if (_told.Count >= EntriesMax)
            _told.Clear();
        _told.AddOrUpdate(key, end, (_, before) => Math.Max(before, end));
    }

    private static int EndOfRequest(byte[][] written, int first)
    {
        var (end, bytes) = (first + 1, written[first].Length);
        while (end < written.Length && bytes + written[end].Length <= RequestBytesMax)
            bytes += written[end++].Length;
        return end;
    }
}
