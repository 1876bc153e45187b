namespace Cluster.Nodes.Deltas;

/// <summary>Gives other processes of the cluster the changes of its table, so that they need not read the whole table
/// from the cluster store.</summary>
public interface ITableDeltas
{
    /// <summary>The changes from one version to a later one. Waits a moment where this node does not know the later one
    /// yet.</summary>
    /// <param name="fromVersion">The version that the caller has.</param>
    /// <param name="toVersion">The version that the caller wants.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The bytes of the delta, as <c>docs/formats/table-delta.md</c> describes them, perhaps to a later
    /// version than the one wanted. Empty: this node cannot tell.</returns>
    ValueTask<byte[]> GetAsync(long fromVersion, long toVersion, CancellationToken cancellationToken);

    /// <summary>The same as <see cref="GetAsync"/>, packed. Members that <c>PackedDelta.IsSpokenBy</c> names have
    /// it.</summary>
    /// <param name="fromVersion">The version that the caller has.</param>
    /// <param name="toVersion">The version that the caller wants.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The delta as <c>PackedDelta</c> packs it. Empty: this node cannot tell.</returns>
    ValueTask<byte[]> GetPackedAsync(long fromVersion, long toVersion, CancellationToken cancellationToken);
}
