using System.Diagnostics.Metrics;
using Cluster.Nodes.AspNetCore.Refusals;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Refusals;

/// <summary>What the counter of refusals of one host has counted since this was made. Thread-safe.</summary>
internal sealed class RefusalCounts : IDisposable
{
    private readonly ConcurrentDictionary<(string State, string Reason), long> _counts = new();
    private readonly MeterListener _listener = new();

    public RefusalCounts(IServiceProvider services)
    {
        var host = services.GetRequiredService<IMeterFactory>();
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == RefusalMetrics.MeterName && instrument.Meter.Scope == host)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((_, value, tags, _) => Add(value, tags));
        _listener.Start();
    }

    /// <summary>How often the reason was counted for the state.</summary>
    public long this[string state, string reason] => _counts.GetValueOrDefault((state, reason));

    public void Dispose() => _listener.Dispose();

    private void Add(long value, ReadOnlySpan<KeyValuePair<string, object?>> tags) => _counts.AddOrUpdate(
        ((string)tags[0].Value!, (string)tags[1].Value!), value, (_, before) => before + value);
}
