using Cluster.StateStore.Hosting.Tables;

namespace Cluster.SystemTests.Faults;

/// <summary>The tables that the client of a fault run has seen, with their times. Used by the run's loop and its
/// checks.</summary>
/// <param name="view">The client's view of the table.</param>
/// <param name="now">The time of the run, in seconds.</param>
internal sealed class TableHistory(ITableView view, Func<double> now) : IAsyncDisposable
{
    private readonly ConcurrentQueue<(double Time, ClusterTable Table)> _tables = [];
    private readonly CancellationTokenSource _end = new();
    private Task _reading = Task.CompletedTask;

    /// <summary>Begins to record.</summary>
    public void Start() => _reading = ReadAsync();

    /// <summary>Describes each change of a partition, one in a line.</summary>
    /// <param name="partition">The partition.</param>
    public string Describe(int partition)
    {
        StringBuilder text = new();
        PartitionEntry? last = null;
        foreach (var (time, table) in _tables)
        {
            var entry = table.Partitions[partition];
            if (entry == last)
                continue;
            var inSync = string.Join(' ', entry.InSync.Items.Select(slot => Name(table, slot)));
            text.Append(CultureInfo.InvariantCulture, $"{time,6:0.00} table {table.Version} epoch {entry.Epoch.Value}: ")
                .Append(CultureInfo.InvariantCulture, $"primary {Name(table, entry.Primary)}, in sync {inSync}, ")
                .Append(CultureInfo.InvariantCulture, $"joining {Name(table, entry.Joining)}, ")
                .Append(CultureInfo.InvariantCulture, $"next {Name(table, entry.Next)}, ")
                .AppendLine(CultureInfo.InvariantCulture, $"leaving {Name(table, entry.Leaving)}");
            last = entry;
        }

        return text.ToString();
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _reading;
        _end.Dispose();
    }

    private static string Name(ClusterTable table, NodeSlot? slot) =>
        slot is { } known ? table.FindMember(known)?.Node.Name ?? $"slot {known.Value}" : "-";

    private async Task ReadAsync()
    {
        var table = view.Current;
        try
        {
            while (true)
            {
                _tables.Enqueue((now(), table));
                table = await view.WaitForNewerAsync(table.Version, _end.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The run is over.
        }
    }
}
