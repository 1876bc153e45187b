namespace Cluster.Pile.Tests.Observation;

/// <summary>How long the operations of one thread take, less the time that it, or another one that takes part, was
/// ready while others had the processors, be it threads or the host of a virtual machine. Used by one thread.</summary>
/// <param name="delays">What other threads took.</param>
/// <param name="stolen">What the host of a virtual machine took.</param>
/// <param name="longNanoseconds">From when on an operation is long.</param>
internal sealed class PauseMeter(RunDelays delays, StolenTime stolen, long longNanoseconds)
{
    // Time between two looks may be subtracted from an operation although it came before it.
    private const int OperationsPerLook = 64;
    private const int LooksPerLookAtHost = 256;
    private const long SuspectNanoseconds = 100_000;

    private long _delayed;
    private long _stolen;
    private long _began;

    /// <summary>All operations.</summary>
    public long Count { get; private set; }

    /// <summary>The long ones.</summary>
    public long CountLong { get; private set; }

    /// <summary>The longest, in nanoseconds.</summary>
    public long Longest { get; private set; }

    public void Begin()
    {
        if (Count % OperationsPerLook == 0)
            _delayed = delays.Read();
        if (Count++ % (OperationsPerLook * LooksPerLookAtHost) == 0)
            _stolen = stolen.Read();
        _began = Stopwatch.GetTimestamp();
    }

    public void End()
    {
        var took = (long)Stopwatch.GetElapsedTime(_began).TotalNanoseconds;
        if (took < SuspectNanoseconds)
            return;
        var (delayedNow, stolenNow) = (delays.Read(), stolen.Read());
        took -= delayedNow - _delayed + stolenNow - _stolen;
        (_delayed, _stolen) = (delayedNow, stolenNow);
        CountLong += took >= longNanoseconds ? 1 : 0;
        Longest = Math.Max(Longest, took);
    }
}
