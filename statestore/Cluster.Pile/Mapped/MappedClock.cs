using Cluster.Pile.Expiry;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped;

/// <summary>The clocks of a mapped pile across processes: UTC since the folder was made for objects, UTC itself for
/// records. They never go back behind what they showed when the folder was last attached or left, whatever is done to
/// the clock of the machine. Immutable.</summary>
internal sealed class MappedClock
{
    private readonly TimeProvider _time;
    private readonly long _startTicks;
    private readonly long _timestamp;

    public MappedClock(TimeProvider time, MappedState left)
    {
        _time = time;
        var now = time.GetUtcNow().UtcTicks;
        _startTicks = Math.Max(now - left.OriginTicks, left.ElapsedTicks);
        OriginTicks = now - _startTicks;
        GapTicks = _startTicks - left.ElapsedTicks;
        _timestamp = time.GetTimestamp();
        MomentFirst = Math.Max(now, left.MomentTicks);
    }

    /// <summary>When step 0 was, in ticks of UTC.</summary>
    public long OriginTicks { get; }

    /// <summary>How long nobody had the folder, if the process that had it last left it.</summary>
    public long GapTicks { get; }

    /// <summary>The step at which the pile of this process begins; rounded up, so that no life gets longer.</summary>
    public uint FirstStep =>
        (uint)((_startTicks + DeadlineClock.StepTicks - 1) / DeadlineClock.StepTicks) & ExtendedWord.DeadlineMax;

    /// <summary>Where the clock of records begins, in ticks.</summary>
    public long MomentFirst { get; }

    /// <summary>Where it has got to; it runs with the monotonic clock of the machine.</summary>
    public long MomentTicks => MomentFirst + _time.GetElapsedTime(_timestamp).Ticks;

    /// <summary>How far the clock has got.</summary>
    public long ElapsedTicks => Math.Max(_time.GetUtcNow().UtcTicks - OriginTicks, _startTicks);
}
