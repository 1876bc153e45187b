using Cluster.StateStore.Hosting.Formats;

namespace Cluster.Nodes.Deltas;

/// <summary>Answers <see cref="ITableDeltas"/> for this process. Stateless.</summary>
internal sealed class TableDeltasService(RecentTables tables, TimeProvider time) : ITableDeltas
{
    /// <summary>How long a caller waits for a version that is not known here yet.</summary>
    public static readonly TimeSpan WaitMax = TimeSpan.FromMilliseconds(150);

    public async ValueTask<byte[]> GetAsync(long fromVersion, long toVersion, CancellationToken cancellationToken)
    {
        if (tables.View.Current.Version < toVersion)
            await WaitAsync(toVersion, cancellationToken).ConfigureAwait(false);
        var delta = tables.History.Find(fromVersion, toVersion);
        return delta is null ? [] : TableDeltaCodec.Encode(delta, tables.ClusterId) ?? [];
    }

    public async ValueTask<byte[]> GetPackedAsync(
        long fromVersion, long toVersion, CancellationToken cancellationToken) =>
        await GetAsync(fromVersion, toVersion, cancellationToken).ConfigureAwait(false) is { Length: > 0 } delta
            ? PackedDelta.Pack(delta)
            : [];

    private async Task WaitAsync(long version, CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(WaitMax, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            await tables.View.WaitForNewerAsync(version - 1, ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (deadline.IsCancellationRequested)
        {
            // The caller asks another node, or reads the store.
        }
    }
}
