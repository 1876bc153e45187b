using System.Threading.Channels;
using Cluster.Nodes.Loops;

namespace Cluster.Nodes.Watching;

/// <summary>Asks the cluster store when a request names a newer epoch than this node knows: a request proves nothing, a
/// table does. The store is asked at most twice a second, however many requests come. Owned by the member's role. The
/// channel protects the waiting notes; only its own loop uses the other fields.</summary>
internal sealed partial class EpochConfirmation : IAsyncDisposable
{
    public static readonly TimeSpan ReminderInterval = TimeSpan.FromMinutes(1);

    private static readonly LoopPace Pace = new(
        TimeSpan.FromMilliseconds(500), TimeSpan.FromMilliseconds(500), TimeSpan.FromSeconds(4));

    private readonly Channel<(PartitionId Partition, Epoch Epoch)> _heard =
        Channel.CreateBounded<(PartitionId, Epoch)>(
            new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true });

    private readonly ConfirmedTable _table;
    private readonly LoopContext _loops;
    private readonly BackgroundLoop _loop;
    private long? _lastTold;

    public EpochConfirmation(ConfirmedTable table, LoopContext loops)
    {
        _table = table;
        _loops = loops;
        _loop = new BackgroundLoop("Confirming epochs that requests name", Pace, loops, StepAsync);
    }

    public string? Failure => _loop.Failure;

    public void Start() => _loop.Start();

    public ValueTask DisposeAsync() => _loop.DisposeAsync();

    /// <summary>Notes that a request named a newer epoch. One note is enough: the table confirms or refutes
    /// all.</summary>
    public void Hear(PartitionId partition, Epoch epoch) => _heard.Writer.TryWrite((partition, epoch));

    private async ValueTask StepAsync(CancellationToken cancellationToken)
    {
        var (partition, named) = await _heard.Reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (named <= _table.View.Current[partition].Epoch)
            return;
        var table = await _table.ReadAsync(cancellationToken).ConfigureAwait(false);
        if (named > table[partition].Epoch)
            Tell(partition, named, table[partition].Epoch);
    }

    private void Tell(PartitionId partition, Epoch named, Epoch stored)
    {
        if (_lastTold is { } last && _loops.Time.GetElapsedTime(last) < ReminderInterval)
            return;
        _lastTold = _loops.Time.GetTimestamp();
        LogNotConfirmed(_loops.Logger, partition, named, stored);
    }
}
