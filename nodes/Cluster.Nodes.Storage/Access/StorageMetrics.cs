using System.Diagnostics.Metrics;

namespace Cluster.Nodes.Storage.Access;

/// <summary>The meter <c>Cluster.Nodes.Storage</c> of one host. Instruments are made once and protect themselves; a
/// concurrent dictionary has the counts of the waiting keys.</summary>
internal sealed class StorageMetrics : IDisposable
{
    public const string MeterName = "Cluster.Nodes.Storage";

    private const string StateTag = "cluster.state.name";

    private readonly ConcurrentDictionary<string, Func<int>> _waiting = new();
    private readonly Meter _meter;
    private readonly Counter<long> _loads;
    private readonly Counter<long> _stores;
    private readonly Counter<long> _failures;

    public StorageMetrics(IMeterFactory meters)
    {
        _meter = meters.Create(MeterName);
        _loads = _meter.CreateCounter<long>("cluster.storage.loads", "{load}", "Keys that were read from a storage");
        _stores = _meter.CreateCounter<long>("cluster.storage.stores", "{store}", "Records that a storage has taken");
        _failures = _meter.CreateCounter<long>(
            "cluster.storage.failures", "{failure}", "Loads and stores that failed or took too long");
        _meter.CreateObservableGauge(
            "cluster.storage.dirty", CountWaiting, "{key}", "Keys of this node that wait to be stored");
    }

    public void CountLoad(string state) => _loads.Add(1, TagOf(state));

    public void CountStore(string state) => _stores.Add(1, TagOf(state));

    public void CountFailure(string state) => _failures.Add(1, TagOf(state));

    /// <summary>Shows how many keys of a state wait.</summary>
    public void Watch(string state, Func<int> count) => _waiting[state] = count;

    public void Dispose() => _meter.Dispose();

    private static KeyValuePair<string, object?> TagOf(string state) => new(StateTag, state);

    private IEnumerable<Measurement<int>> CountWaiting() =>
        _waiting.Select(state => new Measurement<int>(state.Value(), TagOf(state.Key)));
}
