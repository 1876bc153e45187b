using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.Testing;

namespace Cluster.StateStore.Tests.Engine;

/// <summary>Several engines in one process, with real threads and clocks.</summary>
internal sealed class EngineCluster : IDisposable
{
    private const int PartitionCount = 16;
    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private readonly List<EngineProcess> _processes = [];

    // A quarter of what nodes use, so that the tests do not wait long.
    public static ProtocolTimes Times { get; } = new()
    {
        Beacon = TimeSpan.FromMilliseconds(125),
        Lease = TimeSpan.FromMilliseconds(750),
        Grace = TimeSpan.FromMilliseconds(1_125),
        Append = TimeSpan.FromMilliseconds(250),
        Resend = TimeSpan.FromMilliseconds(100),
        CommitNews = TimeSpan.FromMilliseconds(25),
        Batch = TimeSpan.FromMilliseconds(50),
        UrgentBatch = TimeSpan.FromMilliseconds(5),
        Direct = TimeSpan.FromMilliseconds(125),
        Settle = TimeSpan.FromMilliseconds(300),
    };

    public ClusterMeta Meta { get; } = new(Guid.NewGuid(), "test", PartitionCount, 0x5EED, ClusterMeta.CurrentFormatVersion);

    public PartitionHash Hash => new(Meta);

    public EngineStore Store { get; } = new(PartitionCount);

    public IEnumerable<EngineProcess> Living => _processes.Where(process => process is { IsKilled: false, HasLeft: false });

    public EngineProcess this[int index] => _processes[index];

    public EngineProcess? Find(NodeId node) => _processes.Find(process => process.Node == node && !process.IsKilled);

    public EngineProcess Add(string name, int backups)
    {
        var process = new EngineProcess(this, name, backups);
        _processes.Add(process);
        process.Start();
        return process;
    }

    /// <summary>Waits until every partition has a primary and as many backups as it should, and nothing moves.</summary>
    public Task SettledAsync(int nodes, int backups) => Eventually.TrueAsync(
        () => Store.Table is var table
            && table.Members.Count(member => member.State == MemberState.Active) == nodes
            && table.Partitions.All(entry => entry.Primary is not null
                && entry.InSync.Count == backups + 1
                && entry is { Joining: null, Next: null, Leaving: null }
                && entry.InSync.Items.All(slot => table.FindMember(slot) is { State: MemberState.Active })),
        Bound);

    /// <summary>Writes at the primary, wherever it is, until it is answered.</summary>
    public async Task<WriteAnswer> WriteAsync(string key, string value, RequestId request)
    {
        var stateKey = new StateKey(0, Encoding.UTF8.GetBytes(key));
        var partition = Hash.PartitionOf(Hash.Hash(stateKey.Bytes.Span));
        var write = new WriteRequest(partition, EntryKind.Put, stateKey)
        {
            Value = Encoding.UTF8.GetBytes(value),
            Request = request,
        };
        for (var started = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(started) < Bound;)
        {
            if (PrimaryOf(partition) is { } primary
                && await Task.WhenAny(primary.Engine.WriteAsync(write), Task.Delay(500)) is Task<WriteAnswer> { Result: var answer }
                && answer.Outcome is not (WriteOutcome.Busy or WriteOutcome.Moved))
                return answer;
            await Task.Delay(5);
        }

        throw new TimeoutException($"The write of {key} was not answered.");
    }

    /// <summary>Reads at the primary until it is answered; null: no record.</summary>
    public async Task<string?> ReadAsync(string key)
    {
        var stateKey = new StateKey(0, Encoding.UTF8.GetBytes(key));
        var partition = Hash.PartitionOf(Hash.Hash(stateKey.Bytes.Span));
        var buffer = new byte[64];
        for (var started = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(started) < Bound;)
        {
            if (PrimaryOf(partition)?.Engine.Read(stateKey, ref buffer, out var length) == WriteOutcome.Done)
                return length == 0 ? null : Encoding.UTF8.GetString(buffer, 16, length - 16);
            await Task.Delay(5);
        }

        throw new TimeoutException($"The read of {key} was not answered.");
    }

    public void Dispose()
    {
        foreach (var process in _processes)
            process.Dispose();
        foreach (var process in _processes)
            process.Free();
    }

    private EngineProcess? PrimaryOf(PartitionId partition) =>
        Store.Table is var table
        && table[partition].Primary is { } slot
        && table.FindMember(slot) is { } member ? Find(member.Node) : null;
}
