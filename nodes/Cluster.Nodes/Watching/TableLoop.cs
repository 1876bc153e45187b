using Cluster.Contracts;
using Cluster.Nodes.Handoff;
using Cluster.Nodes.Lifecycle;
using Cluster.Nodes.Loops;
using Cluster.StateStore.Client;
using Cluster.StateStore.Partitions;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Watching;

/// <summary>
/// Acts on each new table of the view: first the partitions, then the announcements. A node that reads of its own
/// death stops serving and stops its host. Owned by the lifecycle; its fields are used by its own loop alone.
/// </summary>
internal sealed partial class TableLoop : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    private readonly TableView _view;
    private readonly ChangeTeller _teller;
    private readonly MemberDutiesHolder _duties;
    private readonly IHostApplicationLifetime _host;
    private readonly LoopSurroundings _surroundings;
    private readonly BackgroundLoop _loop;
    private long _applied = -1;
    private bool _isExpelled;

    public TableLoop(
        TableView view,
        ChangeTeller teller,
        MemberDutiesHolder duties,
        IHostApplicationLifetime host,
        LoopSurroundings surroundings)
    {
        _view = view;
        _teller = teller;
        _duties = duties;
        _host = host;
        _surroundings = surroundings;
        _loop = new BackgroundLoop("Acting on the cluster table", Pace, surroundings, StepAsync);
    }

    internal string? Failure => _loop.Failure;

    internal void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellation)
    {
        var table = await _view.WaitForNewerAsync(_applied, cancellation).ConfigureAwait(false);
        _duties.Current?.Keeper.Apply(table);
        _applied = table.Version;
        _teller.Tell(table);
        if (_view.Self is { } self && PartitionKeeper.IsExpelled(table, self) && !_isExpelled)
            StopBecauseExpelled(self, table);
    }

    private void StopBecauseExpelled(NodeId self, ClusterTable table)
    {
        _isExpelled = true;
        if (_host.ApplicationStopping.IsCancellationRequested) return;
        LogExpelled(_surroundings.Logger, self, table.Version);
        _host.StopApplication();
    }
}
