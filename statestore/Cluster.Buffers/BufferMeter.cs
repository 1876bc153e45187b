using System.Diagnostics.Metrics;
using Cluster.Buffers.Errors;

namespace Cluster.Buffers;

/// <summary>Observes the process-wide buffers, under the name of the pile's meter, so that users need only one name.
/// Created with the first such buffer. Stateless.</summary>
internal static class BufferMeter
{
    private const string NameTag = "cluster.pile.name";
    private const string StateTag = "cluster.pile.state";

    public static readonly Meter Meter = CreateMeter();

    /// <summary>Makes sure that the instruments exist.</summary>
    public static void EnsureCreated() => BufferInvariant.Holds(Meter.Name.Length > 0, "The meter has a name.");

    private static Meter CreateMeter()
    {
        var meter = new Meter("Cluster.Pile");
        meter.CreateObservableGauge(
            "cluster.pile.buffers.memory",
            ObserveMemory,
            "By", "Bytes of buffers that belong to no pile, by state");
        meter.CreateObservableGauge(
            "cluster.pile.buffers",
            () => new Measurement<long>(BufferBudget.Process.GetStatistics().Buffers, NameOf(BufferBudget.Process)),
            "{buffer}", "Live buffers that belong to no pile");
        return meter;
    }

    private static IEnumerable<Measurement<long>> ObserveMemory()
    {
        var s = BufferBudget.Process.GetStatistics();
        return [Part("live", s.LiveBytes), Part("taken", s.TakenBytes), Part("reserved", s.ReservedBytes),
            Part("budget", s.CapBytes)];

        static Measurement<long> Part(string state, long bytes) =>
            new(bytes, NameOf(BufferBudget.Process), new(StateTag, state));
    }

    private static KeyValuePair<string, object?> NameOf(BufferBudget budget) => new(NameTag, budget.Name);
}
