using Cluster.Pile;
using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Local;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Records;
using Microsoft.Extensions.Logging;

namespace Cluster.StateStore.Hosting;

/// <summary>What one node holds of the cluster's states: all partitions of all states over the node's one pile. The
/// runtime tells it what to serve, as the table says; it answers the operations of this node and of its peers. Each
/// partition protects itself.</summary>
public sealed partial class NodeStateStore : IStatePeer, IAsyncDisposable
{
    private readonly PartitionStore[] _partitions;
    private readonly PartitionContext _context;
    private readonly StagingArea _staging;
    private readonly RequestExecutor _executor;
    private readonly StateSweeper _sweeper;
    private readonly ILogger _logger;
    private readonly Guid _clusterId;

    /// <summary>Makes a store that serves nothing yet.</summary>
    /// <param name="catalog">The states.</param>
    /// <param name="hash">The cluster's hash.</param>
    /// <param name="pile">The node's pile; the store does not dispose it.</param>
    /// <param name="view">The node's view of the table.</param>
    /// <param name="options">Clock and limits; by default as documented there.</param>
    public NodeStateStore(
        StateCatalog catalog,
        PartitionHash hash,
        LocalPile pile,
        ITableView view,
        NodeStateStoreOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        ArgumentNullException.ThrowIfNull(hash);
        ArgumentNullException.ThrowIfNull(pile);
        ArgumentNullException.ThrowIfNull(view);
        options ??= new NodeStateStoreOptions();
        Catalog = catalog;
        _logger = options.LoggerFactory.CreateLogger<NodeStateStore>();
        _context = new PartitionContext(catalog, new RecordHeap(pile), view, options);
        _partitions = [.. Enumerable.Range(0, hash.PartitionCount).Select(p => new PartitionStore(new(p), _context))];
        _staging = new StagingArea(_context, hash);
        _executor = new RequestExecutor(catalog, hash, _partitions, view, options.NewerEpochHeard);
        _sweeper = new StateSweeper(_partitions, options, _logger);
        _clusterId = hash.ClusterId;
    }

    /// <summary>The states.</summary>
    public StateCatalog Catalog { get; }

    /// <summary>Starts to look for expired values. Call once; without it memory of expired values is not
    /// reclaimed.</summary>
    public void Start() => _sweeper.Start();

    /// <summary>Serves a partition: empty when the node has nothing of it, or going on at a newer epoch with what it
    /// has.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="epoch">Its epoch in the table.</param>
    /// <exception cref="StaleEpochException">The node has acted on a newer epoch already.</exception>
    /// <exception cref="NotOwnerException">The partition is sealed at this very epoch.</exception>
    public void Serve(PartitionId partition, Epoch epoch)
    {
        _partitions[partition.Value].Serve(epoch);
        LogServing(partition, epoch);
    }

    /// <summary>Stops answering for a partition at once, and waits until the writes that run have ended.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="cancellationToken">Ends the wait; the partition stays sealed.</param>
    /// <exception cref="StateBusyException">An operation still runs; the partition stays sealed.</exception>
    /// <exception cref="NotOwnerException">The node does not serve it.</exception>
    public ValueTask SealAsync(PartitionId partition, CancellationToken cancellationToken) =>
        _partitions[partition.Value].SealAsync(cancellationToken);

    /// <summary>Serves a sealed partition again, at the same epoch. Only after the table is known not to have
    /// changed.</summary>
    /// <param name="partition">The partition.</param>
    /// <exception cref="NotOwnerException">It is not sealed.</exception>
    public void Unseal(PartitionId partition) => _partitions[partition.Value].Unseal();

    /// <summary>Forgets everything of a partition, staged records among it, and frees the memory. Idempotent.</summary>
    /// <param name="partition">The partition.</param>
    public void Drop(PartitionId partition)
    {
        _partitions[partition.Value].Drop();
        _staging.Drop(partition);
    }

    /// <summary>Sends the records of a sealed partition to another node, which stages them.</summary>
    /// <param name="partition">The partition; it stays sealed.</param>
    /// <param name="target">The other node.</param>
    /// <param name="cancellationToken">Ends the transfer.</param>
    /// <exception cref="StateRefusedException">The other node refused, and has freed what it had; the message says
    /// why.</exception>
    /// <exception cref="NotOwnerException">The partition is not sealed.</exception>
    public async ValueTask SendAsync(PartitionId partition, IStatePeer target, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(target);
        var export = _partitions[partition.Value].OpenExport();
        var isComplete = false;
        try
        {
            foreach (var chunk in export.Chunks(_clusterId, DescribeStates()))
            {
                var reply = await target.ImportAsync(chunk, cancellationToken).ConfigureAwait(false);
                if (!reply.IsAccepted)
                {
                    throw new StateRefusedException(
                        $"Partition {partition} cannot be handed over: {LogText.Clean(reply.Refusal)}.");
                }
            }

            isComplete = true;
        }
        finally
        {
            if (!isComplete)
                await AbortAsync(partition, export.TransferId, target).ConfigureAwait(false);
        }
    }

    /// <summary>Whether all records of a partition have arrived from its owner.</summary>
    /// <param name="partition">The partition.</param>
    public bool IsStaged(PartitionId partition) => _staging.IsComplete(partition);

    /// <summary>Serves a partition with the records that have arrived from its former owner.</summary>
    /// <param name="partition">The partition.</param>
    /// <param name="epoch">Its epoch in the table.</param>
    /// <exception cref="NotOwnerException">Not everything has arrived, or the node holds the partition
    /// already.</exception>
    /// <exception cref="StaleEpochException">The node has acted on a newer epoch already.</exception>
    public void Promote(PartitionId partition, Epoch epoch)
    {
        _staging.Promote(_partitions[partition.Value], epoch);
        LogServing(partition, epoch);
    }

    /// <inheritdoc />
    public ValueTask<StateReply> ExecuteAsync(StateRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return _executor.ExecuteAsync(request, cancellationToken);
    }

    /// <inheritdoc />
    public ValueTask<HandoffReply> ImportAsync(HandoffChunk chunk, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(chunk);
        var refusal = FindImportRefusal(chunk) ?? _staging.Accept(chunk);
        if (refusal is null)
            return new(HandoffReply.Accepted());
        LogImportRefused(chunk.Partition, chunk.TransferId, LogText.Clean(refusal));
        return new(HandoffReply.Refused(refusal));
    }

    /// <inheritdoc />
    public ValueTask<HandoffReply> AbortImportAsync(HandoffAbort abort, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(abort);
        if (abort.ClusterId != _clusterId)
            return new(HandoffReply.Refused(DescribeForeigner(abort.ClusterId)));
        _staging.Abort(new PartitionId(abort.Partition), abort.TransferId, abort.Source);
        return new(HandoffReply.Accepted());
    }

    /// <summary>What the node does with a partition, and its counters.</summary>
    /// <param name="partition">The partition.</param>
    public PartitionStatistics GetStatistics(PartitionId partition) => _partitions[partition.Value].GetStatistics();

    /// <summary>How many values the node holds, by the name of the state.</summary>
    public IReadOnlyDictionary<string, long> CountEntries()
    {
        var counts = new long[Catalog.Count];
        foreach (var partition in _partitions)
            partition.AddEntryCounts(counts);
        return Catalog.Definitions.Select((state, ordinal) => (state.Name, counts[ordinal])).ToDictionary();
    }

    /// <summary>Stops the sweep and frees every record. Operations afterwards find nothing served.</summary>
    public async ValueTask DisposeAsync()
    {
        await _sweeper.DisposeAsync().ConfigureAwait(false);
        foreach (var partition in _partitions)
            Drop(partition.Id);
    }

    internal PartitionStore PartitionOf(PartitionId partition) => _partitions[partition.Value];

    internal StateSweeper Sweeper => _sweeper;

    private string? FindImportRefusal(HandoffChunk chunk)
    {
        if (chunk.FormatVersion != StateRequest.CurrentFormatVersion)
            return $"message format {chunk.FormatVersion} is unknown";
        if (chunk.ClusterId != _clusterId)
            return DescribeForeigner(chunk.ClusterId);
        if ((uint)chunk.Partition >= (uint)_partitions.Length)
            return $"there is no partition {chunk.Partition}";
        if (chunk.Records is null)
            return "the chunk has no records";
        var (state, epoch) = _partitions[chunk.Partition].Status;
        if (state != PartitionState.Absent)
            return $"partition {chunk.Partition} is {state} here";
        return chunk.Epoch < epoch.Value ? $"epoch {chunk.Epoch} is older than {epoch}, which is known here" : null;
    }

    private string DescribeForeigner(Guid other) => $"this node belongs to cluster {_clusterId}, the sender to {other}";

    private HandoffState[] DescribeStates() =>
    [
        .. Catalog.Definitions.Select(state => new HandoffState
        {
            Id = state.Id,
            Name = state.Name,
            LayoutFingerprint = state.LayoutFingerprint,
        }),
    ];

    private async ValueTask AbortAsync(PartitionId partition, Guid transfer, IStatePeer target)
    {
        try
        {
            var abort = new HandoffAbort
            {
                ClusterId = _clusterId,
                Source = _context.SelfIncarnation,
                Partition = partition.Value,
                TransferId = transfer,
            };
            await target.AbortImportAsync(abort, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The target frees an abandoned transfer when the next one starts or the table gives the partition away.
            LogAbortFailed(partition, transfer, LogText.Clean(e));
        }
    }
}
