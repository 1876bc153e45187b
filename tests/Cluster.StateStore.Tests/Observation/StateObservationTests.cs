using System.Diagnostics.Metrics;
using Cluster.StateStore.Hosting;
using Cluster.StateStore.Observation;
using Cluster.StateStore.Tests.Hosting;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.StateStore.Tests.Observation;

/// <summary>Operations are timed as a whole, and cost nothing more where nobody listens. Acceptance case 103.</summary>
[Trait("Case", "glue-103")]
public sealed class StateObservationTests : IAsyncDisposable
{
    private readonly ServiceProvider _services = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly SimulatedCluster _cluster = new(nodes: 3);
    private readonly List<string> _measured = [];

    private IMeterFactory Meters => _services.GetRequiredService<IMeterFactory>();

    public async ValueTask DisposeAsync()
    {
        await _cluster.DisposeAsync();
        await _services.DisposeAsync();
    }

    [Fact]
    public async Task Operation_WithARedirect_IsOneMeasurement_AndOneRetry()
    {
        _cluster.Meters = Meters;
        var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);
        var key = _cluster.KeyOn(_cluster[0]);
        using var listener = Listen();
        await carts.PutAsync(key, new Cart());
        await _cluster.MoveAsync(_cluster.PartitionOf(SimulatedCluster.Carts, key), _cluster[1]);
        await carts.GetAsync(key);
        Assert.Equal(
            [
                "cluster.state.operation.duration carts put ok",
                "cluster.state.operation.retries carts get",
                "cluster.state.operation.duration carts get ok",
            ],
            _measured);
    }

    [Fact]
    public async Task Operation_ThatTheOwnerRefusesOrFails_TellsWhy()
    {
        _cluster.Meters = Meters;
        var carts = new StateClient<string, Cart>(SimulatedCluster.Carts, _cluster.Client);
        _cluster.BeforeCall = _ => throw new GlueException(
            GlueErrorKind.Refused, GlueDelivery.NotDelivered, GlueErrorCode.UnknownMethod, "as asked");
        using var listener = Listen();
        await Assert.ThrowsAsync<StateRefusedException>(
            async () => await carts.GetAsync(_cluster.KeyOn(_cluster[0])));
        Assert.Equal(
            [$"cluster.state.operation.duration carts get failed {typeof(StateRefusedException)}"], _measured);
    }

    [Fact]
    public void Operation_WhenNobodyListens_IsNotObserved()
    {
        var instruments = StateInstruments.OfOperations(Meters);
        Assert.False(StateObservation.IsWanted(instruments));
        using var listener = Listen();
        Assert.True(StateObservation.IsWanted(instruments));
    }

    private MeterListener Listen()
    {
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Scope == Meters)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => Note(instrument, tags));
        listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) => Note(instrument, tags));
        listener.Start();
        return listener;
    }

    private void Note(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = instrument.Name;
        foreach (var tag in tags)
            text += $" {tag.Value}";
        _measured.Add(text);
    }
}
