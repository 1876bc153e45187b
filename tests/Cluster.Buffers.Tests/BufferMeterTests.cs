using System.Diagnostics.Metrics;
using System.Text.RegularExpressions;
using Cluster.Testing;

namespace Cluster.Buffers.Tests;

/// <summary>What the meter <c>Cluster.Pile</c> tells of buffers that belong to no pile, as a listener sees
/// it.</summary>
public sealed partial class BufferMeterTests
{
    [Fact]
    public void Instruments_OfProcessWideBuffers_AgreeWithTheirStatistics()
    {
        using var array = new SafeArray<int>(100_000);
        var seen = new Dictionary<string, double>();
        var units = new Dictionary<string, string?>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter == BufferMeter.Meter)
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            var all = new Dictionary<string, object?>(tags.ToArray());
            Assert.True(all.Remove("cluster.pile.name", out var name));
            Assert.Equal(BufferBudget.Process.Name, name);
            units[instrument.Name] = instrument.Unit;
            seen.Add(instrument.Name + string.Concat(all.Values.Select(tag => "/" + tag)), value);
        });
        listener.Start();
        listener.RecordObservableInstruments();
        Assert.InRange(seen["cluster.pile.buffers.memory/live"], 400_000, BufferBudget.Process.CapBytes);
        Assert.InRange(
            seen["cluster.pile.buffers.memory/taken"], 400_000, seen["cluster.pile.buffers.memory/budget"]);
        Assert.InRange(seen["cluster.pile.buffers.memory/reserved"], 0, BufferBudget.Process.CapBytes);
        Assert.Equal(BufferBudget.Process.CapBytes, seen["cluster.pile.buffers.memory/budget"]);
        Assert.InRange(seen["cluster.pile.buffers"], 1, int.MaxValue);
        Assert.Equal(5, seen.Count);
        Assert.Equal("Cluster.Pile", BufferMeter.Meter.Name);
        var page = File.ReadAllText(Path.Join(RepositoryFolder.Path, "docs/pile.md"));
        var named = InstrumentRow().Matches(page).ToDictionary(row => row.Groups[1].Value, row => row.Groups[2].Value);
        Assert.Equal(named.Select(one => $"{one}").Order(), units.Select(one => $"{one}").Order());
    }

    [GeneratedRegex(@"^\| `(cluster\.pile\.buffers[a-z.]*)` \| (\S+) \|", RegexOptions.Multiline)]
    private static partial Regex InstrumentRow();
}
