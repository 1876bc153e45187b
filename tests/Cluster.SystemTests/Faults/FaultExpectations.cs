namespace Cluster.SystemTests.Faults;

/// <summary>What a scenario allows at its end. Immutable.</summary>
internal sealed record FaultExpectations
{
    /// <summary>How the runtime reports a process that was killed: 128 and the number of the signal.</summary>
    public const int Killed = 137;

    /// <summary>How a node ends that could not hand everything over.</summary>
    public const int DrainIncomplete = 74;

    /// <summary>Within which time all copies are there again after the fault.</summary>
    public TimeSpan RestoredWithin { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>Whether enough operations are answered while the fault lasts.</summary>
    public bool ServesDuringFault { get; init; } = true;

    /// <summary>Whether partitions may lose their contents, which must then be counted.</summary>
    public bool MayLose { get; init; }

    /// <summary>The partitions that have lost their contents. The checker leaves them out.</summary>
    public IReadOnlySet<int> LostPartitions { get; init; } = new HashSet<int>();

    /// <summary>Which errors the logs may contain.</summary>
    public Func<string, bool> MayLog { get; init; } = static _ => false;

    /// <summary>With which codes processes may end.</summary>
    public IReadOnlyList<int> ExitCodes { get; init; } = [0, Killed];
}
