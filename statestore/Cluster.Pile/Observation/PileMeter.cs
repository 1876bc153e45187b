using System.Diagnostics.Metrics;
using Cluster.Pile.Caching;
using Cluster.Pile.Snapshots;

namespace Cluster.Pile.Observation;

/// <summary>The meter <c>Cluster.Pile</c> of the process: observes all open piles, by name. It refers to piles weakly,
/// so that a pile that is dropped without disposal is not kept alive. A lock guards the list.</summary>
internal static class PileMeter
{
    public const string MeterName = "Cluster.Pile";

    private const string NameTag = "cluster.pile.name";
    private const string StateTag = "cluster.pile.state";
    private const string OutcomeTag = "cluster.pile.outcome";
    private const string OperationTag = "cluster.pile.operation";

    private static readonly Lock Gate = new();
    private static readonly List<WeakReference<ObservedPile>> Piles = [];
    public static readonly Meter Meter = CreateMeter();
    private static long _numberLast;

    /// <summary>Begins to observe a pile; a pile without a name gets a number.</summary>
    public static ObservedPile Add(
        string? name, StatisticsCollector statistics, CacheDirectory caches, SnapshotCounters snapshots)
    {
        name ??= $"pile-{Interlocked.Increment(ref _numberLast)}";
        var pile = new ObservedPile(name, statistics, caches, snapshots);
        lock (Gate)
        {
            Piles.RemoveAll(weak => !weak.TryGetTarget(out _));
            Piles.Add(new WeakReference<ObservedPile>(pile));
        }

        return pile;
    }

    public static void Remove(ObservedPile pile)
    {
        lock (Gate)
            Piles.RemoveAll(weak => !weak.TryGetTarget(out var target) || target == pile);
    }

    private static Meter CreateMeter()
    {
        var meter = new Meter(MeterName);
        meter.CreateObservableGauge(
            "cluster.pile.memory",
            () => Observe(StateTag, s =>
            [
                ("live", s.LiveBytes),
                ("free", s.FreeBytes),
                ("buffers", s.BufferBytes),
                ("records", s.RecordBytes),
                ("overhead", s.OverheadBytes),
                ("reserved", s.ReservedBytes),
                ("budget", s.BudgetBytes),
            ]),
            "By", "Bytes by state; live, free, buffers, records and overhead make up reserved");
        meter.CreateObservableGauge(
            "cluster.pile.segments",
            () => Observe(StateTag, s =>
            [
                ("in_use", s.SegmentsInUse),
                ("ready", s.SegmentsReady),
                ("given_back", s.SegmentsGivenBack),
            ]),
            "{segment}", "Segments of 2 MiB by state");
        meter.CreateObservableCounter(
            "cluster.pile.operations",
            () => Observe(OperationTag, s => [("put", s.Puts), ("get", s.Gets), ("delete", s.Deletes)]),
            "{operation}", "Operations that succeeded");
        meter.CreateObservableGauge(
            "cluster.pile.objects", () => Observe(s => s.Objects), "{object}", "Live objects");
        meter.CreateObservableGauge(
            "cluster.pile.links", () => Observe(s => s.Links), "{link}", "Objects that outgrew their slot");
        meter.CreateObservableGauge(
            "cluster.pile.fragmentation", () => Observe(s => s.Fragmentation), "1",
            "Share of slabs and large objects that lies in free slots");
        AddSnapshots(meter);
        CacheInstruments.AddTo(meter, NameTag, OpenPiles);
        return meter;
    }

    private static void AddSnapshots(Meter meter)
    {
        meter.CreateObservableGauge(
            "cluster.pile.snapshot.age", () => ObserveSaved(s => s.Age.TotalSeconds), "s",
            "Time since the last snapshot was complete");
        meter.CreateObservableGauge(
            "cluster.pile.snapshot.duration", () => ObserveSaved(s => s.Duration.TotalSeconds), "s",
            "How long the last snapshot took");
        meter.CreateObservableGauge(
            "cluster.pile.snapshot.size", () => ObserveSaved(s => s.Bytes), "By", "Bytes of the last snapshot");
        meter.CreateObservableCounter(
            "cluster.pile.snapshots",
            () => OpenPiles().SelectMany(pile => Outcomes(pile)), "{snapshot}", "Snapshots by outcome");
    }

    private static IEnumerable<Measurement<long>> Outcomes(ObservedPile pile) =>
    [
        new(pile.Snapshots.Done, NameOf(pile), new(OutcomeTag, "done")),
        new(pile.Snapshots.Failures, NameOf(pile), new(OutcomeTag, "failed")),
    ];

    private static IEnumerable<Measurement<T>> ObserveSaved<T>(Func<SnapshotCounters, T> value)
        where T : struct =>
        OpenPiles().Where(pile => pile.Snapshots.Done > 0)
            .Select(pile => new Measurement<T>(value(pile.Snapshots), NameOf(pile)));

    private static IEnumerable<Measurement<T>> Observe<T>(Func<PileStatistics, T> value)
        where T : struct =>
        OpenPiles().Select(pile => new Measurement<T>(value(pile.Statistics.CollectTotals()), NameOf(pile)));

    private static IEnumerable<Measurement<long>> Observe(
        string tag, Func<PileStatistics, (string State, long Value)[]> values) =>
        OpenPiles().SelectMany(
            pile => values(pile.Statistics.CollectTotals()),
            (pile, part) => new Measurement<long>(part.Value, NameOf(pile), new(tag, part.State)));

    private static KeyValuePair<string, object?> NameOf(ObservedPile pile) => new(NameTag, pile.Name);

    private static List<ObservedPile> OpenPiles()
    {
        var open = new List<ObservedPile>();
        lock (Gate)
        {
            foreach (var weak in Piles)
            {
                if (weak.TryGetTarget(out var pile))
                    open.Add(pile);
            }
        }

        return open;
    }
}

/// <summary>An open pile as the meter sees it. Held by its pile; immutable.</summary>
internal sealed record ObservedPile(
    string Name, StatisticsCollector Statistics, CacheDirectory Caches, SnapshotCounters Snapshots);
