using Cluster.Nodes.Deltas;
using Cluster.Nodes.Loops;

namespace Cluster.Nodes.Watching;

/// <summary>Brings the view of a client up to date when an answer of a node shows that it is more than one version
/// behind: it asks the owner that the answer named for the changes, one question at a time, and does not wait for the
/// store. A client holds no partition, so it needs no confirmation; a node waits for the store. Owned by the node's
/// lifecycle.</summary>
internal sealed class HintFollower : IAsyncDisposable
{
    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(2));

    private readonly RecentTables _tables;
    private readonly DeltaClient _deltas;
    private readonly BackgroundLoop _loop;

    public HintFollower(RecentTables tables, DeltaClient deltas, LoopContext loops)
    {
        _tables = tables;
        _deltas = deltas;
        _loop = new BackgroundLoop("Following what answers tell of the cluster table", Pace, loops, StepAsync);
    }

    public string? Failure => _loop.Failure;

    public void Start()
    {
        if (_tables.View.Self is null)
            _loop.Start();
    }

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        var (owner, version) = await _tables.View.WaitForHintAsync(cancellationToken).ConfigureAwait(false);
        var known = _tables.View.Current;
        if (known.Version >= version)
            return;
        var answer = await _deltas.AskAsync(owner, known, version, cancellationToken).ConfigureAwait(false);
        if (answer is var (table, _))
            _tables.Publish(table);
    }
}
