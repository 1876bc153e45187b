using Cluster.Testing.Simulation.Faults;

namespace Cluster.Testing.Simulation;

/// <summary>The sums over many simulated runs, and the reports of the runs that broke a promise. A private lock protects
/// them.</summary>
public sealed class SimulationTotals
{
    /// <summary>The most reports of failed runs that are kept.</summary>
    public const int FailureCountMax = 50;

    private readonly Lock _lock = new();
    private readonly List<string> _failures = [];
    private readonly long[] _faults = new long[Enum.GetValues<FaultKind>().Length];

    /// <summary>The runs that ended.</summary>
    public long RunCount { get; private set; }

    /// <summary>The runs that broke a promise.</summary>
    public long FailureCount { get; private set; }

    /// <summary>The events of all runs.</summary>
    public long Events { get; private set; }

    /// <summary>The operations of all runs.</summary>
    public long Operations { get; private set; }

    /// <summary>The operations of all runs that were answered.</summary>
    public long OperationsDone { get; private set; }

    /// <summary>The sum of the hashes of all runs, which does not depend on their order.</summary>
    public ulong Hash { get; private set; }

    /// <summary>The simulated time of all runs.</summary>
    public TimeSpan Simulated { get; private set; }

    /// <summary>The real time from the first run to the last one.</summary>
    public TimeSpan Elapsed { get; internal set; }

    /// <summary>The reports of the first runs that broke a promise.</summary>
    public IReadOnlyList<string> Failures => _failures;

    /// <summary>Returns how many faults of a kind began in all runs.</summary>
    /// <param name="kind">The kind.</param>
    public long CountOf(FaultKind kind) => _faults[(int)kind];

    /// <inheritdoc />
    public override string ToString()
    {
        var faults = Enum.GetValues<FaultKind>().Select(kind => $"{kind} {CountOf(kind)}");
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{RunCount:N0} runs, {FailureCount} failed, {Events:N0} events, {Events / Elapsed.TotalSeconds:N0} "
                + $"events/s, {Simulated.TotalSeconds:N0} s simulated in {Elapsed.TotalSeconds:F1} s, "
                + $"{OperationsDone:N0} of {Operations:N0} operations answered, hash {Hash:x16}; "
                + $"{string.Join(", ", faults)}");
        return text + string.Concat(_failures.Select(failure => $"\n{failure}"));
    }

    internal void Add(SimulationReport report)
    {
        lock (_lock)
        {
            RunCount++;
            Events += report.Events;
            Hash = unchecked(Hash + report.Hash);
            Operations += report.OperationCount;
            OperationsDone += report.DoneCount;
            Simulated += report.Duration;
            for (var kind = 0; kind < _faults.Length; kind++)
                _faults[kind] += report.Cluster.Faults.CountOf((FaultKind)kind);
            if (report.Violations.IsEmpty)
                return;
            FailureCount++;
            if (_failures.Count < FailureCountMax)
                _failures.Add(report.ToString());
        }
    }
}
