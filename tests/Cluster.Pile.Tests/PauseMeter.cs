using System.Diagnostics;

namespace Cluster.Pile.Tests;

/// <summary>
/// How long the operations of one thread take, less the time that it, or another one that takes part, was ready while
/// others had the processors. Used by one thread.
/// </summary>
internal sealed class PauseMeter(RunDelays delays)
{
    // What lies between two looks at the delays may be taken off an operation although it came before it.
    private const int OperationsPerLook = 64;
    private const long SuspectNanoseconds = 100_000;
    private const long LongNanoseconds = 200_000;

    private long _delayed;
    private long _began;

    /// <summary>All operations.</summary>
    public long Count { get; private set; }

    /// <summary>Those of 200 us and more.</summary>
    public long CountLong { get; private set; }

    /// <summary>The longest, in nanoseconds.</summary>
    public long Longest { get; private set; }

    public void Begin()
    {
        if (Count++ % OperationsPerLook == 0)
            _delayed = delays.Read();
        _began = Stopwatch.GetTimestamp();
    }

    public void End()
    {
        var took = (long)Stopwatch.GetElapsedTime(_began).TotalNanoseconds;
        if (took < SuspectNanoseconds)
            return;
        var delayed = delays.Read();
        took -= delayed - _delayed;
        _delayed = delayed;
        CountLong += took >= LongNanoseconds ? 1 : 0;
        Longest = Math.Max(Longest, took);
    }
}
