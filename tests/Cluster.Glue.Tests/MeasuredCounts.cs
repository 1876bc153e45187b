using System.Diagnostics.Metrics;

namespace Cluster.Glue.Tests;

/// <summary>What the meter <c>Cluster.Glue</c> of one factory has counted since. Protected by its lock.</summary>
internal sealed class MeasuredCounts : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<string, long> _sums = [];

    public MeasuredCounts(IMeterFactory meters)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Scope == meters && instrument.Meter.Name == "Cluster.Glue")
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            var name = string.Join(' ', (string[])[instrument.Name, .. Texts(tags)]);
            lock (_gate)
                _sums[name] = _sums.GetValueOrDefault(name) + value;
        });
        _listener.Start();
    }

    /// <summary>The sum of one instrument, over all tags or with those that its name is followed by.</summary>
    public long this[string name]
    {
        get
        {
            lock (_gate)
            {
                return _sums.Where(pair => $"{pair.Key} ".StartsWith($"{name} ", StringComparison.Ordinal))
                    .Sum(pair => pair.Value);
            }
        }
    }

    public override string ToString()
    {
        lock (_gate)
            return string.Join(", ", _sums);
    }

    public void Dispose() => _listener.Dispose();

    private static List<string> Texts(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var texts = new List<string>();
        foreach (var tag in tags)
            texts.Add($"{tag.Key}={tag.Value}");
        return texts;
    }
}
