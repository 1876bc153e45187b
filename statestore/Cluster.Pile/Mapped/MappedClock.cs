using Cluster.Pile.Expiry;

namespace Cluster.Pile.Mapped;

/// <summary>The clocks of a mapped pile across processes: UTC since the creation of the folder for objects, UTC itself
/// for records. They never go back behind their values at the last attach or shutdown, even if the clock of the machine
/// is set back. Immutable.</summary>
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

    /// <summary>The time of step 0, in ticks of UTC.</summary>
    public long OriginTicks { get; }

    /// <summary>How long no process had the folder attached, in ticks; true only when the last process shut down
    /// cleanly.</summary>
    public long GapTicks { get; }

    /// <summary>The step at which the pile of this process begins; rounded up, so that no object lives
    /// longer.</summary>
    public uint FirstStep => DeadlineSteps.OfObjects.At(_startTicks + DeadlineSteps.StepTicks - 1);

    /// <summary>The start of the clock of records, in ticks.</summary>
    public long MomentFirst { get; }

    /// <summary>The present value of the clock of records, in ticks; it runs with the monotonic clock of the
    /// machine.</summary>
    public long MomentTicks => MomentFirst + _time.GetElapsedTime(_timestamp).Ticks;

    /// <summary>The present value of the clock of objects, in ticks since step 0.</summary>
    public long ElapsedTicks => Math.Max(_time.GetUtcNow().UtcTicks - OriginTicks, _startTicks);
}
